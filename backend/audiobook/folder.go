package audiobook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/printable"
)

// maxName is how many bytes of a title are in the name of a file: Windows counts the folders too.
const maxName = 120

// WriteFolder writes a file for each chapter to a folder, which is made if it is missing, in one of backend.AudioFormats, and the
// cover beside them. It returns the paths of the files in order. Each file appears complete or not at all, and those that are
// complete stay after an error. Errors: those of WriteM4B.
func (l Layout) WriteFolder(ctx context.Context, dir, format string, o Options) (paths []string, err error) {
	if len(l.chapters) == 0 {
		return nil, errEmpty
	}
	if err := l.codecs.Ready(ctx, format); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, backend.FileError("write a book", "the folder of the book", err)
	}
	if l.book.Cover != nil {
		err := files.Write(filepath.Join(dir, "cover"+backend.CoverExtension(l.book.Cover)), l.book.Cover, 0o600)
		if err != nil {
			return nil, backend.FileError("write a book", "the folder of the book", err)
		}
	}
	done := l.progress(o)
	for i, c := range l.chapters {
		path := filepath.Join(dir, l.fileName(i)+"."+format)
		target := audio.Target{Format: format, Rate: l.rate, Channels: 1, BitRate: min(o.BitRate, MaxBitRate), Tags: l.chapterTags(i)}
		err := place(path, func(temp string) error {
			return l.codecs.EncodeFrom(ctx, temp, target, func(emit func([]float32) error) error { return l.emit(ctx, c, done(emit)) })
		})
		if err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// fileName returns the name of the file of a chapter without its extension: its number with zeros, so that names sort as chapters
// do, and its title.
func (l Layout) fileName(i int) string {
	width := max(2, len(strconv.Itoa(len(l.chapters))))
	number := fmt.Sprintf("%0*d", width, i+1)
	if title := filename.Safe(printable.FirstBytes(l.chapters[i].title, maxName), ""); title != "" {
		return number + " - " + title
	}
	return number
}

// chapterTags returns the tags of the file of a chapter.
func (l Layout) chapterTags(i int) map[string]string {
	m := l.book.Meta
	return map[string]string{
		"title": l.chapters[i].title, "album": oneLine(m.Title), "artist": oneLine(m.Author), "album_artist": oneLine(m.Author),
		"composer": oneLine(m.Narrator), "date": oneLine(m.Year), "genre": m.genre(), "comment": oneLine(m.Statement),
		"track": fmt.Sprintf("%d/%d", i+1, len(l.chapters)), "grouping": l.group(), "publisher": oneLine(m.Publisher),
		"language": threeLetters(m.Language),
	}
}

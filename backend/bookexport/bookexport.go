// Package bookexport exports the sound of books as the files that players of audiobooks read.
package bookexport

import (
	"archive/zip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/backend/files"
)

// Books reads the sound of books. Errors of Export: not_found, not_in_progress, nothing_to_speak.
type Books interface {
	Export(ctx context.Context, id string, chapters []string) (books.Export, error)
}

// Options are what a Service is built from.
type Options struct {
	Books   Books
	Codecs  audiobook.Codecs
	TempDir string // for files that are needed until they were sent
	Now     func() time.Time
}

// Service exports books. It is safe for concurrent use.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// Formats returns the formats of books: m4b is one file, and each of the others a zip with a file for each chapter.
func Formats() []string { return append([]string{audio.FormatM4B}, backend.AudioFormats()...) }

// Job is a book that can be exported.
type Job struct {
	Bytes   int64 // about how large its files become
	Seconds float64

	name, format string
	bitRate      int
	layout       audiobook.Layout
	service      *Service
}

// Prepare measures a book in one of Formats; bitRate is that of lossy formats in kbit/s, 0 = the usual one. Errors: those of
// Books.Export, ValidationError, audio_missing, unsupported_media, cancelled.
func (s *Service) Prepare(ctx context.Context, id, format string, bitRate int) (Job, error) {
	if !slices.Contains(Formats(), format) {
		return Job{}, backend.Invalid("enum", "Input should be one of: "+strings.Join(Formats(), ", "), "query", "format")
	}
	x, err := s.o.Books.Export(ctx, id, nil)
	if err != nil {
		return Job{}, err
	}
	book, err := bookOf(x)
	if err != nil {
		return Job{}, err
	}
	l, err := audiobook.Measure(ctx, s.o.Codecs, book, 0)
	if err != nil {
		return Job{}, err
	}
	return Job{
		Bytes: l.Bytes(format, bitRate), Seconds: l.Seconds(), name: filename.Safe(x.Title, id), format: format, bitRate: bitRate,
		layout: l, service: s,
	}, nil
}

// bookOf returns the book to write.
func bookOf(x books.Export) (audiobook.Book, error) {
	b := audiobook.Book{Meta: audiobook.Meta{
		Title: x.Title, Author: x.Author, Narrator: x.Narrator, Description: x.Description, Year: x.Year, Genre: x.Genre,
		Language: x.Language, Publisher: x.Publisher, ISBN: x.ISBN, Series: x.Series, SeriesPart: x.SeriesPart, Statement: x.Comment,
	}}
	if x.Cover != "" {
		cover, err := readCover(x.Cover)
		if err != nil {
			return b, err
		}
		if backend.CheckCover(cover) == nil { // the book is worth more than a picture that was damaged since
			b.Cover = cover
		}
	}
	for _, c := range x.Chapters {
		chapter := audiobook.Chapter{Title: c.Title}
		for _, f := range c.Files {
			chapter.Clips = append(chapter.Clips, audiobook.Clip{Path: f.Path, Gain: f.Gain})
		}
		if n := len(chapter.Clips); n > 0 {
			chapter.Clips[n-1].After = time.Duration(c.Pause * float64(time.Second))
		}
		b.Chapters = append(b.Chapters, chapter)
	}
	return b, nil
}

// readCover returns the start of a picture, which is all of one that may be a cover; nothing where it is gone.
func readCover(path string) ([]byte, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, backend.FileError("read the cover", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	cover, err := io.ReadAll(io.LimitReader(f, backend.MaxCover+1))
	return cover, backend.FileError("read the cover", "the data directory", err)
}

// Write writes the book to a file that exists until it is closed. progress is told how much is done, 0 to 1; nil: nobody asks. Errors:
// runtime_missing, audio_missing, unsupported_media, insufficient_disk, cancelled; then nothing stays of it.
func (j Job) Write(ctx context.Context, progress func(share float64)) (backend.ExportedFile, error) {
	dir, err := os.MkdirTemp(j.service.o.TempDir, "book-*")
	if err != nil {
		return backend.ExportedFile{}, backend.FileError("make the export file", "the data directory", err)
	}
	out := backend.ExportedFile{Created: j.service.o.Now(), Close: func() { _ = files.RemoveAll(dir) }}
	done := false
	defer func() {
		if !done {
			out.Close()
		}
	}()
	paths, err := j.write(ctx, dir, progress)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	if j.format == audio.FormatM4B && len(paths) == 1 {
		out.Path, out.Name = paths[0], j.name+"."+j.format
	} else {
		out.Path, out.Name = filepath.Join(dir, "book.zip"), j.name+".zip"
		if err := j.zip(ctx, out.Path, paths); err != nil {
			return backend.ExportedFile{}, err
		}
	}
	done = true
	return out, nil
}

// write writes the files of the book.
func (j Job) write(ctx context.Context, dir string, progress func(float64)) (paths []string, err error) {
	if j.format != audio.FormatM4B {
		return j.layout.WriteFolder(ctx, dir, j.format, audiobook.Options{BitRate: j.bitRate, Progress: progress})
	}
	parts := j.layout.Parts(audiobook.MaxPart)
	names := filename.Names{}
	for i, part := range parts {
		o := audiobook.Options{BitRate: j.bitRate}
		if progress != nil {
			o.Progress = func(share float64) { progress((float64(i) + share) / float64(len(parts))) }
		}
		path := filepath.Join(dir, names.Unique(filename.Safe(part.Title(), j.name)+"."+j.format))
		if err := part.WriteM4B(ctx, path, o); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// zip moves files into an archive.
func (j Job) zip(ctx context.Context, path string, paths []string) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return backend.FileError("make the export file", "the data directory", err)
	}
	defer func() {
		if failure := f.Close(); err == nil {
			err = failure
		}
		err = backend.FileError("write the export file", "the data directory", err)
	}()
	out := zip.NewWriter(f)
	for _, one := range paths {
		w, err := out.CreateHeader(&zip.FileHeader{Name: filepath.Base(one), Method: zip.Store, Modified: j.service.o.Now().Local()})
		if err != nil {
			return err
		}
		if _, err := files.Read(ctx, one, w); err != nil {
			return err
		}
		if err := os.Remove(one); err != nil {
			return err
		}
	}
	return out.Close()
}

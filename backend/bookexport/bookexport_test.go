package bookexport_test

import (
	"archive/zip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/bookexport"
	"github.com/voicewright/voicewright/backend/books"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const rate = 8000

// fakeBooks are books with the sound that a test gives them.
type fakeBooks struct {
	export books.Export
	err    error
}

func (f fakeBooks) Export(context.Context, string, []string) (books.Export, error) {
	return f.export, f.err
}

// silence writes a file of so many seconds, and returns its path.
func silence(t *testing.T, seconds float64) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "*.wav")
	require.NoError(t, err)
	w, err := audio.NewWAVWriter(f, rate, 1)
	require.NoError(t, err)
	require.NoError(t, w.Write(make([]float32, int(seconds*rate))))
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	return f.Name()
}

// export returns a book whose chapters have these titles and the same sound.
func export(t *testing.T, title string, chapters ...string) books.Export {
	t.Helper()
	x := books.Export{BookDetails: backend.BookDetails{Title: title, Author: "Ann Author"}, Comment: "The speech is synthetic."}
	path := silence(t, 0.5)
	for _, name := range chapters {
		x.Chapters = append(x.Chapters, books.ExportChapter{Title: name, Files: []books.ExportFile{{Path: path, Gain: 1}}})
	}
	return x
}

// service exports a book; temp is the folder of its temporary files.
func service(t *testing.T, x books.Export, failure error) (s *bookexport.Service, temp string) {
	t.Helper()
	temp = t.TempDir()
	return bookexport.New(bookexport.Options{
		Books: fakeBooks{x, failure}, Codecs: audio.FindCodecs(), TempDir: temp, Now: func() time.Time { return time.Unix(1, 0) },
	}), temp
}

// written writes a book, and returns the names in a zip file, or none.
func written(t *testing.T, x books.Export, format string) (file backend.ExportedFile, names []string) {
	t.Helper()
	s, temp := service(t, x, nil)
	job, err := s.Prepare(t.Context(), "id", format, 0)
	require.NoError(t, err)
	file, err = job.Write(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		file.Close()
		left, err := os.ReadDir(temp)
		require.NoError(t, err)
		require.Empty(t, left, "nothing is left when it was sent")
	})
	if strings.HasSuffix(file.Name, ".zip") {
		z, err := zip.OpenReader(file.Path)
		require.NoError(t, err)
		defer func() { require.NoError(t, z.Close()) }()
		for _, f := range z.File {
			names = append(names, f.Name)
		}
	}
	return file, names
}

// TestSoundOfABook has files and pauses in order, and no pause at the end.
func TestSoundOfABook(t *testing.T) {
	x := export(t, "The Kettle", "One", "Two")
	x.Chapters[0].Files = append(x.Chapters[0].Files, x.Chapters[0].Files[0])
	x.Chapters[0].Pause = 2
	s, _ := service(t, x, nil)
	job, err := s.Prepare(t.Context(), "id", "wav", 0)
	require.NoError(t, err)
	require.InDelta(t, 3*0.5+2, job.Seconds, 1e-6)
	require.InEpsilon(t, (3*0.5+2)*rate*2, job.Bytes, 0.1)
	file, names := written(t, x, "wav")
	require.Equal(t, "The Kettle.zip", file.Name)
	require.Equal(t, []string{"01 - One.wav", "02 - Two.wav"}, names)
	require.Equal(t, time.Unix(1, 0), file.Created)
}

// TestNamesOfChapters are accepted by every system, and no two are the same on one that ignores case.
func TestNamesOfChapters(t *testing.T) {
	long := strings.Repeat("Grüße ", 50)
	x := export(t, "CON", "Rain", "RAIN", "rain", "con", "nul.txt", "../../etc/passwd", `a\b:c*d`, long, long, "")
	file, names := written(t, x, "wav")
	require.Equal(t, "_CON.zip", file.Name)
	require.Len(t, names, len(x.Chapters))
	seen := map[string]bool{}
	for _, name := range names {
		require.False(t, seen[strings.ToLower(name)], name)
		seen[strings.ToLower(name)] = true
		require.LessOrEqual(t, len(name), 255)
		require.Equal(t, filepath.Base(name), name)
		require.NotContains(t, name, `\`)
	}
}

// TestCoverOfTheFile: a book is exported without a cover that was damaged, is gone, or is too large.
func TestCoverOfTheFile(t *testing.T) {
	for name, content := range map[string]string{
		"damaged": "no picture", "50 MB": "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 50_000_000), "gone": "",
	} {
		x := export(t, "The Kettle", "One")
		x.Cover = filepath.Join(t.TempDir(), "cover.png")
		if content != "" {
			require.NoError(t, os.WriteFile(x.Cover, []byte(content), 0o600))
		}
		file, _ := written(t, x, "m4b")
		require.Equal(t, "The Kettle.m4b", file.Name)
		info, err := os.Stat(file.Path)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(1_000_000), name)
	}
}

// TestBooksThatCannotBeExported say why, and leave nothing.
func TestBooksThatCannotBeExported(t *testing.T) {
	x := export(t, "The Kettle", "One", "Two")
	unfinished := backend.E(backend.CodeNotInProgress, "The chapter “Two” is not generated as it is now.", "Generate the book.")
	s, _ := service(t, x, unfinished)
	_, err := s.Prepare(t.Context(), "id", "m4b", 0)
	require.Equal(t, unfinished, err)
	s, temp := service(t, x, nil)
	_, err = s.Prepare(t.Context(), "id", "ogg", 0)
	require.ErrorContains(t, err, "Input should be one of: m4b")

	job, err := s.Prepare(t.Context(), "id", "m4b", 0)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = job.Write(ctx, func(float64) {})
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.NoError(t, os.Remove(x.Chapters[0].Files[0].Path))
	for _, format := range bookexport.Formats() {
		_, err = s.Prepare(t.Context(), "id", format, 0)
		require.Equal(t, backend.CodeAudioMissing, backend.CodeOf(err), format)
		require.NotEmpty(t, backend.AsError(err).Remedy)
	}
	t.Setenv("PATH", t.TempDir())
	_, err = job.Write(t.Context(), nil)
	require.Error(t, err)
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, left)
}

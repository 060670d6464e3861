// Package export makes files from the history: audio in other formats, subtitles, zip files of many generations, and
// the list of the history as CSV or JSON.
package export

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/subtitles"
)

// Store reads the history. Errors of Generation: generation_not_found.
type Store interface {
	Generation(ctx context.Context, id string) (backend.Generation, error)
	Generations(ctx context.Context, f backend.GenerationFilter) (backend.List[backend.GenerationHit], error)
}

// Encoder writes audio in other formats. Errors: runtime_missing, unsupported_media.
type Encoder interface {
	Ready(ctx context.Context, format string) error
	Export(ctx context.Context, from, to, format string, meta map[string]string, o audio.ExportOptions) error
	StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
}

// Options are what a Service is built from.
type Options struct {
	Store   Store
	Script  func(ctx context.Context, id string) (backend.ScriptWithTurns, error) // error: script_not_found
	Encoder Encoder
	TempDir string // for files that are needed until they were sent
	Now     func() time.Time
}

// Service exports. It is safe for concurrent use.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// source is what is exported: a generation, or the joined file of a script.
type source struct {
	id, path, format string
	seconds          float64
	param            string // under which errors have the id
	name             string // of the file, without extension
	created          time.Time
	tags             map[string]string
	spoken           func() (spoken, error)
	missing          *backend.Error // if its file does not exist
}

// Generation exports a finished generation as an audio file with metadata, or its chunk times as subtitles. format is
// one of backend.ExportFormats, "" for the generation's own. Subtitles have no use for o, whose Seconds need not be set.
// Errors: generation_not_found, audio_missing, runtime_missing, ValidationError for an unknown format.
func (s *Service) Generation(ctx context.Context, id, format string, o audio.ExportOptions) (backend.ExportedFile, error) {
	return s.current(ctx, format, o, func() (source, error) {
		g, err := s.o.Store.Generation(ctx, id)
		return source{
			id: g.ID, param: "generation_id", path: g.AudioPath, seconds: g.Duration, format: g.Format,
			name: g.FileName(), created: g.CreatedAt, tags: g.Tags(),
			spoken:  func() (spoken, error) { return generationSpeech(g) },
			missing: backend.E(backend.CodeAudioMissing, "The audio file of this generation is missing.", "Regenerate it."),
		}, err
	})
}

// current exports what read returns, and again where its file was replaced during the export, by another take or another text.
func (s *Service) current(
	ctx context.Context, format string, o audio.ExportOptions, read func() (source, error),
) (backend.ExportedFile, error) {
	from, err := read()
	for err == nil {
		out, failure := s.export(ctx, from, format, o)
		if failure == nil {
			return out, nil
		}
		before := from.path
		if from, err = read(); err == nil && from.path == before {
			return out, withID(failure, from.param, from.id)
		}
	}
	return backend.ExportedFile{}, err
}

// withID adds a param to an error with a code.
func withID(err error, param, id string) error {
	var known *backend.Error
	if errors.As(err, &known) {
		return known.With(param, id)
	}
	return err
}

// export writes the source in a format, "" for its own.
func (s *Service) export(ctx context.Context, from source, format string, o audio.ExportOptions) (backend.ExportedFile, error) {
	if _, err := os.Stat(from.path); from.path == "" || errors.Is(err, fs.ErrNotExist) {
		return backend.ExportedFile{}, from.missing
	}
	if format == "" {
		format = from.format
	}
	if formats := backend.ExportFormats(); !slices.Contains(formats, format) {
		return backend.ExportedFile{}, backend.Invalid("enum", "Input should be "+or(formats), "query", "format")
	}
	out := backend.ExportedFile{Name: from.name + "." + format, Created: from.created, Close: func() {}}
	if format == from.format && format != backend.FormatWAV && o.AsMade() {
		out.Path = from.path // its tags were written with it
		return out, nil
	}
	var err error
	if out.Path, err = s.temp(from.id, format); err != nil {
		return backend.ExportedFile{}, err
	}
	out.Close = func() { _ = os.Remove(out.Path) }
	if err := s.write(ctx, from, format, o, out.Path); err != nil {
		out.Close()
		return backend.ExportedFile{}, err
	}
	return out, nil
}

// temp makes an empty file for an export, and closes it: Windows lets nobody replace a file that is open.
func (s *Service) temp(id, format string) (path string, err error) {
	f, err := os.CreateTemp(s.o.TempDir, id+".*."+format)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return "", backend.FileError("make the export file", "the data directory", err)
	}
	return f.Name(), nil
}

// or returns a list in words: "a, b or c".
func or(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

func (s *Service) write(ctx context.Context, from source, format string, o audio.ExportOptions, to string) error {
	switch format {
	case backend.FormatSRT:
		return writeCues(from, to, true, subtitles.WriteSRT)
	case backend.FormatVTT:
		return writeCues(from, to, false, subtitles.WriteVTT)
	}
	if err := s.o.Encoder.Ready(ctx, format); err != nil {
		return err
	}
	o.Seconds = from.seconds
	err := s.o.Encoder.Export(ctx, from.path, to, format, from.tags, o)
	if err == nil {
		return nil
	}
	if _, missing := os.Stat(from.path); errors.Is(missing, fs.ErrNotExist) { // deleted during the export
		return from.missing.WithCause(err)
	}
	return err
}

// writeCues writes subtitles; named puts the name of the speaker where it changes, in a format without speakers.
func writeCues(from source, path string, named bool, write func(io.Writer, []subtitles.Cue) error) error {
	said, err := from.spoken()
	if err != nil {
		return err
	}
	to, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return backend.FileError("write the export file", "the data directory", err)
	}
	return backend.FileError("write the export file", "the data directory", errors.Join(write(to, said.cues(named)), to.Close()))
}

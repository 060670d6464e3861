package speech

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
)

// Exported is a file to hand out; Close removes it when it was made for this.
type Exported struct {
	Path  string
	Name  string // what a person would call it
	Close func()
}

// finished is what can be exported: a generation, or the joined file of a script.
type finished struct {
	id, path, format string
	name             string // of the file, without extension
	tags             map[string]string
	cues             func() ([]text.Cue, error)
	gone             *backend.Error // what is said where its file is not there
}

// Export gives a finished generation as an audio file (wav, flac, mp3, opus, m4a) that says in its metadata what it is, or
// its chunk times as subtitles (srt, vtt).
// Errors: generation_not_found, audio_missing, runtime_missing, ValidationError for an unknown format.
func (s *Service) Export(ctx context.Context, id, format string) (Exported, error) {
	g, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return Exported{}, err
	}
	out, err := s.export(ctx, finished{
		g.ID, g.AudioPath, g.Format, fileName(g), tags(g), func() ([]text.Cue, error) { return cues(g, 0), nil },
		backend.E(backend.CodeAudioMissing, "The audio of this generation is gone.", "Make it again."),
	}, format)
	return out, naming(err, "generation_id", id)
}

// naming says in an error with a code what it is about.
func naming(err error, param, id string) error {
	var known *backend.Error
	if errors.As(err, &known) {
		return known.With(param, id)
	}
	return err
}

// export writes a sound in a format, "" for its own.
func (s *Service) export(ctx context.Context, of finished, format string) (Exported, error) {
	if _, err := os.Stat(of.path); of.path == "" || errors.Is(err, fs.ErrNotExist) {
		return Exported{}, of.gone
	}
	format = or(format, of.format)
	if !exportable(format) {
		return Exported{}, backend.Invalid("enum", "Input should be wav, flac, mp3, opus, m4a, srt or vtt", "query", "format")
	}
	out := Exported{Name: of.name + "." + format, Close: func() {}}
	if format == of.format && format != audio.FormatWAV {
		out.Path = of.path // it bears its tags since it was made
		return out, nil
	}
	temp, err := os.CreateTemp(s.unfinished(), of.id+".*."+format)
	if err != nil {
		return Exported{}, backend.FileError("make the export file", "the data directory", err)
	}
	out.Path, out.Close = temp.Name(), func() { _ = os.Remove(temp.Name()) }
	if err := errors.Join(s.exportTo(ctx, of, format, temp), temp.Close()); err != nil {
		out.Close()
		return Exported{}, err
	}
	return out, nil
}

func exportable(format string) bool {
	switch format {
	case audio.FormatWAV, audio.FormatFLAC, audio.FormatMP3, audio.FormatOpus, audio.FormatM4A, "srt", "vtt":
		return true
	}
	return false
}

func (s *Service) exportTo(ctx context.Context, of finished, format string, temp *os.File) error {
	write := text.WriteSRT
	switch format {
	case "srt":
	case "vtt":
		write = text.WriteVTT
	default:
		if err := s.o.Encoder.Ready(ctx, format); err != nil {
			return err
		}
		err := s.o.Encoder.Encode(ctx, of.path, temp.Name(), format, of.tags)
		if errors.Is(err, fs.ErrNotExist) { // removed since it was looked for
			return of.gone.Because(err)
		}
		return err
	}
	lines, err := of.cues()
	if err != nil {
		return err
	}
	return write(temp, lines)
}

// cues are the chunks of a generation that begins at a time, in seconds.
func cues(g backend.Generation, at float64) []text.Cue {
	out := make([]text.Cue, len(g.Chunks))
	for i, c := range g.Chunks {
		out[i] = text.Cue{Start: duration(at + c.Start), End: duration(at + c.End), Text: text.Plain(c.Text)}
	}
	return out
}

func duration(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// fileName makes a name, without extension, that every system takes.
func fileName(g backend.Generation) string {
	name := or(firstWords(g.Title, maxFileName), firstWords(g.Text, 40))
	return backend.FileName(name, g.ID)
}

// maxFileName is how many characters of a title a file name takes; 255 bytes is the usual limit of file systems.
const maxFileName = 60

// ExportZip writes many finished generations as one zip file; those without audio are left out and named in a text file.
// Errors: generation_not_found, runtime_missing.
func (s *Service) ExportZip(ctx context.Context, w io.Writer, ids []string, format string) error {
	out := zip.NewWriter(w)
	used := map[string]bool{}
	var missing []string
	for _, id := range ids {
		e, err := s.Export(ctx, id, format)
		if backend.CodeOf(err) == backend.CodeAudioMissing {
			missing = append(missing, id)
			continue
		}
		if err != nil {
			return err
		}
		err = addFile(out, freeName(used, e.Name), e.Path)
		e.Close()
		if err != nil {
			return err
		}
	}
	if len(missing) > 0 {
		note, err := out.Create("missing.txt")
		if err != nil {
			return fmt.Errorf("write the zip: %w", err)
		}
		if _, err := fmt.Fprintf(note, "Without audio, so not in here:\n%s\n", strings.Join(missing, "\n")); err != nil {
			return fmt.Errorf("write the zip: %w", err)
		}
	}
	return out.Close()
}

// ExportSize returns about how many bytes ExportZip needs on the disk: the files in it, and the largest once more, which is
// written before it goes in. What is not there counts nothing. Errors: those of the store, generation_not_found aside.
func (s *Service) ExportSize(ctx context.Context, ids []string, format string) (bytes int64, err error) {
	var sum, largest int64
	for _, id := range ids {
		g, err := s.o.Store.Generation(ctx, id)
		if backend.CodeOf(err) == backend.CodeGenerationNotFound {
			continue
		}
		if err != nil {
			return 0, err
		}
		var size int64
		switch info, err := os.Stat(g.AudioPath); {
		case format == "srt" || format == "vtt" || err != nil:
		case or(format, g.Format) == g.Format:
			size = info.Size()
		default: // no format is larger than WAV
			const highest = 48000 // Hz, at which Opus is decoded whatever it was made of
			size = max(info.Size(), 2*int64(g.Channels)*frames(g.Duration, max(g.SampleRate, highest)))
		}
		sum, largest = sum+size, max(largest, size)
	}
	return sum + largest, nil
}

// TempDir is the folder for files that are needed for a moment: on the disk of the audio, and emptied at each start.
func (s *Service) TempDir() string { return s.unfinished() }

// freeName numbers a name until no file has it; systems that ignore case must be able to unpack them all.
func freeName(used map[string]bool, wanted string) string {
	ext := filepath.Ext(wanted)
	name := wanted
	for n := 2; used[strings.ToLower(name)]; n++ {
		name = strings.TrimSuffix(wanted, ext) + " " + strconv.Itoa(n) + ext
	}
	used[strings.ToLower(name)] = true
	return name
}

func addFile(out *zip.Writer, name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read the export file: %w", err)
	}
	defer func() { _ = f.Close() }()
	w, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		return fmt.Errorf("write the zip: %w", err)
	}
	_, err = io.Copy(w, f)
	return err
}

// ExportIndex writes the list of the selected generations, as csv or json.
func (s *Service) ExportIndex(ctx context.Context, w io.Writer, f backend.GenerationFilter, format string) error {
	f.Limit = backend.MaxPageLimit
	write, end := jsonIndex(w)
	if format == "csv" {
		write, end = csvIndex(w)
	}
	for {
		page, err := s.o.Store.Generations(ctx, f)
		if err != nil {
			return err
		}
		for _, g := range page.Items {
			if err := write(g.Generation); err != nil {
				return fmt.Errorf("write the index: %w", err)
			}
		}
		if page.NextCursor == nil {
			return end()
		}
		f.Cursor = *page.NextCursor
	}
}

func csvIndex(w io.Writer) (write func(backend.Generation) error, end func() error) {
	out, cell := csv.NewWriter(w), backend.SpreadsheetCell
	header := []string{
		"id", "created_at", "profile_name", "engine", "model_name", "voice", "language", "duration", "status", "title",
		"text", "audio_path", "seed",
	}
	first := true
	write = func(g backend.Generation) error {
		if first {
			first = false
			if err := out.Write(header); err != nil {
				return err
			}
		}
		return out.Write([]string{
			g.ID, g.CreatedAt.Format(time.RFC3339), cell(g.ProfileName), cell(g.Engine), cell(g.ModelName), cell(g.Voice),
			cell(g.Language),
			strconv.FormatFloat(g.Duration, 'f', 3, 64), string(g.Status), cell(g.Title), cell(g.Text), g.AudioPath,
			strconv.FormatInt(g.Seed, 10),
		})
	}
	end = func() error {
		if first {
			if err := out.Write(header); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}
	return write, end
}

func jsonIndex(w io.Writer) (write func(backend.Generation) error, end func() error) {
	sep := "["
	write = func(g backend.Generation) error {
		raw, err := json.Marshal(g)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n%s", sep, raw)
		sep = ","
		return err
	}
	end = func() error {
		if sep == "[" {
			_, err := io.WriteString(w, "[]\n")
			return err
		}
		_, err := io.WriteString(w, "\n]\n")
		return err
	}
	return write, end
}

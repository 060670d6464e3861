package transcribe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/engines"
)

// TempDir returns the folder for unfinished files: on the disk of the audio, and emptied at each start.
func (s *Service) TempDir() string {
	dir := filepath.Join(s.o.Dir, "unfinished")
	_ = os.MkdirAll(dir, 0o700) // creating a file in it reports the error
	return dir
}

// temp returns the path of the audio that a job transcribes: mono, 16-bit WAV at the rate of the engines.
func (s *Service) temp(j *job) string { return filepath.Join(s.TempDir(), j.id+".wav") }

// path returns the path of the stored audio of a transcript in a format.
func (s *Service) path(t backend.Transcript, format string) string {
	return filepath.Join(s.o.Dir, t.CreatedAt.UTC().Format("2006-01"), t.ID+"."+format)
}

// audio returns the path of the audio that a job transcribes, once it was read.
func (s *Service) audio(j *job) string {
	if j.own {
		return s.temp(j)
	}
	return j.snapshot().AudioPath
}

// readAudio decodes the audio of a job into its file, and returns its number of samples. The audio of a new transcript is
// stored at once: a run that fails, or is killed, can be repeated.
func (s *Service) readAudio(ctx context.Context, j *job) (samples int64, err error) {
	samples, err = s.decode(ctx, j)
	if err != nil || j.own {
		return samples, err
	}
	path := s.path(j.snapshot(), backend.FormatWAV)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, backend.FileError("make the folder of transcripts", "the data directory", err)
	}
	if err := files.Move(s.temp(j), path); err != nil {
		return 0, backend.FileError("store the audio", "the data directory", err)
	}
	err = s.move(ctx, j, func(t *backend.Transcript) { t.AudioPath, t.Duration = path, seconds(samples) })
	if err != nil {
		s.removeFile(path)
		return 0, err
	}
	s.discard(j.input)
	return samples, nil
}

// progressStep is how much audio is read between two messages about it.
const progressStep = 60 * engines.TranscriberRate

// decode writes the part of the source that a job transcribes to its temporary file.
func (s *Service) decode(ctx context.Context, j *job) (samples int64, err error) {
	f, err := os.OpenFile(s.temp(j), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, backend.FileError("store the audio", "the data directory", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w, err := audio.NewWAVWriter(f, engines.TranscriberRate, 1)
	if err != nil {
		return 0, backend.FileError("store the audio", "the data directory", err)
	}
	w.AllowLong()
	limits := s.newLimits()
	from, to := sampleAt(j.from), sampleAt(j.to)
	var read, shown int64
	err = s.o.Codecs.StreamMono(ctx, j.source, engines.TranscriberRate, func(block []float32) error {
		at := read
		read += int64(len(block))
		block = cut(block, at, from, to)
		if err := limits.take(ctx, len(block)); err != nil {
			return err
		}
		if err := w.Write(block); err != nil {
			return backend.FileError("store the audio", "the data directory", err)
		}
		if !j.own && read-shown >= progressStep {
			shown = read
			s.show(j, func(t *backend.Transcript) { t.Duration = seconds(read) })
		}
		if to > 0 && read >= to {
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, backend.FileError("store the audio", "the data directory", err)
	}
	return w.Frames(), nil
}

// limits are those of the audio of one transcription: small files can hold weeks of silence.
type limits struct {
	hours   float64 // 0 = no limit
	samples int64   // that were taken
	space   *files.Space
}

func (s *Service) newLimits() *limits {
	l := &limits{space: files.NewSpace(s.o.Free, s.o.Dir)}
	if s.o.MaxHours != nil {
		l.hours = s.o.MaxHours()
	}
	return l
}

// take counts samples that are about to be written. Errors: unsupported_media (too_long), insufficient_disk.
func (l *limits) take(ctx context.Context, samples int) error {
	if l.samples += int64(samples); l.hours > 0 && seconds(l.samples) > l.hours*3600 {
		e := audio.TooLong(l.hours)
		e.Remedy = "Use a shorter piece of it, or raise the limit in Settings (audio.max_hours)."
		return e
	}
	return l.space.Use(ctx, 2*int64(samples))
}

func sampleAt(seconds float64) int64 { return int64(seconds * engines.TranscriberRate) }

// cut returns the samples of a block that are in [from, to); at is the place of its first one, to 0 is the end.
func cut(block []float32, at, from, to int64) []float32 {
	end := int64(len(block))
	if to > 0 {
		end = min(end, max(to-at, 0))
	}
	return block[min(max(from-at, 0), end):end]
}

// keepAudio returns the path of the audio that stays with a finished transcript: as Opus, a tenth of the size, where ffmpeg
// can encode it, else as WAV. replaced is the file that is no longer needed once the transcript is stored: the WAV, or what
// keepSource stored.
func (s *Service) keepAudio(ctx context.Context, j *job) (path, replaced string, err error) {
	t := j.snapshot()
	if filepath.Ext(t.AudioPath) == "."+backend.FormatOpus {
		return t.AudioPath, "", nil
	}
	if s.o.Codecs.Ready(ctx, backend.FormatOpus) == nil {
		path = s.path(t, backend.FormatOpus)
		failed := s.o.Codecs.Encode(ctx, s.audio(j), path, backend.FormatOpus, nil)
		if failed == nil {
			return path, t.AudioPath, nil
		}
		s.removeFile(path)
		if ctx.Err() != nil {
			return t.AudioPath, "", backend.ErrCancelled.WithCause(failed)
		}
		s.o.Log.Warn("compress the audio of a transcript", "id", j.id, "error", failed)
	}
	if !j.own {
		return t.AudioPath, "", nil
	}
	path, replaced = s.path(t, backend.FormatWAV), t.AudioPath
	if filepath.Ext(t.AudioPath) == "."+backend.FormatWAV {
		path, replaced = t.AudioPath, ""
	}
	if err := files.Move(s.temp(j), path); err != nil {
		s.o.Log.Warn("store the audio of a transcript as WAV", "id", j.id, "error", err)
		return t.AudioPath, "", nil
	}
	return path, replaced, nil
}

// plainFormat matches the ends of file names that are kept.
var plainFormat = regexp.MustCompile(`^[a-z0-9]{1,8}$`)

// keepSource stores the file of a job that was interrupted before its audio was read, so that it can be transcribed again. Where
// it has to be copied, it takes no longer than Close.
func (s *Service) keepSource(j *job) {
	t := j.snapshot()
	if t.AudioPath != "" || j.own {
		return
	}
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(j.source), "."))
	if !plainFormat.MatchString(format) {
		format = "audio"
	}
	path := s.path(t, format)
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.Link(j.source, path)
	}
	if err != nil {
		_, _, err = files.Copy(s.leaving, j.source, path, 0o600)
	}
	if err != nil {
		s.o.Log.Warn("store the audio of a transcript", "id", j.id, "error", err)
		return
	}
	j.set(func(t *backend.Transcript) { t.AudioPath = path })
}

// removeTemp removes the temporary file of a job.
func (s *Service) removeTemp(j *job) { s.removeFile(s.temp(j)) }

// removeAudio removes the stored audio of a transcript.
func (s *Service) removeAudio(t backend.Transcript) { s.removeFile(t.AudioPath) }

// removeFile removes a file if there is one.
func (s *Service) removeFile(path string) {
	if path == "" {
		return
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.o.Log.Warn("remove the audio of a transcript", "error", err)
	}
}

// fill reads samples until the buffer is full or the audio ends.
func fill(w *audio.WAVReader, buffer []float32) (n int, end bool, err error) {
	for n < len(buffer) {
		m, err := w.Read(buffer[n:])
		if errors.Is(err, io.EOF) {
			return n, true, nil
		}
		if err != nil {
			return n, false, fmt.Errorf("read the stored audio: %w", err)
		}
		n += m
	}
	return n, false, nil
}

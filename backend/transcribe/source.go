package transcribe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/transcribe/internal/channels"
	"github.com/voicewright/voicewright/engines"
)

// readAudio decodes the audio of a job into its file, and returns its number of samples. The audio of a new transcript is
// stored at once: a run that fails, or is killed, can be repeated.
func (s *Service) readAudio(ctx context.Context, j *job) (samples int64, err error) {
	var meter channels.Meter
	samples, err = s.decode(ctx, j, meter.Write)
	if err != nil || j.again {
		return samples, err
	}
	heard, stereo := meter.Result()
	if j.own && !stereo { // the source was heard before, or was mono
		return samples, nil
	}
	keep := func(t *backend.Transcript) {
		if t.Channels, t.ChannelTurns = nil, heard.Turns; stereo {
			t.Channels = &backend.Channels{Separate: heard.Separate}
		}
	}
	if j.own {
		return samples, s.move(ctx, j, keep)
	}
	path := s.folder.path(j.snapshot(), backend.FormatWAV)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, backend.FileError("make the folder of transcripts", "the data directory", err)
	}
	if err := files.Move(s.folder.temp(j), path); err != nil {
		return 0, backend.FileError("store the audio", "the data directory", err)
	}
	err = s.move(ctx, j, func(t *backend.Transcript) {
		t.AudioPath, t.Duration = path, seconds(samples)
		keep(t)
	})
	if err != nil {
		s.folder.removeFile(path)
		return 0, err
	}
	s.sources.discard(j.input)
	return samples, nil
}

// progressStep is how much audio is read between two messages about it.
const progressStep = 60 * engines.TranscriberRate

// decode writes the part of the source that a job transcribes to its temporary file. hear is called with its channels.
func (s *Service) decode(ctx context.Context, j *job, hear audio.Listener) (samples int64, err error) {
	f, err := os.OpenFile(s.folder.temp(j), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, backend.FileError("store the audio", "the data directory", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w, err := audio.NewWAVWriter(f, engines.TranscriberRate, 1)
	if err != nil {
		return 0, backend.FileError("store the audio", "the data directory", err)
	}
	w.AllowLong()
	limits := s.folder.newLimits()
	from, to := sampleAt(j.from), sampleAt(j.to)
	var read, shown int64
	err = s.o.Codecs.StreamMixed(ctx, j.source, engines.TranscriberRate, hear, func(block []float32) error {
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
		path = s.folder.path(t, backend.FormatOpus)
		failed := s.folder.compress(ctx, j, path)
		if failed == nil {
			return path, t.AudioPath, nil
		}
		s.folder.removeFile(path)
		if ctx.Err() != nil {
			return t.AudioPath, "", backend.ErrCancelled.WithCause(failed)
		}
		s.o.Log.Warn("compress the audio of a transcript", "id", j.id, "error", failed)
	}
	if !j.own {
		return t.AudioPath, "", nil
	}
	path, replaced = s.folder.path(t, backend.FormatWAV), t.AudioPath
	if filepath.Ext(t.AudioPath) == "."+backend.FormatWAV {
		path, replaced = t.AudioPath, ""
	}
	if err := files.Move(s.folder.temp(j), path); err != nil {
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
	path := s.folder.path(t, format)
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

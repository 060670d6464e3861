package maker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// hostedFile is the finished file of a hosted generation.
type hostedFile struct {
	speech.File
	rate, channels int
	frames         int64
	chunks         []backend.Chunk
}

func (f hostedFile) seconds() float64 { return audio.Seconds(f.frames, f.rate) }

// assemble makes the file of a generation from its parts in TempDir, and removes it unless store moves it. One part in the wanted
// format is kept as it was received.
func (s *Maker) assemble(ctx context.Context, j *generations.Job, parts []backend.HostedAudio, store func(hostedFile) error) error {
	path := filepath.Join(s.synth.TempDir(), generations.FileName(j.Row))
	defer func() { _ = os.Remove(path) }()
	file, err := s.assembleAt(ctx, j, parts, path)
	if err != nil {
		return err
	}
	file.Path = path
	if file.SHA256, err = files.SHA256(ctx, path); err != nil {
		return backend.FileError("read the audio", "the data directory", err)
	}
	return store(file)
}

func (s *Maker) assembleAt(ctx context.Context, j *generations.Job, parts []backend.HostedAudio, path string) (hostedFile, error) {
	if j.Row.Format == backend.FormatMP3 && allMP3(parts) {
		return joinMP3(ctx, j, parts, path)
	}
	wav := path
	if j.Row.Format != backend.FormatWAV {
		wav = path + ".wav"
		defer func() { _ = os.Remove(wav) }()
	}
	file, err := s.joinSamples(ctx, j, parts, wav)
	if err == nil && wav != path {
		err = s.o.Encoder.Encode(ctx, wav, path, j.Row.Format, j.Row.Tags())
	}
	return file, err
}

func allMP3(parts []backend.HostedAudio) bool {
	for _, p := range parts {
		if receivedAs(p.Format) != backend.FormatMP3 {
			return false
		}
	}
	return true
}

// joinMP3 writes one part as it was received, and several by their frames.
func joinMP3(ctx context.Context, j *generations.Job, parts []backend.HostedAudio, path string) (file hostedFile, err error) {
	texts, end := j.Hosted.Texts(), j.Hosted.Script.End
	if len(parts) == 1 && texts[0].Pause == 0 && end == 0 {
		return keepMP3(ctx, texts[0].Text, parts[0].Path, path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return file, backend.FileError("make the audio file", "the data directory", err)
	}
	defer func() { err = backend.FileError("write the audio", "the data directory", errors.Join(err, f.Close())) }()
	in := make([]audio.MP3Part, len(parts))
	for i, p := range parts {
		in[i] = audio.MP3Part{Path: p.Path, Pause: texts[i].Pause}
	}
	joined, err := audio.JoinMP3(ctx, f, in, end)
	if err != nil {
		return file, err
	}
	file.rate, file.channels, file.frames = joined.Rate, joined.Channels, joined.Frames
	for i, span := range joined.Spans {
		file.chunks = append(file.chunks, backend.Chunk{
			Text: texts[i].Text, Start: audio.Seconds(span.Start, joined.Rate), End: audio.Seconds(span.End, joined.Rate), Takes: 1,
		})
	}
	return file, nil
}

// keepMP3 copies a file byte for byte.
func keepMP3(ctx context.Context, text, from, path string) (file hostedFile, err error) {
	if _, _, err := files.Copy(ctx, from, path, 0o600); err != nil {
		return file, backend.FileError("copy the audio", "the data directory", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return file, backend.FileError("read the audio", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	info, err := audio.ProbeMP3(f)
	if err != nil {
		return file, err
	}
	file.rate, file.channels, file.frames = info.Rate, info.Channels, info.Frames
	file.chunks = []backend.Chunk{{Text: text, End: file.seconds(), Takes: 1}}
	return file, nil
}

// joinSamples writes the samples of all parts, with the silence between them, as a WAV file.
func (s *Maker) joinSamples(
	ctx context.Context, j *generations.Job, parts []backend.HostedAudio, path string,
) (file hostedFile, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return file, backend.FileError("make the audio file", "the data directory", err)
	}
	defer func() { err = backend.FileError("write the audio", "the data directory", errors.Join(err, f.Close())) }()
	var w *audio.WAVWriter
	for i, t := range j.Hosted.Texts() {
		err := s.readHosted(ctx, parts[i], func(rate, channels int, samples []float32) (err error) {
			if w == nil {
				file.rate, file.channels = rate, channels
				if w, err = audio.NewWAVWriter(f, rate, channels); err != nil {
					return err
				}
			}
			if rate != file.rate || channels != file.channels {
				return errMixedParts
			}
			if len(file.chunks) == i {
				if err := writeSilence(w, t.Pause, rate, channels); err != nil {
					return err
				}
				file.chunks = append(file.chunks, backend.Chunk{Text: t.Text, Start: audio.Seconds(w.Frames(), rate), Takes: 1})
			}
			return w.Write(samples)
		})
		if err != nil {
			return file, err
		}
		if len(file.chunks) == i {
			return file, errNoSamples
		}
		file.chunks[i].End = audio.Seconds(w.Frames(), file.rate)
	}
	if err := writeSilence(w, j.Hosted.Script.End, file.rate, file.channels); err != nil {
		return file, err
	}
	file.frames = w.Frames()
	return file, w.Close()
}

var (
	errMixedParts = backend.E(backend.CodeHostedBadAnswer, "The hosted service sent the parts of this text in different formats.",
		"Regenerate it, or choose another format.")
	errNoSamples = backend.E(backend.CodeHostedBadAnswer, "The hosted service sent audio without sound.",
		"Retry it later, or choose another voice.")
)

// block is how many samples are read at a time.
const block = 1 << 14

// writeSilence appends a pause.
func writeSilence(w *audio.WAVWriter, pause time.Duration, rate, channels int) error {
	return audio.Silence(pause, rate, channels, w.Write)
}

// readHosted calls emit with the samples of a part, block by block.
func (s *Maker) readHosted(
	ctx context.Context, part backend.HostedAudio, emit func(rate, channels int, samples []float32) error,
) error {
	path := part.Path
	if receivedAs(part.Format) == backend.FormatMP3 {
		path = filepath.Join(s.synth.TempDir(), s.o.NewID()+".wav")
		defer func() { _ = os.Remove(path) }()
		if err := s.o.Encoder.DecodeFile(ctx, part.Path, path, 0); err != nil {
			return err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return backend.FileError("read the audio", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	var in io.Reader = f
	if path == part.Path {
		if in, err = pcmAsWAV(f, part.Format); err != nil {
			return err
		}
	}
	r, err := audio.NewWAVReader(in)
	if err != nil {
		return err
	}
	buffer := make([]float32, block/r.Channels()*r.Channels())
	for {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		n, err := r.Read(buffer)
		if n > 0 {
			if err := emit(r.Rate(), r.Channels(), buffer[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the audio: %w", err)
		}
	}
}

// pcmRate returns the rate in Hz of raw samples, which are 16-bit mono.
func pcmRate(format string) (int, error) {
	rate, err := strconv.Atoi(strings.TrimPrefix(format, "pcm_"))
	if err != nil || rate <= 0 {
		return 0, backend.E(backend.CodeHostedBadAnswer, "The hosted service sent audio in an unknown format.",
			"Choose another format.").With("format", format)
	}
	return rate, nil
}

// pcmAsWAV returns raw samples of the service, which are 16-bit little-endian mono, as a WAV stream.
func pcmAsWAV(f *os.File, format string) (io.Reader, error) {
	rate, err := pcmRate(format)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, backend.FileError("read the audio", "the data directory", err)
	}
	size := info.Size() / 2 * 2
	if size > speech.MaxWAVBytes {
		return nil, audio.ErrTooLong
	}
	return io.MultiReader(strings.NewReader(string(audio.WAVHeader(rate, 1, uint32(size)))), io.LimitReader(f, size)), nil
}

// hostedSeconds returns the length of a part in seconds, 0 where it cannot be read.
func hostedSeconds(part backend.HostedAudio) float64 {
	f, err := os.Open(part.Path)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	if receivedAs(part.Format) == backend.FormatMP3 {
		info, err := audio.ProbeMP3(f)
		if err != nil {
			return 0
		}
		return audio.Seconds(info.Frames, info.Rate)
	}
	rate, err := pcmRate(part.Format)
	info, statErr := f.Stat()
	if err != nil || statErr != nil {
		return 0
	}
	return audio.Seconds(info.Size()/2, rate)
}

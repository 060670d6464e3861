package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/voicewright/voicewright/backend"
)

// errNoAudio is about a file without an audio track, or with one that has no samples.
var errNoAudio = backend.E(backend.CodeUnsupportedMedia, "The file contains no audio.",
	"Choose an audio file, or a video that has an audio track.")

// StreamMono calls emit with the audio of a file, piece by piece, as one channel at rate Hz, see Mono; emit must not keep
// the samples. Files of any length and their number of samples is round(n*rate/own rate); memory stays flat. WAV files that
// NewWAVReader reads and MP3 files need no ffmpeg; of a video, the first audio track is read. A file that is cut off is read as far as it
// goes, a file that grows to the end that it had at first.
// Errors: that of emit; runtime_missing without ffmpeg; unsupported_media for a file that has no audio, is protected against
// copying, is damaged or not a file; not_found; not_permitted; backend.ErrCancelled soon after ctx ends. Pieces may have been
// emitted before an error.
func (c *Codecs) StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error {
	return c.StreamMixed(ctx, path, rate, nil, emit)
}

// StreamMixed is StreamMono that calls hear, if it is not nil, with the interleaved samples of the file before they become one channel.
func (c *Codecs) StreamMixed(ctx context.Context, path string, rate int, hear Listener, emit func(samples []float32) error) error {
	if rate < MinRate || rate > MaxRate {
		return fmt.Errorf("stream audio: a rate of %d Hz", rate)
	}
	f, size, err := openMedia(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	w, err := NewWAVReader(io.LimitReader(f, size))
	if isClass(err, ClassNotWAV, ClassUnsupported) {
		return c.stream(ctx, path, conversion{}, func(w source) error { return streamMono(ctx, w, rate, hear, emit) })
	}
	if err != nil {
		return err
	}
	return streamMono(ctx, w, rate, hear, emit)
}

// Listener hears audio at a rate in Hz; it must not keep the samples.
type Listener func(rate, channels int, samples []float32)

// streamMono calls emit with all of w as one channel at rate Hz, see StreamMixed.
func streamMono(ctx context.Context, w source, rate int, hear Listener, emit func([]float32) error) error {
	r := newResampler(w.Rate(), rate, emit)
	m := newMixer(w.Rate(), w.Channels(), r.write)
	block := make([]float32, decodeBlock/w.Channels()*w.Channels())
	for empty := true; ; empty = false {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		n, err := w.Read(block)
		switch {
		case errors.Is(err, io.EOF) && empty:
			return errNoAudio
		case errors.Is(err, io.EOF):
			if err := m.close(); err != nil {
				return err
			}
			return r.close()
		case err != nil:
			return err
		}
		if hear != nil {
			hear(w.Rate(), w.Channels(), block[:n])
		}
		if err := m.write(block[:n]); err != nil {
			return err
		}
	}
}

// openMedia opens a regular file and returns its size: a pipe would block, or never end. Errors: not_found, not_permitted,
// unsupported_media for anything else and for an empty file.
func openMedia(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, backend.E(backend.CodeNotFound, "The audio file does not exist.", "Check its path.").WithCause(err)
	}
	if err != nil {
		return nil, 0, backend.FileError("open audio", "the audio file", err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, backend.E(backend.CodeUnsupportedMedia, "This is not a file.", "Choose an audio or video file.")
	}
	if info.Size() == 0 {
		return nil, 0, errNoAudio
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, backend.FileError("open audio", "the audio file", err)
	}
	return f, info.Size(), nil
}

package audiobook

import (
	"context"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
)

// Options are how a book is written. The zero value is the usual quality.
type Options struct {
	BitRate  int                 // kbit/s of lossy formats, up to MaxBitRate; 0 = the usual one
	Progress func(share float64) // is told how much is done, 0 to 1, which never goes down; nil = nobody asks
}

// WriteM4B writes the book as one m4b file, which appears complete or not at all. Players begin at once, as its index comes first.
// Errors: runtime_missing without an ffmpeg that writes it; audio_missing for a book without audio; not_found or unsupported_media for
// a file of the book that is gone or has changed; insufficient_disk; backend.ErrCancelled soon after ctx ends.
func (l Layout) WriteM4B(ctx context.Context, dst string, o Options) error {
	if len(l.chapters) == 0 {
		return errEmpty
	}
	target := audio.Target{
		Format: audio.FormatM4B, Rate: l.rate, Channels: 1, BitRate: min(o.BitRate, MaxBitRate),
		Language: threeLetters(l.book.Meta.Language), Chapters: l.Chapters(), Frames: l.frameCount(),
	}
	done := l.progress(o)
	return place(dst, func(temp string) error {
		err := l.codecs.EncodeFrom(ctx, temp, target, func(emit func([]float32) error) error {
			for _, c := range l.chapters {
				if err := l.emit(ctx, c, done(emit)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return withMeta(ctx, temp, l.metaBox())
	})
}

// errEmpty is about a book of which nothing was spoken.
var errEmpty = backend.E(backend.CodeAudioMissing, "The book has no audio yet.", "Generate its chapters first.")

// withMeta adds metadata to a file.
func withMeta(ctx context.Context, path string, meta []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err = addMeta(ctx, f, meta); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// place replaces dst with the file that write writes. Only the user may read it.
func place(dst string, write func(temp string) error) error {
	return backend.FileError("write a book", "the exported file", files.Place(dst, func(temp string) error {
		if err := os.WriteFile(temp, nil, 0o600); err != nil { // for its mode, and for the error of the system
			return err
		}
		return write(temp)
	}))
}

// progress returns what counts the samples that are emitted, and reports them.
func (l Layout) progress(o Options) func(emit func([]float32) error) func([]float32) error {
	var written int64
	total := max(1, l.frameCount())
	return func(emit func([]float32) error) func([]float32) error {
		return func(samples []float32) error {
			if len(samples) == 0 {
				return nil
			}
			err := emit(samples)
			if written += int64(len(samples)); o.Progress != nil && err == nil {
				o.Progress(float64(written) / float64(total))
			}
			return err
		}
	}
}

// block is how many samples of silence are emitted at a time.
const block = 16 << 10

// emit emits the audio of a chapter, as many samples as were measured.
func (l Layout) emit(ctx context.Context, c chapter, emit func([]float32) error) error {
	for _, one := range c.clips {
		if err := silence(ctx, one.before, emit); err != nil {
			return err
		}
		if err := l.emitClip(ctx, one, emit); err != nil {
			return err
		}
		if err := silence(ctx, one.after, emit); err != nil {
			return err
		}
	}
	return nil
}

func (l Layout) emitClip(ctx context.Context, c clip, emit func([]float32) error) error {
	level, end := leveled(c.Gain, l.rate)
	left := c.frames
	err := l.codecs.StreamMono(ctx, c.Path, l.rate, func(samples []float32) error {
		if left -= int64(len(samples)); left < 0 {
			return errChanged
		}
		return emit(level(samples))
	})
	if err == nil && left > 0 {
		err = errChanged
	}
	if err != nil {
		return err
	}
	return emit(end())
}

// leveled returns what raises or lowers samples by a linear gain, and what returns the last of them at the end.
func leveled(gain float64, rate int) (level func([]float32) []float32, end func() []float32) {
	none := func() []float32 { return nil }
	switch {
	case gain == 0 || gain == 1:
		return func(samples []float32) []float32 { return samples }, none
	case gain > 1:
		limiter := audio.NewLimiter(rate, 1, gain, audio.CeilingDBTP)
		return limiter.Write, limiter.Close
	}
	var lowered []float32
	return func(samples []float32) []float32 {
		lowered = lowered[:0]
		for _, x := range samples {
			lowered = append(lowered, float32(float64(x)*gain))
		}
		return lowered
	}, none
}

// errChanged is about a file that has another length than it had when the chapters were measured: their starts would be wrong.
var errChanged = backend.E(backend.CodeUnsupportedMedia, "The audio of a chapter changed during the export.", "Export the book again.").
	With("reason", "book_changed")

// silence emits n samples of silence.
func silence(ctx context.Context, n int64, emit func([]float32) error) error {
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		samples := make([]float32, min(n, block))
		if err := emit(samples); err != nil {
			return err
		}
		n -= int64(len(samples))
	}
	return nil
}

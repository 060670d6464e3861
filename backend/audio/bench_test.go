package audio_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

// Each benchmark uses ten seconds of audio; bytes are those of 16-bit PCM.

func BenchmarkResample44100To24000(b *testing.B) { benchResample(b, 44100, 24000) }
func BenchmarkResample22050To16000(b *testing.B) { benchResample(b, 22050, 16000) }
func BenchmarkResample24000To48000(b *testing.B) { benchResample(b, 24000, 48000) }

func benchResample(b *testing.B, from, to int) {
	in := sine(10*from, from, 440, 0.5, 0)
	b.SetBytes(int64(2 * len(in)))
	for b.Loop() {
		audio.Resample(in, from, to)
	}
}

func BenchmarkMeter(b *testing.B) {
	in := sine(10*24000, 24000, 440, 0.5, 0)
	m := audio.NewMeter(24000, 1)
	b.SetBytes(int64(2 * len(in)))
	for b.Loop() {
		m.Write(in)
	}
}

func BenchmarkWAVWriter(b *testing.B) {
	in := sine(10*24000, 24000, 440, 0.5, 0)
	f, err := os.Create(filepath.Join(b.TempDir(), "a.wav"))
	require.NoError(b, err)
	defer func() { _ = f.Close() }()
	b.SetBytes(int64(2 * len(in)))
	for b.Loop() {
		_, err := f.Seek(0, io.SeekStart)
		require.NoError(b, err)
		w, err := audio.NewWAVWriter(f, 24000, 1)
		require.NoError(b, err)
		require.NoError(b, w.Write(in))
		require.NoError(b, w.Close())
	}
}

func BenchmarkStretch(b *testing.B) {
	in := sine(10*24000, 24000, 440, 0.5, 0)
	b.SetBytes(int64(2 * len(in)))
	for b.Loop() {
		stretch(b, in, 24000, 1.25)
	}
}

func BenchmarkJoiner(b *testing.B) {
	in := sine(10*24000, 24000, 440, 0.5, 0)
	b.SetBytes(int64(2 * len(in)))
	for b.Loop() {
		j := audio.NewJoiner(24000, 1, 0, func([]float32) error { return nil })
		require.NoError(b, j.Start())
		for s := in; len(s) > 0; s = s[2400:] {
			require.NoError(b, j.Write(s[:2400]))
		}
		require.NoError(b, j.Close())
	}
}

func BenchmarkMeterSpeech(b *testing.B) {
	in := readClip(b, "LJ001-0001.wav")
	b.SetBytes(int64(2 * len(in.Samples)))
	for b.Loop() {
		audio.NewMeter(in.Rate, 1).Write(in.Samples)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(in.Samples)), "ns/sample")
}

// BenchmarkLevel brings an hour of speech to its level; the seconds are those that levelling adds to an hour of audio, in
// addition to reading and writing it.
func BenchmarkLevel(b *testing.B) {
	clip := readClip(b, "LJ001-0001.wav")
	copies := int(time.Hour/clip.Duration()) + 1
	for b.Loop() {
		trace := audio.NewTrace(clip.Rate, 1)
		var pairs []float32
		for range copies {
			pairs = append(pairs, trace.Write(clip.Samples)...)
		}
		level, err := trace.Level(audio.TargetLUFS, audio.CeilingDBTP, func(emit func([]float32) error) error { return emit(pairs) })
		require.NoError(b, err)
		limiter := audio.NewLimiter(clip.Rate, 1, level.Gain, audio.CeilingDBTP)
		for range copies {
			limiter.Write(clip.Samples)
		}
	}
}

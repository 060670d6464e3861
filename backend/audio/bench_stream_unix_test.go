//go:build unix

package audio_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// BenchmarkStreamMono reads ten minutes of stereo at 44.1 kHz as mono at 16 kHz. x-real-time is seconds of audio per second of
// processor time, that of ffmpeg included.
func BenchmarkStreamMono(b *testing.B) {
	clip := readClip(b, "LJ001-0001.wav").Resampled(44100)
	const minutes = 10
	var samples []float32
	for range int(minutes*time.Minute/clip.Duration()) + 1 {
		samples = append(samples, stereo(clip.Samples, clip.Samples)...)
	}
	wav := writeWAV(b, clip.Rate, 2, samples)
	files := map[string]string{"wav": wav}
	codecs := audio.FindCodecs()
	for _, format := range []string{"mp3", "flac"} {
		files[format] = filepath.Join(b.TempDir(), "a."+format)
		require.NoError(b, codecs.Encode(b.Context(), wav, files[format], format, nil))
	}
	for format, path := range files {
		b.Run(format, func(b *testing.B) {
			before, childrenBefore := enginetest.ProcessorTime()
			for b.Loop() {
				require.NoError(b, codecs.StreamMono(b.Context(), path, 16000, func([]float32) error { return nil }))
			}
			after, childrenAfter := enginetest.ProcessorTime()
			length := float64(len(samples)) / 2 / float64(clip.Rate)
			b.ReportMetric(float64(b.N)*length/(after-before+childrenAfter-childrenBefore), "x-real-time")
		})
	}
}

// BenchmarkMemoryStreamMono reads three hours of audio; MB is how much more memory is in use meanwhile than before.
func BenchmarkMemoryStreamMono(b *testing.B) {
	wav := longWAV(b, 3*time.Hour, 22050)
	flac := filepath.Join(b.TempDir(), "long.flac")
	codecs := audio.FindCodecs()
	require.NoError(b, codecs.Encode(b.Context(), longWAV(b, 3*time.Hour, 8000), flac, "flac", nil))
	for _, path := range []string{wav, flac} {
		b.Run(strings.TrimPrefix(filepath.Ext(path), "."), func(b *testing.B) {
			debug.FreeOSMemory() // what other benchmarks left
			before := enginetest.Resident(b)
			highest := before
			for b.Loop() {
				blocks := 0
				require.NoError(b, codecs.StreamMono(b.Context(), path, 16000, func([]float32) error {
					if blocks++; blocks%500 == 0 {
						highest = max(highest, enginetest.Resident(b))
					}
					return nil
				}))
			}
			b.ReportMetric(float64(highest-before)/1e6, "MB")
		})
	}
}

// longWAV makes a WAV file of silence, which takes no space on most disks.
func longWAV(t testing.TB, length time.Duration, rate int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "long.wav")
	bytes := int64(length.Seconds()) * int64(rate) * 2
	header := audio.WAVHeader(rate, 1, uint32(bytes))
	require.NoError(t, os.WriteFile(path, header, 0o600))
	require.NoError(t, os.Truncate(path, int64(len(header))+bytes))
	return path
}

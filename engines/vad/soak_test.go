//go:build soak && unix

package vad_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/vad"
)

// maxGrowth is how much more memory hours of audio may take than its first ten minutes, in bytes.
const maxGrowth = 16 << 20

// TestSoakSilence decodes, resamples and examines hours of silence, as WAV and as a compressed file: no speech, and no more
// memory for twelve hours than for three.
func TestSoakSilence(t *testing.T) {
	d := newDetector(t)
	codecs := audio.FindCodecs()
	for _, c := range []struct {
		name       string
		length     time.Duration
		rate       int
		compressed bool
	}{
		{"3 hours", 3 * time.Hour, 44100, false},
		{"3 hours as FLAC", 3 * time.Hour, 8000, true},
		{"12 hours", 12 * time.Hour, 44100, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "silence.wav")
			bytes := int64(c.length.Seconds()) * int64(c.rate) * 2
			header := audio.WAVHeader(c.rate, 1, uint32(bytes))
			require.NoError(t, os.WriteFile(path, header, 0o600))
			require.NoError(t, os.Truncate(path, int64(len(header))+bytes)) // zeros that take no space on most disks
			if c.compressed {
				flac := filepath.Join(t.TempDir(), "silence.flac")
				require.NoError(t, codecs.Encode(t.Context(), path, flac, "flac", nil))
				path = flac
			}
			it, err := d.Iterator(t.Context(), vad.Rate, vad.Defaults())
			require.NoError(t, err)
			defer it.Close()
			var samples, shown, first, highest int64
			begun, _ := enginetest.ProcessorTime()
			err = codecs.StreamMono(t.Context(), path, vad.Rate, func(block []float32) error {
				events, err := it.Write(t.Context(), block)
				require.Empty(t, events)
				samples += int64(len(block))
				if samples-shown >= 600*vad.Rate {
					shown = samples
					used := enginetest.Resident(t)
					if first == 0 {
						first = used
					}
					highest = max(highest, used)
				}
				return err
			})
			require.NoError(t, err)
			ended, children := enginetest.ProcessorTime()
			require.InDelta(t, c.length.Seconds()*vad.Rate, samples, 1)
			t.Logf("%.1f MB after ten minutes, %.1f MB at most; %.0f times real time (ffmpeg so far: %.1f s)",
				float64(first)/1e6, float64(highest)/1e6, c.length.Seconds()/(ended-begun), children)
			require.Less(t, highest-first, int64(maxGrowth), "bytes more than after ten minutes")
		})
	}
}

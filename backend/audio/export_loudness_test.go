package audio_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// voiceLike returns audio like a voice with high peaks, with pauses: pulses at 110 Hz that ring out, whose level changes.
func voiceLike(rate int, seconds float64) audio.Buffer {
	random := rand.New(rand.NewPCG(1, 2))
	b := audio.Buffer{Rate: rate, Channels: 1, Samples: make([]float32, int(seconds*float64(rate)))}
	period := rate / 110
	for i := range b.Samples {
		t := float64(i) / float64(rate)
		phase := float64(i%period) / float64(rate)
		loud := 0.3 + 0.25*math.Sin(2*math.Pi*2.3*t)
		if math.Mod(t, 1.7) > 1.3 {
			loud = 0
		}
		b.Samples[i] = float32(loud * (math.Exp(-phase*200)*math.Sin(2*math.Pi*700*phase) + 0.1*(random.Float64()-0.5)))
	}
	return b
}

// TestExportLoudness measures what was exported: its loudness is the target's, and its true peak at most -1 dB, also where an
// encoder moves the peaks.
func TestExportLoudness(t *testing.T) {
	t.Parallel()
	codecs := audio.FindCodecs()
	src := filepath.Join(t.TempDir(), "a.wav")
	f, err := os.Create(src)
	require.NoError(t, err)
	b := voiceLike(24000, 5)
	heard, err := audio.Normalize(t.Context(), b) // as generations are
	require.NoError(t, err)
	require.True(t, heard)
	w, err := audio.NewWAVWriter(f, b.Rate, b.Channels)
	require.NoError(t, err)
	require.NoError(t, w.Write(b.Samples))
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	for _, c := range []struct {
		format  string
		lufs    float64
		bitRate int
	}{
		{"wav", -14, 0},
		{"wav", -16, 0},
		{"wav", -19, 0},
		{"wav", -23, 0},
		{"flac", -14, 0},
		{"mp3", -14, 0},
		{"mp3", -14, 64},
		{"mp3", -23, 128},
		{"opus", -14, 24},
		{"m4a", -14, 0},
		{"m4a", -16, 48},
	} {
		dst := filepath.Join(t.TempDir(), "b."+c.format)
		require.NoError(t, codecs.Export(t.Context(), src, dst, c.format, map[string]string{"title": "a"}, audio.ExportOptions{LUFS: &c.lufs, BitRate: c.bitRate}))
		out, err := codecs.Decode(t.Context(), dst)
		require.NoError(t, err)
		m := audio.NewMeter(out.Rate, out.Channels)
		m.Write(out.Samples)
		lufs, ok := m.Integrated()
		require.True(t, ok)
		t.Logf("%s %v LUFS, %d kbit/s: %.2f LUFS, %.2f dBTP", c.format, c.lufs, c.bitRate, lufs, audio.ToDB(m.TruePeak()))
		require.InDelta(t, c.lufs, lufs, 0.3, "%v", c)
		require.LessOrEqual(t, audio.ToDB(m.TruePeak()), audio.CeilingDBTP+0.01, "%v", c)
		entries, err := os.ReadDir(filepath.Dir(dst))
		require.NoError(t, err)
		require.Len(t, entries, 1, "no temporary file is left")
	}
}

func TestExportBitRate(t *testing.T) {
	t.Parallel()
	codecs := audio.FindCodecs()
	src := filepath.Join(t.TempDir(), "a.wav")
	f, err := os.Create(src)
	require.NoError(t, err)
	b := voiceLike(44100, 2)
	w, err := audio.NewWAVWriter(f, b.Rate, b.Channels)
	require.NoError(t, err)
	require.NoError(t, w.Write(b.Samples))
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	for _, format := range []string{"mp3", "opus", "m4a"} {
		sizes := []int64{}
		for _, rate := range []int{32, 96, 320} {
			dst := filepath.Join(t.TempDir(), "b."+format)
			require.NoError(t, codecs.Export(t.Context(), src, dst, format, nil, audio.ExportOptions{BitRate: rate}))
			info, err := os.Stat(dst)
			require.NoError(t, err)
			sizes = append(sizes, info.Size())
		}
		require.Less(t, sizes[0], sizes[1], format)
		require.Less(t, sizes[1], sizes[2], format)
	}
	err = codecs.Export(t.Context(), src, filepath.Join(t.TempDir(), "b.doc"), "doc", nil, audio.ExportOptions{})
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
}

// The progress of an export never goes down and says before the end that a part is done.
func TestProgressOfExport(t *testing.T) {
	const minutes = 12
	header := audio.WAVHeader(16000, 1, minutes*60*16000*2)
	src := filepath.Join(t.TempDir(), "long.wav")
	require.NoError(t, os.WriteFile(src, header, 0o600))
	require.NoError(t, os.Truncate(src, int64(len(header))+minutes*60*16000*2))
	loud := -20.0
	for format, lufs := range map[string]*float64{"mp3": nil, "opus": &loud} {
		var shares []float64
		err := audio.FindCodecs().Export(t.Context(), src, filepath.Join(t.TempDir(), "a."+format), format, nil, audio.ExportOptions{
			LUFS: lufs, Seconds: minutes * 60, Progress: func(share float64) { shares = append(shares, share) },
		})
		require.NoError(t, err)
		require.NotEmpty(t, shares, format)
		require.True(t, slices.IsSorted(shares), "%s: %v", format, shares)
		require.Less(t, shares[0], 0.99, format)
		require.LessOrEqual(t, shares[len(shares)-1], 1.0, format)
	}
}

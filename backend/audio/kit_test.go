package audio_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// kit is cases.json: files and formulas with the results of other programs.
type kit struct {
	WAV []struct {
		File       string
		Expect     string
		Rate       int `json:"sample_rate"`
		Channels   int
		Frames     int
		Samples    string
		ErrorClass audio.Class `json:"error_class"`
	}
	Compressed []struct {
		File           string
		Codec          string
		Rate           int `json:"sample_rate"`
		Channels       int
		Delay          int     `json:"delay_frames_against_original"`
		Tolerance      float64 `json:"duration_tolerance_s"`
		MinCorrelation float64 `json:"min_correlation"`
	}
	Resample []struct {
		From, To int
		Sweep    struct {
			F0, F1, T, K float64
			Expected     string
		}
		Impulse struct {
			Length, At int
			PeakAt     float64 `json:"expected_peak_at"`
			Sum        float64 `json:"expected_sum"`
		}
	}
	Loudness []struct {
		Name   string
		FFmpeg struct {
			LUFS     string `json:"integrated_lufs"`
			TruePeak string `json:"true_peak_dbfs"`
		} `json:"ffmpeg_ebur128"`
		DeMan any `json:"pyloudnorm DeMan"`
	}
}

func loadKit(t testing.TB) kit {
	t.Helper()
	raw, err := os.ReadFile(kitFile(t, "cases.json"))
	require.NoError(t, err)
	var k kit
	require.NoError(t, json.Unmarshal(raw, &k))
	for list, n := range map[string]int{"wav": len(k.WAV), "compressed": len(k.Compressed), "resample": len(k.Resample), "loudness": len(k.Loudness)} {
		require.Positive(t, n, list)
	}
	return k
}

// kitFile returns the path of a file of the kit.
func kitFile(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(enginetest.Kit(t, "audio", "testdata"), name)
}

// readNPY reads a little-endian float32 or int16 array in C order; int16 is scaled to [-1, 1).
func readNPY(t testing.TB, name string) (samples []float32, shape []int) {
	t.Helper()
	raw, err := os.ReadFile(kitFile(t, name))
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(raw, []byte("\x93NUMPY\x01\x00")), "%s is no npy file of version 1", name)
	body := 10 + int(binary.LittleEndian.Uint16(raw[8:]))
	header := raw[10:body]
	for _, n := range regexp.MustCompile(`\d+`).FindAllString(string(regexp.MustCompile(`\(.*?\)`).Find(header)), -1) {
		v, err := strconv.Atoi(n)
		require.NoError(t, err)
		shape = append(shape, v)
	}
	switch raw = raw[body:]; {
	case bytes.Contains(header, []byte("'<f4'")):
		for ; len(raw) > 0; raw = raw[4:] {
			samples = append(samples, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		}
	case bytes.Contains(header, []byte("'<i2'")):
		for ; len(raw) > 0; raw = raw[2:] {
			samples = append(samples, float32(int16(binary.LittleEndian.Uint16(raw)))/(1<<15))
		}
	default:
		t.Fatalf("%s: dtype not known: %s", name, header)
	}
	return samples, shape
}

func readClip(t testing.TB, name string) audio.Buffer {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "speech", name))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b
}

// sine returns n samples of amplitude*sin(2*pi*hz*i/rate + phase).
func sine(n, rate int, hz, amplitude, phase float64) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(amplitude * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)+phase))
	}
	return out
}

// toneAmplitude is the least-squares amplitude of a tone in samples.
func toneAmplitude(samples []float32, rate int, hz float64) float64 {
	var ss, sc, cc, sx, cx float64
	for i, x := range samples {
		s, c := math.Sincos(2 * math.Pi * hz * float64(i) / float64(rate))
		ss, sc, cc = ss+s*s, sc+s*c, cc+c*c
		sx, cx = sx+s*float64(x), cx+c*float64(x)
	}
	det := ss*cc - sc*sc
	return math.Hypot((sx*cc-cx*sc)/det, (cx*ss-sx*sc)/det)
}

func rms(samples []float32) float64 {
	var sum float64
	for _, x := range samples {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum / float64(max(1, len(samples))))
}

func dB(x float64) float64 { return 20 * math.Log10(x) }

// stereo returns two channels interleaved.
func stereo(left, right []float32) []float32 {
	out := make([]float32, 0, 2*len(left))
	for i := range left {
		out = append(out, left[i], right[i])
	}
	return out
}

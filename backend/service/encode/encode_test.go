package encode_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/encode"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// voiceLike returns seconds of a tone with the rise and fall of syllables.
func voiceLike(rate, channels int, seconds, amplitude float64) audio.Buffer {
	b := audio.Buffer{Rate: rate, Channels: channels}
	for i := range int(seconds * float64(rate)) {
		at := float64(i) / float64(rate)
		x := amplitude * math.Sin(2*math.Pi*220*at) * (0.6 + 0.4*math.Sin(2*math.Pi*4*at))
		for range channels {
			b.Samples = append(b.Samples, float32(x))
		}
	}
	return b
}

// fromPCM reads 16-bit little-endian PCM.
func fromPCM(t *testing.T, raw []byte, rate int) audio.Buffer {
	t.Helper()
	require.Zero(t, len(raw)%2)
	b := audio.Buffer{Rate: rate, Channels: 1, Samples: make([]float32, len(raw)/2)}
	for i := range b.Samples {
		b.Samples[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) / (1 << 15)
	}
	return b
}

func loudness(b audio.Buffer) (lufs, peak float64) {
	m := audio.NewMeter(b.Rate, b.Channels)
	m.Write(b.Samples)
	lufs, _ = m.Integrated()
	return lufs, audio.ToDB(m.TruePeak())
}

func TestPCM(t *testing.T) {
	e := encode.New(audio.FindCodecs())
	for format, rate := range map[service.Format]int{
		service.PCM8000: 8000, service.PCM16000: 16000, service.PCM22050: 22050, service.PCM24000: 24000,
	} {
		for _, in := range []audio.Buffer{voiceLike(24000, 1, 2, 0.02), voiceLike(44100, 2, 2, 0.9), voiceLike(22050, 1, 2, 3)} {
			kept := append([]float32(nil), in.Samples...)
			var out bytes.Buffer
			require.NoError(t, e.Encode(t.Context(), in, format, &out))
			require.Equal(t, kept, in.Samples, "the audio of the caller is not changed")
			require.Len(t, out.Bytes(), 2*2*rate, "two seconds of 16 bits without a header")
			lufs, peak := loudness(fromPCM(t, out.Bytes(), rate))
			require.InDelta(t, audio.TargetLUFS, lufs, 0.5, "%s from %d Hz", format, in.Rate)
			require.LessOrEqual(t, peak, audio.CeilingDBTP+0.1)
		}
	}
}

// TestMP3 measures what ffprobe and a decoder find in the file.
func TestMP3(t *testing.T) {
	codecs := audio.FindCodecs()
	e := encode.New(codecs)
	require.NoError(t, e.Ready(t.Context()))
	t.Setenv("TMPDIR", t.TempDir())
	for _, in := range []audio.Buffer{voiceLike(24000, 1, 5, 0.02), voiceLike(48000, 2, 5, 0.9)} {
		path := filepath.Join(t.TempDir(), "out.mp3")
		f, err := os.Create(path)
		require.NoError(t, err)
		require.NoError(t, e.Encode(t.Context(), in, service.MP3, f))
		require.NoError(t, f.Close())
		var probed struct {
			Streams []struct {
				Codec    string `json:"codec_name"`
				Rate     string `json:"sample_rate"`
				Channels int    `json:"channels"`
				BitRate  string `json:"bit_rate"`
			} `json:"streams"`
		}
		raw, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_streams", "-of", "json", path).Output()
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(raw, &probed))
		require.Len(t, probed.Streams, 1)
		require.Equal(t, "mp3", probed.Streams[0].Codec)
		require.Equal(t, "44100", probed.Streams[0].Rate)
		require.Equal(t, 1, probed.Streams[0].Channels)
		require.Equal(t, "128000", probed.Streams[0].BitRate)
		requireConstantBitRate(t, path)
		heard, err := codecs.Decode(t.Context(), path)
		require.NoError(t, err)
		require.InDelta(t, 5, heard.Duration().Seconds(), 0.1)
		lufs, peak := loudness(heard)
		require.InDelta(t, audio.TargetLUFS, lufs, 0.5)
		require.LessOrEqual(t, peak, 0.0)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	require.NoError(t, err)
	require.Empty(t, left, "no temporary file")
}

// requireConstantBitRate checks the header of each frame: MPEG 1 layer III at 128 kbit/s and 44.1 kHz.
func requireConstantBitRate(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	if bytes.HasPrefix(raw, []byte("ID3")) {
		raw = raw[10+int(raw[6])<<21+int(raw[7])<<14+int(raw[8])<<7+int(raw[9]):]
	}
	frames := 0
	for ; len(raw) >= 4; frames++ {
		require.Equal(t, []byte{0xff, 0xfb, 0x90}, []byte{raw[0], raw[1], raw[2] &^ 2}, "frame %d", frames)
		raw = raw[min(417+int(raw[2]>>1&1), len(raw)):]
	}
	require.Greater(t, frames, 100)
}

func TestReady(t *testing.T) {
	e := encode.New(audio.FindCodecs())
	path := os.Getenv("PATH")
	t.Setenv("PATH", t.TempDir())
	err := e.Ready(t.Context())
	require.Equal(t, http.StatusServiceUnavailable, service.StatusOf(err))
	require.ErrorContains(t, err, "MP3 cannot be written without the program ffmpeg with libmp3lame. Install ")
	require.Error(t, e.Encode(t.Context(), voiceLike(24000, 1, 1, 0.1), service.MP3, &bytes.Buffer{}))
	var pcm bytes.Buffer
	require.NoError(t, e.Encode(t.Context(), voiceLike(24000, 1, 1, 0.1), service.PCM24000, &pcm), "PCM needs no ffmpeg")

	bin := t.TempDir()
	write := func(script string) {
		require.NoError(t, os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	t.Setenv("PATH", bin)
	write("echo ' A..... flac  FLAC'")
	require.ErrorContains(t, e.Ready(t.Context()), "libmp3lame", "an ffmpeg without the encoder")
	write("echo ' A..... libmp3lame  MP3'")
	require.NoError(t, e.Ready(t.Context()), "another build was installed")
	require.NoError(t, os.Remove(filepath.Join(bin, "ffmpeg")))
	require.Error(t, e.Ready(t.Context()), "it was removed")
	t.Setenv("PATH", path)
	require.NoError(t, e.Ready(t.Context()), "it was installed elsewhere")
}

func TestBrokenFFmpeg(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	for name, script := range map[string]string{
		"fails":          "cat > /dev/null; exit 1",
		"writes nothing": "cat > /dev/null",
		"reads nothing":  "exit 1",
	} {
		list := "case \"$*\" in *-encoders*) echo ' A..... libmp3lame  MP3'; exit;; esac\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte("#!/bin/sh\n"+list+script+"\n"), 0o755))
		e := encode.New(audio.FindCodecs())
		require.NoError(t, e.Ready(t.Context()))
		require.Error(t, e.Encode(t.Context(), voiceLike(24000, 1, 2, 0.1), service.MP3, &bytes.Buffer{}), name)
	}
}

// TestInvalidAudio refuses what is no audio, and writes samples that are not finite as silence.
func TestInvalidAudio(t *testing.T) {
	e := encode.New(audio.FindCodecs())
	for name, in := range map[string]audio.Buffer{
		"empty": {Rate: 24000, Channels: 1}, "no rate": {Channels: 1, Samples: make([]float32, 9)},
		"no channels": {Rate: 24000, Samples: make([]float32, 9)}, "zero": {},
	} {
		require.Error(t, e.Encode(t.Context(), in, service.PCM8000, &bytes.Buffer{}), name)
	}
	require.Error(t, e.Encode(t.Context(), voiceLike(24000, 1, 1, 0.1), "mp3_1", &bytes.Buffer{}))
	silence := audio.Buffer{Rate: 24000, Channels: 1, Samples: make([]float32, 24000)}
	var out bytes.Buffer
	require.NoError(t, e.Encode(t.Context(), silence, service.PCM24000, &out))
	require.Equal(t, make([]byte, 48000), out.Bytes())
	odd := voiceLike(24000, 1, 1, 0.5)
	odd.Samples[100], odd.Samples[200] = float32(math.NaN()), float32(math.Inf(1))
	out.Reset()
	require.NoError(t, e.Encode(t.Context(), odd, service.PCM16000, &out))
	require.Len(t, out.Bytes(), 32000)
}

// failing is a full disk.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestFullDisk(t *testing.T) {
	e := encode.New(audio.FindCodecs())
	full := errors.New("no space left")
	for _, format := range []service.Format{service.PCM8000, service.MP3} {
		require.ErrorIs(t, e.Encode(t.Context(), voiceLike(24000, 1, 2, 0.1), format, failing{full}), full, format)
	}
}

// TestCancel ends an encoding whose caller has gone, in each of its steps.
func TestCancel(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' A..... libmp3lame  MP3'; exit;; esac\nexec sleep 600\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte(script), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	e := encode.New(audio.FindCodecs())
	require.NoError(t, e.Ready(t.Context()))
	long := voiceLike(24000, 1, 300, 0.1)
	for _, format := range []service.Format{service.MP3, service.PCM22050} {
		for _, after := range []time.Duration{0, 50 * time.Millisecond, 500 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			var out bytes.Buffer
			err := e.Encode(ctx, long, format, &out)
			<-ctx.Done()
			cancel()
			if format == service.MP3 || err != nil { // PCM may have been faster
				require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
			}
		}
	}
}

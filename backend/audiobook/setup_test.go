package audiobook_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/abema/go-mp4"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const rate = 24000

// tone writes a file of a tone.
func tone(t testing.TB, frames int, hz float64) string {
	t.Helper()
	samples := make([]float32, frames)
	for i := range samples {
		samples[i] = float32(0.25 * math.Sin(2*math.Pi*hz*float64(i)/rate))
	}
	return wavFile(t, rate, samples)
}

func wavFile(t testing.TB, rate int, samples []float32) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "*.wav")
	require.NoError(t, err)
	w, err := audio.NewWAVWriter(f, rate, 1)
	require.NoError(t, err)
	require.NoError(t, w.Write(samples))
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	return f.Name()
}

// chapters returns n chapters of one file, called Chapter 1 and so on.
func chapters(n int, path string) (out []audiobook.Chapter) {
	for i := range n {
		out = append(out, audiobook.Chapter{Title: fmt.Sprintf("Chapter %d", i+1), Clips: []audiobook.Clip{{Path: path}}})
	}
	return out
}

// write writes a book as m4b and returns the path.
func write(t testing.TB, book audiobook.Book) (string, audiobook.Layout) {
	t.Helper()
	l, err := audiobook.Measure(t.Context(), audio.FindCodecs(), book, 0)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "book.m4b")
	require.NoError(t, l.WriteM4B(t.Context(), path, audiobook.Options{}))
	return path, l
}

// probed is what ffprobe says of a file.
type probed struct {
	Format struct {
		Tags map[string]string
	}
	Streams []struct {
		Type        string `json:"codec_type"`
		Codec       string `json:"codec_name"`
		Tags        map[string]string
		Disposition map[string]int
		Duration    string
	}
	Chapters []struct {
		TimeBase   string `json:"time_base"`
		StartTime  string `json:"start_time"`
		Start, End int64
		Tags       map[string]string
	}
}

func probe(t testing.TB, path string) (p probed) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_format", "-show_streams", "-show_chapters", "-of", "json",
		"file:"+path).Output()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &p))
	return p
}

// packets returns a hash of the encoded audio of a file.
func packets(t testing.TB, path string) string {
	t.Helper()
	args := []string{"-v", "error", "-i", "file:" + path, "-map", "0:a:0", "-c", "copy", "-f", "hash", "-"}
	out, err := exec.CommandContext(t.Context(), "ffmpeg", args...).Output()
	require.NoError(t, err)
	return string(out)
}

// neroChapter is an entry of the list of Nero.
type neroChapter struct {
	start int64 // in units of 100 ns
	title string
}

// nero returns the list of Nero of a file, nil where there is none.
func nero(t testing.TB, path string) (list []neroChapter) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	found, err := mp4.ExtractBox(f, nil, mp4.BoxPath{mp4.BoxTypeMoov(), mp4.BoxTypeUdta(), mp4.StrToBoxType("chpl")})
	require.NoError(t, err)
	if len(found) == 0 {
		return nil
	}
	require.Len(t, found, 1)
	raw := make([]byte, found[0].Size-found[0].HeaderSize)
	_, err = f.ReadAt(raw, int64(found[0].Offset+found[0].HeaderSize))
	require.NoError(t, err)
	count := int(raw[8])
	for raw = raw[9:]; len(raw) > 0; {
		length := int(raw[8])
		list = append(list, neroChapter{start: int64(binary.BigEndian.Uint64(raw)), title: string(raw[9 : 9+length])})
		raw = raw[9+length:]
	}
	require.Len(t, list, count)
	return list
}

// atoms returns the values of the atoms of iTunes in a file; those of free ones are under their name.
func atoms(t testing.TB, path string) map[string]mp4.Data {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	out := map[string]mp4.Data{}
	var name string
	_, err = mp4.ReadBoxStructure(f, func(h *mp4.ReadHandle) (any, error) {
		switch h.BoxInfo.Type.String() {
		case "moov", "udta", "meta", "ilst":
			return h.Expand()
		case "name":
			box, _, err := h.ReadPayload()
			name = strings.TrimLeft(string(box.(*mp4.StringData).Data), "\x00") // version and flags
			return nil, err
		case "data":
			box, _, err := h.ReadPayload()
			parent := h.Path[len(h.Path)-2]
			key := string(parent[:])
			if key == "----" {
				key = name
			}
			out[key] = *box.(*mp4.Data)
			return nil, err
		}
		if h.BoxInfo.IsSupportedType() && len(h.Path) == 5 {
			return h.Expand()
		}
		return nil, nil
	})
	require.NoError(t, err)
	return out
}

// picture returns a picture as JPEG or PNG.
func picture(t testing.TB, format string) []byte {
	t.Helper()
	var out bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, 64, 64))
	if format == "png" {
		require.NoError(t, png.Encode(&out, img))
	} else {
		require.NoError(t, jpeg.Encode(&out, img, nil))
	}
	return out.Bytes()
}

func seconds(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return v
}

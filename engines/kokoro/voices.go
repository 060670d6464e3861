package kokoro

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// A voice file is little-endian float32 [styleRows, 1, styleWidth] without a header. The row for n phonemes is n-1.
const (
	styleRows  = maxPhonemes
	styleWidth = 256
	voiceBytes = styleRows * styleWidth * 4
)

// voiceForm is the form of the published voices' ids: the letter of the language, f or m, the name.
var voiceForm = regexp.MustCompile(`^[abefhijpz][fm]_.`)

// firstVoice is the voice that the model's makers rate best; it is listed first.
const firstVoice = "af_heart"

// voice is one style of a model. Its file is read when it first speaks.
type voice struct {
	engines.Voice
	accent accent
	path   string
	styles func() ([]float32, error)
}

// voicesOf returns the voices among a model's files, the first choice first, then by id. A file of the wrong length is
// backend.CodeModelCorrupt naming it.
func voicesOf(files engines.Files) ([]*voice, error) {
	var out []*voice
	for role, path := range files {
		id, ok := strings.CutPrefix(role, RoleVoice)
		if !ok {
			continue
		}
		if err := checkVoice(path); err != nil {
			return nil, err
		}
		out = append(out, newVoice(id, path))
	}
	if len(out) == 0 {
		return nil, onnx.Corrupt(firstVoice+voiceExt, "is missing, and so is every other voice")
	}
	if len(out) > onnx.MaxVoiceFiles {
		return nil, onnx.TooManyVoices(out[0].path, len(out))
	}
	slices.SortFunc(out, func(a, b *voice) int {
		if first := a.ID == firstVoice; first != (b.ID == firstVoice) {
			if first {
				return -1
			}
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, nil
}

func newVoice(id, path string) *voice {
	v := &voice{Voice: engines.Voice{ID: id, Name: shown(id)}, accent: accentOf(id), path: path}
	v.Language = v.accent.language
	if voiceForm.MatchString(id) {
		v.Gender = map[byte]string{'f': "female", 'm': "male"}[id[1]]
	}
	v.styles = sync.OnceValues(func() ([]float32, error) { return readStyles(path) })
	return v
}

// shown returns `Heart` for af_heart and ids of another form unchanged.
func shown(id string) string {
	if !voiceForm.MatchString(id) {
		return id
	}
	name := strings.ReplaceAll(id[3:], "_", " ")
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

func checkVoice(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return onnx.Unreadable(path, err)
	}
	if !info.Mode().IsRegular() || info.Size() != voiceBytes {
		return errWrongLength(path, info.Size())
	}
	return nil
}

func errWrongLength(path string, size int64) *backend.Error {
	return onnx.Corrupt(path, fmt.Sprintf("has %d bytes where a voice has %d", size, voiceBytes))
}

// readStyles reads a voice file, row after row.
func readStyles(path string) ([]float32, error) {
	f, _, err := onnx.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw := make([]byte, voiceBytes+1)
	n, err := io.ReadFull(f, raw)
	switch {
	case err == nil:
		return nil, onnx.Corrupt(path, fmt.Sprintf("has more than the %d bytes of a voice", voiceBytes))
	case !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF):
		return nil, onnx.Unreadable(path, err)
	case n != voiceBytes:
		return nil, errWrongLength(path, int64(n))
	}
	out := make([]float32, styleRows*styleWidth)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		if out[i]-out[i] != 0 { // NaN and the infinities differ from themselves
			return nil, onnx.Corrupt(path, fmt.Sprintf("holds %g in row %d", out[i], i/styleWidth))
		}
	}
	return out, nil
}

// part is one voice of a style.
type part struct {
	rows  []float32
	share float64
}

// style returns the row for n phonemes, 1 at least: that of the one voice, or the weighted mean of several.
func style(parts []part, n int) []float32 {
	from := (min(n, styleRows) - 1) * styleWidth
	if len(parts) == 1 {
		return parts[0].rows[from : from+styleWidth]
	}
	out := make([]float32, styleWidth)
	for i := range out {
		sum := 0.0
		for _, p := range parts {
			sum += p.share * float64(p.rows[from+i])
		}
		out[i] = float32(sum)
	}
	return out
}

// find returns the voice with an id.
func find(voices []*voice, id string) (*voice, bool) {
	for _, v := range voices {
		if v.ID == id {
			return v, true
		}
	}
	return nil, false
}

// usable returns the voices whose language this build can speak, and their languages in that order.
func usable(voices []*voice) (out []engines.Voice, languages []string) {
	for _, v := range voices {
		if v.accent.reason != "" {
			continue
		}
		out = append(out, v.Voice)
		if !slices.Contains(languages, v.Language) {
			languages = append(languages, v.Language)
		}
	}
	return out, languages
}

// listed returns all voices, those that this build cannot speak with the reason.
func listed(voices []*voice) []engines.Voice {
	out := make([]engines.Voice, len(voices))
	for i, v := range voices {
		out[i] = v.Voice
		out[i].Reason = v.accent.reason
	}
	return out
}

// voiceID returns the id in a voice file's name.
func voiceID(path string) string { return strings.TrimSuffix(filepath.Base(path), voiceExt) }

package pocket

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/engines/onnx"
)

// The largest files that are read, in bytes; the published ones have 24, 4 and 60 kB.
const (
	maxBundle    = 8 << 20
	maxBOS       = 1 << 20
	maxTokenizer = 32 << 20
)

// The limits of the numbers in a bundle.
const (
	maxStates     = 4096    // of one graph; the published ones have up to 72
	maxDimensions = 8       // of one state
	maxStateBytes = 1 << 29 // of all states of a graph; the published ones take up to 200 MB
	maxTokens     = 1 << 12 // of a chunk; the published ones have 50
	maxAfterEOS   = 1 << 10 // frames after the end was found
	maxDim        = 1 << 16 // numbers of an embedding
)

// schemaVersion is the layout of bundle.json that this engine reads.
const schemaVersion = 2

// bundle is bundle.json: everything that differs between the models. The graphs are driven by it alone.
type bundle struct {
	Schema    int     `json:"schema_version"`
	Name      string  `json:"bundle_name"`
	Language  string  `json:"language"` // english_2026-04, french_24l
	Rate      int     `json:"sample_rate"`
	FrameRate float64 `json:"frame_rate"`
	Frame     int     `json:"samples_per_frame"`
	Latent    int     `json:"latent_dim"`
	Dim       int     `json:"conditioning_dim"`
	Tokens    int     `json:"max_token_per_chunk"`
	BOS       bool    `json:"insert_bos_before_voice"`
	Tokenizer string  `json:"tokenizer_file"`
	BOSFile   string  `json:"bos_before_voice_file"`
	Pad       bool    `json:"pad_with_spaces_for_short_inputs"`
	Semicolon bool    `json:"remove_semicolons"`
	AfterEOS  *int    `json:"model_recommended_frames_after_eos"`
	Flow      []state `json:"flow_lm_state_manifest"`
	Mimi      []state `json:"mimi_state_manifest"`

	spoken spoken
	cache  int // positions of the caches of the flow model
}

// spoken is a language that models are published for: the first word of bundle.Language, BCP 47 and the shown name.
type spoken struct{ word, tag, name string }

var languages = [...]spoken{
	{"english", "en", "English"},
	{"french", "fr", "French"},
	{"german", "de", "German"},
	{"italian", "it", "Italian"},
	{"portuguese", "pt", "Portuguese"},
	{"spanish", "es", "Spanish"},
}

// readBundle reads and checks bundle.json. Errors are backend.CodeModelCorrupt naming the file and the field.
func readBundle(path string) (*bundle, error) {
	b := &bundle{}
	if err := onnx.ReadJSON(path, maxBundle, b); err != nil {
		return nil, err
	}
	if err := b.check(path); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *bundle) check(path string) error {
	after := 0
	if b.AfterEOS != nil {
		after = *b.AfterEOS
	}
	err := onnx.CheckLimits(path,
		onnx.Limit{Field: "schema_version", Value: b.Schema, Min: schemaVersion, Max: schemaVersion},
		onnx.Limit{Field: "sample_rate", Value: b.Rate, Min: onnx.MinSampleRate, Max: onnx.MaxSampleRate},
		onnx.Limit{Field: "samples_per_frame", Value: b.Frame, Min: 1, Max: onnx.MaxHop},
		onnx.Limit{Field: "latent_dim", Value: b.Latent, Min: 1, Max: onnx.MaxLatentRows},
		onnx.Limit{Field: "conditioning_dim", Value: b.Dim, Min: 1, Max: maxDim},
		onnx.Limit{Field: "max_token_per_chunk", Value: b.Tokens, Min: 1, Max: maxTokens},
		onnx.Limit{Field: "model_recommended_frames_after_eos", Value: after, Max: maxAfterEOS},
		onnx.Limit{Field: "bundle_name", Value: len(b.Name), Max: onnx.MaxText},
		onnx.Limit{Field: "flow_lm_state_manifest", Value: len(b.Flow), Min: 1, Max: maxStates},
		onnx.Limit{Field: "mimi_state_manifest", Value: len(b.Mimi), Min: 1, Max: maxStates},
	)
	if err != nil {
		return err
	}
	if own := float64(b.Rate) / float64(b.Frame); math.Abs(b.FrameRate-own) > own/100 {
		return onnx.WrongValue(path, "frame_rate", fmt.Errorf("%g is not sample_rate / samples_per_frame, %g", b.FrameRate, own))
	}
	word, _, _ := strings.Cut(b.Language, "_")
	i := slices.IndexFunc(languages[:], func(l spoken) bool { return l.word == word })
	if i < 0 {
		return onnx.WrongValue(path, "language", fmt.Errorf("%q is not a language of Pocket TTS", b.Language))
	}
	b.spoken = languages[i]
	if err := b.checkNames(path); err != nil {
		return err
	}
	return b.checkStates(path)
}

// checkNames checks the files that the bundle names: they are in its folder.
func (b *bundle) checkNames(path string) error {
	if b.BOSFile == "" && b.BOS {
		return onnx.WrongValue(path, "bos_before_voice_file", fmt.Errorf("no file, but insert_bos_before_voice"))
	}
	for field, name := range map[string]string{"tokenizer_file": b.Tokenizer, "bos_before_voice_file": b.BOSFile} {
		if name == "" && field == "bos_before_voice_file" {
			continue
		}
		if name != filepath.Base(name) || !filepath.IsLocal(name) || name == "." {
			return onnx.WrongValue(path, field, fmt.Errorf("%q is not the name of a file", name))
		}
	}
	return nil
}

func (b *bundle) checkStates(path string) error {
	for _, m := range []struct {
		field  string
		states []state
	}{{"flow_lm_state_manifest", b.Flow}, {"mimi_state_manifest", b.Mimi}} {
		if err := checkManifest(path, m.field, m.states); err != nil {
			return err
		}
	}
	for _, s := range b.Flow {
		if n := s.positions(); n > 0 && (b.cache == 0 || n < b.cache) {
			b.cache = n
		}
	}
	if b.cache == 0 {
		return onnx.WrongValue(path, "flow_lm_state_manifest", fmt.Errorf("no state is a cache"))
	}
	for b.Tokens > 1 && b.Tokens+b.limit(b.Tokens) > b.cache*3/4 {
		b.Tokens-- // so that a voice has a quarter of the cache at least
	}
	if b.Tokens < minTokens || b.longestVoice() < 1 {
		return onnx.WrongValue(path, "flow_lm_state_manifest", fmt.Errorf("a cache of %d positions is too short", b.cache))
	}
	return nil
}

// minTokens is the least number of tokens of a chunk that a model must be able to speak.
const minTokens = 8

// limit returns the most frames that speech of so many tokens takes.
func (b *bundle) limit(tokens int) int {
	const perSecond, padding = 3.0, 2.0 // tokens in one second, and seconds beyond (reference driver)
	return int(math.Ceil((float64(tokens)/perSecond + padding) * b.FrameRate))
}

// longestVoice returns the most frames of a voice with which every chunk fits into the caches.
func (b *bundle) longestVoice() int {
	n := b.cache - b.Tokens - b.limit(b.Tokens)
	if b.BOS {
		n--
	}
	return n
}

// readBOS reads the embedding that precedes the voice; nil for a model without one. Errors are backend.CodeModelCorrupt
// naming the file.
func (b *bundle) readBOS(path string) ([]float32, error) {
	if !b.BOS {
		return nil, nil
	}
	f, size, err := onnx.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if size > maxBOS {
		return nil, onnx.Corrupt(path, fmt.Sprintf("is larger than %d bytes", maxBOS))
	}
	values, err := onnx.ReadNpy(f, 1, 1, b.Dim)
	if err != nil {
		return nil, onnx.Corrupt(path, "is damaged").WithCause(err)
	}
	return values, nil
}

package piper

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// maxConfig is the largest config file that is read, in bytes; voices with a thousand speakers need 50 kB.
const maxConfig = 2 << 20

// The symbols that frame a sentence's ids, fixed by Piper.
const (
	bos = "^"
	pad = "_"
	eos = "$"
)

// defaultHop is the number of samples in a frame if a config does not say (Piper's default).
const defaultHop = 256

// The kinds of phonemes that this engine can make.
const (
	phonemesEspeak = "espeak"
	phonemesText   = "text"
)

// config is `<voice>.onnx.json` (Piper's VoiceConfig).
type config struct {
	Audio struct {
		SampleRate int `json:"sample_rate"`
	} `json:"audio"`
	Espeak struct {
		Voice string `json:"voice"`
	} `json:"espeak"`
	Language struct {
		Code string `json:"code"`
	} `json:"language"`
	Inference struct {
		NoiseScale  *float64 `json:"noise_scale"`
		LengthScale *float64 `json:"length_scale"`
		NoiseW      *float64 `json:"noise_w"`
	} `json:"inference"`
	PhonemeType   string             `json:"phoneme_type"`
	PhonemeIDMap  map[string][]int64 `json:"phoneme_id_map"`
	VowelClusters [][]string         `json:"vowel_clusters"`
	HopLength     int                `json:"hop_length"`
	NumSpeakers   int                `json:"num_speakers"`
	SpeakerIDMap  map[string]int64   `json:"speaker_id_map"`
}

// readConfig reads and checks a config file. Errors are backend.CodeModelCorrupt naming the file and the field.
func readConfig(path string) (config, error) {
	raw, err := onnx.ReadSmall(path, maxConfig)
	if err != nil {
		return config{}, err
	}
	return parseConfig(path, raw)
}

// parseConfig decodes and checks a config file; path names it in errors.
func parseConfig(path string, raw []byte) (config, error) {
	var c config
	if err := onnx.ParseJSON(path, raw, &c); err != nil {
		return config{}, err
	}
	if c.PhonemeType == "" {
		c.PhonemeType = phonemesEspeak
	}
	if c.NumSpeakers == 0 {
		c.NumSpeakers = 1
	}
	if c.HopLength == 0 {
		c.HopLength = defaultHop
	}
	if err := onnx.CheckLimits(path, c.limits()...); err != nil {
		return config{}, err
	}
	if field, why := c.wrong(); field != "" {
		return config{}, onnx.WrongValue(path, field, errors.New(why))
	}
	return c, nil
}

// limits returns the numbers of a config with their ranges.
func (c config) limits() []onnx.Limit {
	longest := 0
	for _, cluster := range c.VowelClusters {
		longest = max(longest, len(cluster))
	}
	return []onnx.Limit{
		{Field: "audio.sample_rate", Value: c.Audio.SampleRate, Min: onnx.MinSampleRate, Max: onnx.MaxSampleRate},
		{Field: "num_speakers", Value: c.NumSpeakers, Min: 1, Max: onnx.MaxVoices},
		{Field: "speaker_id_map", Value: len(c.SpeakerIDMap), Max: onnx.MaxVoices},
		{Field: "hop_length", Value: c.HopLength, Min: 1, Max: onnx.MaxHop},
		{Field: "phoneme_id_map", Value: len(c.PhonemeIDMap), Max: onnx.MaxSymbols},
		{Field: "vowel_clusters", Value: longest, Max: onnx.MaxCluster},
		{Field: "language.code", Value: len(c.Language.Code), Max: onnx.MaxText},
		{Field: "espeak.voice", Value: len(c.Espeak.Voice), Max: onnx.MaxText},
		{Field: "phoneme_type", Value: len(c.PhonemeType), Max: onnx.MaxText},
	}
}

// The largest scales of a config; the published voices have up to 0.667, 2 and 1. Noise in the lengths is exponential,
// so that more of it makes sounds of any length.
const (
	maxNoise  = 5
	maxLength = 10
	maxNoiseW = 2
)

// wrong returns the first field with an invalid value, and why it is invalid.
func (c config) wrong() (field, why string) {
	if c.PhonemeType == phonemesEspeak && c.Espeak.Voice == "" {
		return "espeak.voice", "empty"
	}
	if _, ok := backend.CanonicalLanguage(c.Language.Code); c.Language.Code != "" && !ok {
		return "language.code", fmt.Sprintf("%q is no language", c.Language.Code)
	}
	for _, scale := range []struct {
		field string
		value *float64
		limit float64
	}{
		{"inference.noise_scale", c.Inference.NoiseScale, maxNoise},
		{"inference.length_scale", c.Inference.LengthScale, maxLength},
		{"inference.noise_w", c.Inference.NoiseW, maxNoiseW},
	} {
		if v := scale.value; v != nil && !(*v >= 0 && *v <= scale.limit) { // NaN is in no range
			return scale.field, fmt.Sprint(*v)
		}
	}
	if why := c.wrongIDs(); why != "" {
		return "phoneme_id_map", why
	}
	for name, id := range c.SpeakerIDMap {
		if id < 0 || id >= int64(c.NumSpeakers) {
			return "speaker_id_map", fmt.Sprintf("%d of %d", id, c.NumSpeakers)
		}
		if name == "" || len(name) > onnx.MaxText {
			return "speaker_id_map", fmt.Sprintf("a name of %d bytes", len(name))
		}
	}
	return "", ""
}

// wrongIDs returns why the ids of the phonemes are invalid, empty if they are valid.
func (c config) wrongIDs() string {
	for _, symbol := range []string{bos, pad, eos} {
		if len(c.PhonemeIDMap[symbol]) == 0 {
			return "no " + symbol
		}
	}
	for _, ids := range c.PhonemeIDMap {
		if len(ids) > onnx.MaxSymbolIDs {
			return fmt.Sprintf("%d ids for one phoneme", len(ids))
		}
		for _, id := range ids {
			if id < 0 || id > onnx.MaxSymbolID {
				return fmt.Sprintf("the id %d", id)
			}
		}
	}
	return ""
}

// checkSupported returns an error for voices whose phonemes this engine cannot make.
func (c config) checkSupported(path string) error {
	switch c.PhonemeType {
	case phonemesEspeak, phonemesText:
		return nil
	}
	return backend.E(backend.CodeLanguageNotSupported,
		fmt.Sprintf("The voice %s needs phonemes of the kind %q, which Voicewright cannot make.", key(path), c.PhonemeType),
		"Choose a voice of another language.").With("phoneme_type", c.PhonemeType)
}

// The scales of a voice whose config has none (Piper's defaults).
const (
	defaultNoise  = 0.667
	defaultLength = 1.0
	defaultNoiseW = 0.8
)

func (c config) noise() float64  { return or(c.Inference.NoiseScale, defaultNoise) }
func (c config) length() float64 { return or(c.Inference.LengthScale, defaultLength) }
func (c config) noiseW() float64 { return or(c.Inference.NoiseW, defaultNoiseW) }

func or(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// speaker is one voice of the model with the id that the graph takes.
type speaker struct {
	engines.Voice
	id int64
}

// speakers returns the voices in the order of their ids. A speaker without a name has its id as name.
func (c config) speakers(name string) []speaker {
	language := c.language()
	if c.NumSpeakers == 1 {
		return []speaker{{Voice: engines.Voice{ID: "0", Name: name, Language: language}}}
	}
	named := make(map[int64]bool, len(c.SpeakerIDMap))
	out := make([]speaker, 0, c.NumSpeakers)
	for speakerName, id := range c.SpeakerIDMap {
		named[id] = true
		out = append(out, speaker{engines.Voice{ID: speakerName, Name: speakerName, Language: language}, id})
	}
	for id := range int64(c.NumSpeakers) {
		word := strconv.FormatInt(id, 10)
		if _, taken := c.SpeakerIDMap[word]; !named[id] && !taken {
			out = append(out, speaker{engines.Voice{ID: word, Name: word, Language: language}, id})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].id != out[j].id {
			return out[i].id < out[j].id
		}
		return out[i].ID < out[j].ID
	})
	return out
}

// language returns the voice's language as BCP 47: language.code (en_US), else that of the espeak-ng voice (en-gb-x-rp
// is en-GB), else und.
func (c config) language() string {
	code := c.Language.Code
	if code == "" {
		code, _, _ = strings.Cut(c.Espeak.Voice, "-x-")
	}
	if tag, ok := backend.CanonicalLanguage(code); ok {
		return tag
	}
	return "und"
}

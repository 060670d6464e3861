package supertonic

import (
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/engines/onnx"
)

// The largest files that are read, in bytes; the published ones have 8, 278 and 292 kB.
const (
	maxConfig  = 1 << 20
	maxIndexer = 8 << 20
	maxStyle   = 8 << 20
)

// config is the part of tts.json that concerns speaking; the rest describes the training.
type config struct {
	Version string `json:"tts_version"` // of the training code: v1.7.3
	Split   string `json:"split"`       // opensource-en or opensource-multilingual
	AE      struct {
		SampleRate int `json:"sample_rate"`     // Hz
		BaseChunk  int `json:"base_chunk_size"` // samples per frame of the vocoder
	} `json:"ae"`
	TTL struct {
		Compress  int `json:"chunk_compress_factor"` // frames of the vocoder per latent frame
		LatentDim int `json:"latent_dim"`            // numbers per frame of the vocoder
	} `json:"ttl"`

	edition edition
}

// channels returns the number of rows of a latent.
func (c config) channels() int { return c.TTL.LatentDim * c.TTL.Compress }

// hop returns the number of samples of one latent frame.
func (c config) hop() int { return c.AE.BaseChunk * c.TTL.Compress }

// edition is one of the published generations of Supertonic.
type edition struct {
	key       string
	name      string
	languages []string // BCP 47, as the tags write them
	tagged    bool     // text is wrapped in a tag of its language
	marks     []string // of expression
}

// The languages that each edition was trained on (configuration of the supertonic package, 1.3.1). An array, so
// that nothing can change them.
var (
	languages2 = [...]string{"en", "ko", "es", "pt", "fr"}
	languages3 = [...]string{
		"en", "ko", "ja", "ar", "bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hi", "hr", "hu", "id", "it",
		"lt", "lv", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi",
	}
)

// marks3 are the expression tags of Supertonic 3.
var marks3 = [...]string{"<laugh>", "<breath>", "<sigh>"}

// editionOf returns the generation: version 1.5 (English alone) is Supertonic, 1.6 Supertonic 2 and 1.7 Supertonic 3.
// The expression tags of Supertonic 3 were found by its users; their effect was not checked with the published weights.
func editionOf(version, split string) (edition, bool) {
	switch {
	case split == "opensource-en" || strings.HasPrefix(version, "v1.5."):
		return edition{key: "supertonic-v1", name: "Supertonic", languages: []string{"en"}}, true
	case strings.HasPrefix(version, "v1.6."):
		return edition{key: "supertonic-v2", name: "Supertonic 2", languages: languages2[:], tagged: true}, true
	case strings.HasPrefix(version, "v1.7."):
		return edition{
			key: "supertonic-v3", name: "Supertonic 3", languages: languages3[:], tagged: true,
			marks: marks3[:],
		}, true
	}
	return edition{}, false
}

// readConfig reads and checks tts.json. Errors are backend.CodeModelCorrupt naming the file and the field.
func readConfig(path string) (config, error) {
	var c config
	if err := onnx.ReadJSON(path, maxConfig, &c); err != nil {
		return config{}, err
	}
	err := onnx.CheckLimits(path,
		onnx.Limit{Field: "ae.sample_rate", Value: c.AE.SampleRate, Min: onnx.MinSampleRate, Max: onnx.MaxSampleRate},
		onnx.Limit{Field: "ae.base_chunk_size", Value: c.AE.BaseChunk, Min: 1, Max: onnx.MaxHop},
		onnx.Limit{Field: "ttl.chunk_compress_factor", Value: c.TTL.Compress, Min: 1, Max: onnx.MaxCompression},
		onnx.Limit{Field: "ttl.latent_dim", Value: c.TTL.LatentDim, Min: 1, Max: onnx.MaxLatentRows},
		onnx.Limit{Field: "tts_version", Value: len(c.Version), Max: onnx.MaxText},
	)
	if err != nil {
		return config{}, err
	}
	var ok bool
	if c.edition, ok = editionOf(c.Version, c.Split); !ok {
		return config{}, onnx.Corrupt(path, fmt.Sprintf("has the unknown tts_version %q", c.Version))
	}
	return c, nil
}

// readIndexer reads unicode_indexer.json, an array with the model's number of every code point, -1 for a code point
// that it does not know. Errors are backend.CodeModelCorrupt naming the file.
func readIndexer(path string) ([]int32, error) {
	var table []int32
	if err := onnx.ReadJSON(path, maxIndexer, &table); err != nil {
		return nil, err
	}
	known := 0
	for point, id := range table {
		switch {
		case id < -1:
			return nil, onnx.Corrupt(path, fmt.Sprintf("has a wrong number, %d, for the character %U", id, point))
		case id >= 0:
			known++
		}
	}
	if known == 0 {
		return nil, onnx.Corrupt(path, "has no characters")
	}
	return table, nil
}

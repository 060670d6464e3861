package kitten

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/voicewright/voicewright/engines/onnx"
)

// maxConfig is the largest config file that is read, in bytes; the published ones have less than 700.
const maxConfig = 1 << 20

// config is config.json of a KittenTTS repository. Every field may be missing.
type config struct {
	Type      string             `json:"type"`          // ONNX1 or ONNX2, which run in the same way
	ModelFile string             `json:"model_file"`    // base name of the graph
	Voices    string             `json:"voices"`        // base name of the style file
	Aliases   map[string]string  `json:"voice_aliases"` // shown name to voice
	Priors    map[string]float64 `json:"speed_priors"`  // voice to the pace that sounds natural; 1 where it is missing
}

// readConfig reads and checks a config file. Errors are backend.CodeModelCorrupt naming the file and the field.
func readConfig(path string) (config, error) {
	var c config
	if err := onnx.ReadJSON(path, maxConfig, &c); err != nil {
		return config{}, err
	}
	if field, why := c.wrong(); field != "" {
		return config{}, onnx.Corrupt(path, "has a wrong value in "+field).WithCause(errors.New(why))
	}
	return c, nil
}

// wrong returns the first field with an invalid value, and why it is invalid.
func (c config) wrong() (field, why string) {
	switch {
	case c.Type != "" && c.Type != "ONNX1" && c.Type != "ONNX2":
		return "type", fmt.Sprintf("%q is neither ONNX1 nor ONNX2", c.Type)
	case !base(c.ModelFile):
		return "model_file", fmt.Sprintf("%q is no name of a file in the folder", c.ModelFile)
	case !base(c.Voices):
		return "voices", fmt.Sprintf("%q is no name of a file in the folder", c.Voices)
	}
	for voice, prior := range c.Priors {
		if !(prior >= 0.1 && prior <= 10) {
			return "speed_priors", fmt.Sprintf("%s is %g", voice, prior)
		}
	}
	return "", ""
}

// base reports whether a name stays in the folder of its config; an empty one does.
func base(name string) bool {
	return name == "" || name == filepath.Base(name) && name != ".." && !strings.ContainsAny(name, `/\`)
}

// speed returns the graph's input for a requested speed of a voice.
func (c config) speed(voice string, requested float64) float32 {
	prior, ok := c.Priors[voice]
	if !ok {
		prior = 1
	}
	return float32(requested * prior)
}

// published is the form of the graphs' names: kitten_tts_nano_v0_8.onnx.
var published = regexp.MustCompile(`^kitten_tts_(\w+?)(_v[0-9_]+)?\.onnx$`)

// key returns the model's short name, such as nano, from the name of its graph.
func key(graph string) string {
	name := filepath.Base(graph)
	if m := published.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return strings.TrimSuffix(name, onnx.GraphExt)
}

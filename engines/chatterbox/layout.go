package chatterbox

import (
	"fmt"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// sizes are the dimensions of a model, read from the shapes of its graphs.
type sizes struct {
	multilingual bool // takes exaggeration and no positions in the language model
	hidden       int  // numbers of one embedding
	layers       int
	heads        int // of the keys and values
	width        int // numbers of one head

	outputs map[string][]onnx.Value // of the graphs, by their roles
}

// The limits of these numbers. The published models have up to 1,024 numbers in 30 layers with 16 heads of 64.
const (
	maxHidden = 1 << 16
	maxLayers = 512
	maxHeads  = 512
	maxWidth  = 4096
)

// readSizes inspects the graphs, and checks that their weights are there. Errors are backend.CodeModelCorrupt naming the file.
func readSizes(files engines.Files) (sizes, error) {
	models := map[string]onnx.Model{}
	for _, role := range graphRoles {
		m, err := onnx.Inspect(files[role])
		if err != nil {
			return sizes{}, err
		}
		if err := m.CheckOutside(files[role]); err != nil {
			return sizes{}, err
		}
		models[role] = m
	}
	s := sizes{multilingual: input(models[RoleEmbed], "exaggeration").Name != "", outputs: map[string][]onnx.Value{}}
	for role, m := range models {
		s.outputs[role] = m.Outputs
	}
	return s, s.read(files[RoleLanguage], models[RoleLanguage])
}

// input returns an input of a graph, the zero Value if it has none with this name.
func input(m onnx.Model, name string) onnx.Value {
	for _, v := range m.Inputs {
		if v.Name == name {
			return v
		}
	}
	return onnx.Value{}
}

// read takes the sizes from the inputs of the language model, whose file is at path.
func (s *sizes) read(path string, m onnx.Model) error {
	if dims := m.Dims("inputs_embeds"); len(dims) == 3 {
		s.hidden = int(dims[2])
	}
	for input(m, key(s.layers)).Name != "" {
		if err := s.layer(path, m); err != nil {
			return err
		}
	}
	return onnx.CheckLimits(path,
		onnx.Limit{Field: "inputs_embeds", Value: s.hidden, Min: 1, Max: maxHidden},
		onnx.Limit{Field: "past_key_values", Value: s.layers, Min: 1, Max: maxLayers},
		onnx.Limit{Field: key(0), Value: s.heads, Min: 1, Max: maxHeads},
		onnx.Limit{Field: key(0), Value: s.width, Min: 1, Max: maxWidth},
	)
}

// layer adds one layer, which has as many heads of the same width as all others.
func (s *sizes) layer(path string, m onnx.Model) error {
	for _, name := range []string{key(s.layers), value(s.layers)} {
		if kind := input(m, name).Type; kind == onnx.Float16 {
			return onnx.Corrupt(path, "keeps what it has read as float16 numbers, which this program cannot hold; "+
				"use the edition whose name ends with _q4").WithCause(fmt.Errorf("%s is %s", name, kind))
		}
		dims := m.Dims(name)
		if len(dims) != 4 || s.layers > 0 && (int(dims[1]) != s.heads || int(dims[3]) != s.width) {
			return onnx.WrongValue(path, name, fmt.Errorf("its dimensions are %v", dims))
		}
		s.heads, s.width = int(dims[1]), int(dims[3])
	}
	if s.layers++; s.layers > maxLayers {
		return onnx.WrongValue(path, "past_key_values", fmt.Errorf("it has more than %d layers", maxLayers))
	}
	return nil
}

// perPosition returns the bytes of the keys and values of one position.
func (s sizes) perPosition() int { return 2 * s.layers * s.heads * s.width * 4 }

// The names of the inputs and outputs for the keys and values of a layer.
func key(layer int) string          { return fmt.Sprintf("past_key_values.%d.key", layer) }
func value(layer int) string        { return fmt.Sprintf("past_key_values.%d.value", layer) }
func presentKey(layer int) string   { return fmt.Sprintf("present.%d.key", layer) }
func presentValue(layer int) string { return fmt.Sprintf("present.%d.value", layer) }

// nanoHidden is the width of Chatterbox Nano; Turbo has 1,024.
const nanoHidden = 768

// keyMultilingual is the key of Chatterbox Multilingual.
const keyMultilingual = "multilingual"

// edition is one of the published models.
type edition struct {
	key, name string
	rules     engines.CloneRules
}

// The editions. A reference must be longer than 5 s where the makers' program refuses shorter ones. Longest is what the graphs
// look at: the decoder takes the first 10 s, and the language model 15 s of Turbo and 6 s of Multilingual.
var editions = map[string]edition{
	"turbo":         {"turbo", "Chatterbox Turbo", engines.CloneRules{Over: 5, Longest: 15}},
	"nano":          {"nano", "Chatterbox Nano", engines.CloneRules{Over: 5, Longest: 15}},
	keyMultilingual: {keyMultilingual, "Chatterbox Multilingual", engines.CloneRules{Longest: 10}},
}

// edition returns which of the models has these sizes.
func (s sizes) edition() edition {
	switch {
	case s.multilingual:
		return editions[keyMultilingual]
	case s.hidden == nanoHidden:
		return editions["nano"]
	}
	return editions["turbo"]
}

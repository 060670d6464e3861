package supertonic

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The shapes of a voice's two parts, the same in all editions.
var (
	latentShape   = [...]int64{1, 50, 256} // style_ttl
	durationShape = [...]int64{1, 8, 16}   // style_dp
)

// style is one voice: its sound and its rhythm as inputs of the graphs.
type style struct {
	latent   onnx.Tensor // [1, 50, 256]
	duration onnx.Tensor // [1, 8, 16]
}

// part is one array of a voice file.
type part struct {
	Data [][][]float32 `json:"data"`
	Dims []int64       `json:"dims"`
	Type string        `json:"type"`
}

// readStyle reads a file of voice_styles. Errors are backend.CodeModelCorrupt naming the file and the part.
func readStyle(path string) (style, error) {
	var file struct {
		Latent   *part `json:"style_ttl"`
		Duration *part `json:"style_dp"`
	}
	if err := onnx.ReadJSON(path, maxStyle, &file); err != nil {
		return style{}, err
	}
	latent, err := file.Latent.tensor(latentShape[:])
	if err != nil {
		return style{}, onnx.Corrupt(path, "has a wrong style_ttl: "+err.Error())
	}
	duration, err := file.Duration.tensor(durationShape[:])
	if err != nil {
		return style{}, onnx.Corrupt(path, "has a wrong style_dp: "+err.Error())
	}
	return style{latent: latent, duration: duration}, nil
}

// tensor flattens the array; an error says what differs from the wanted shape.
func (p *part) tensor(shape []int64) (onnx.Tensor, error) {
	switch {
	case p == nil:
		return onnx.Tensor{}, errors.New("it is missing")
	case p.Type != "float32":
		return onnx.Tensor{}, fmt.Errorf("expected float32, found %q", p.Type)
	case !slices.Equal(p.Dims, shape):
		return onnx.Tensor{}, fmt.Errorf("expected the dimensions %v, found %v", shape, p.Dims)
	case int64(len(p.Data)) != shape[0]:
		return onnx.Tensor{}, fmt.Errorf("expected the dimensions %v, found %d blocks", shape, len(p.Data))
	}
	flat := make([]float32, 0, shape[0]*shape[1]*shape[2])
	for _, block := range p.Data {
		if int64(len(block)) != shape[1] {
			return onnx.Tensor{}, fmt.Errorf("expected the dimensions %v, found %d rows", shape, len(block))
		}
		for i, row := range block {
			if int64(len(row)) != shape[2] {
				return onnx.Tensor{}, fmt.Errorf("expected the dimensions %v, found %d numbers in row %d", shape, len(row), i)
			}
			flat = append(flat, row...)
		}
	}
	return onnx.NewTensor(flat, shape...), nil
}

// voices returns the voices among the files, in the order of their names.
func voices(files engines.Files) []engines.Voice {
	var out []engines.Voice
	for role := range files {
		if id, ok := strings.CutPrefix(role, RoleVoice); ok {
			out = append(out, voice(id))
		}
	}
	slices.SortFunc(out, func(a, b engines.Voice) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// published is the form of the published voices' names.
var published = regexp.MustCompile(`^([FM])([1-9]\d*)$`)

// voice returns a voice by its name: F1 is shown as Female 1, other names as they are. Every voice speaks all
// languages of its model; English comes first.
func voice(id string) engines.Voice {
	v := engines.Voice{ID: id, Name: id, Language: "en"}
	if m := published.FindStringSubmatch(id); m != nil {
		v.Name, v.Gender = "Female "+m[2], "female"
		if m[1] == "M" {
			v.Name, v.Gender = "Male "+m[2], "male"
		}
	}
	return v
}

package piper

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/engines/onnx"
)

// signature returns the inputs and outputs of a voice's graph. The graph of one speaker has no input sid; frames is the
// output with the frames of each id, empty if there is none.
func signature(speakers int, frames string) onnx.Signature {
	s := onnx.Signature{
		Inputs: []onnx.Value{
			{Name: "input", Type: onnx.Int64, Rank: 2},         // [1, phonemes]
			{Name: "input_lengths", Type: onnx.Int64, Rank: 1}, // [1]
			{Name: "scales", Type: onnx.Float32, Rank: 1},      // [3]
		},
		// [1, 1, time] or [1, 1, 1, time], by the exporter.
		Outputs: []onnx.Value{{Name: "output", Type: onnx.Float32, Rank: onnx.AnyRank}},
	}
	if speakers > 1 {
		s.Inputs = append(s.Inputs, onnx.Value{Name: "sid", Type: onnx.Int64, Rank: 1})
	}
	if frames != "" {
		s.Outputs = append(s.Outputs, onnx.Value{Name: frames, Type: onnx.Float32, Rank: onnx.AnyRank}) // [1, 1, phonemes]
	}
	return s
}

// timing returns the tensor with the frames of each id: the second output that Piper's exporter can add, else, hidden
// in the graph, the output of its only Ceil (piper-tts 1.8.0, patch_voice_with_alignment.py). It is empty if there is
// none.
func timing(m onnx.Model) (frames string, hidden bool) {
	if len(m.Outputs) > 1 {
		if second := m.Outputs[1]; second.Type == onnx.Float32 || second.Type == onnx.Undefined {
			return second.Name, false
		}
		return "", false
	}
	frames, hidden = m.Made("Ceil")
	return frames, hidden
}

// graph is the voice's network.
type graph struct {
	session  *onnx.Session
	speakers int
	hop      int  // samples in a frame
	timed    bool // the graph returns the frames of each id
}

// scales are the inputs of the network besides the ids.
type scales struct {
	noise  float64 // of the sound
	length float64 // seconds per second of the voice's own pace
	noiseW float64 // of the phonemes' lengths
	seed   int64   // of both kinds of noise
}

// stage is the work of the graph in errors.
const stage = "making the sound of a sentence"

// run returns the samples of one sentence, and the frames of each id if the graph returns them; sid is the speaker's
// id, unused by a voice with one speaker.
func (g *graph) run(ctx context.Context, ids []int64, s scales, sid int64) (samples, frames []float32, err error) {
	inputs := []onnx.Tensor{
		onnx.NewTensor(ids, 1, int64(len(ids))),
		onnx.NewTensor([]int64{int64(len(ids))}, 1),
		onnx.NewTensor([]float32{float32(s.noise), float32(s.length), float32(s.noiseW)}, 3),
	}
	if g.speakers > 1 {
		inputs = append(inputs, onnx.NewTensor([]int64{sid}, 1))
	}
	out, err := g.session.RunSeeded(ctx, stage, s.seed, inputs...)
	if err != nil {
		return nil, nil, fmt.Errorf("run voice: %w", err)
	}
	if samples, err = out[0].Floats(); err != nil {
		return nil, nil, fmt.Errorf("read samples: %w", err)
	}
	if g.timed {
		frames, _ = out[1].Floats() // another type is no count of frames, and a voice can do without
	}
	return samples, frames, onnx.CheckFinite(stage, samples)
}

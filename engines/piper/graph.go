package piper

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/engines/onnx"
)

// signature is what a voice's graph takes and gives. The graph of one speaker refuses a sid.
func signature(speakers int) onnx.Signature {
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
	return s
}

// graph is the voice's network.
type graph struct {
	session  *onnx.Session
	speakers int
}

// scales are the numbers that the network takes beside the ids.
type scales struct {
	noise  float64 // of the sound
	length float64 // seconds per second of the voice's own pace
	noiseW float64 // of the phonemes' lengths
}

// stage is the work of the graph in errors.
const stage = "making the sound of a sentence"

// run makes the samples of one sentence; sid is the speaker's id, not used by a voice with one speaker.
func (g *graph) run(ctx context.Context, ids []int64, s scales, sid int64) ([]float32, error) {
	inputs := []onnx.Tensor{
		onnx.NewTensor(ids, 1, int64(len(ids))),
		onnx.NewTensor([]int64{int64(len(ids))}, 1),
		onnx.NewTensor([]float32{float32(s.noise), float32(s.length), float32(s.noiseW)}, 3),
	}
	if g.speakers > 1 {
		inputs = append(inputs, onnx.NewTensor([]int64{sid}, 1))
	}
	out, err := g.session.Run(ctx, stage, inputs...)
	if err != nil {
		return nil, fmt.Errorf("run voice: %w", err)
	}
	samples, err := out[0].Floats()
	if err != nil {
		return nil, fmt.Errorf("read samples: %w", err)
	}
	return samples, onnx.CheckFinite(stage, samples)
}

package kitten

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/engines/onnx"
)

// signature returns the inputs and outputs of every model's graph.
func signature() onnx.Signature {
	return onnx.Signature{
		Inputs: []onnx.Value{
			{Name: "input_ids", Type: onnx.Int64, Rank: 2}, // [1, ids]
			{Name: "style", Type: onnx.Float32, Rank: 2},   // [1, 256]
			{Name: "speed", Type: onnx.Float32, Rank: 1},   // [1]
		},
		Outputs: []onnx.Value{
			{Name: "waveform", Type: onnx.Float32, Rank: 1}, // [samples]
			{Name: "duration", Type: onnx.Int64, Rank: 1},   // [ids], in frames of 600 samples
		},
	}
}

// stage is the work of the graph in errors.
const stage = "making the sound of a sentence"

// request is the input of one run of the graph.
type request struct {
	symbols []symbol
	words   [][]word // those that the symbols sound for, by the spans of the symbols
	style   []float32
	speed   float32
	seed    int64
}

// run returns the samples of a request and how many frames each id takes.
func run(ctx context.Context, s *onnx.Session, r request) (samples []float32, frames []int64, err error) {
	ids := make([]int64, len(r.symbols))
	for i, symbol := range r.symbols {
		ids[i] = symbol.id
	}
	out, err := s.RunSeeded(ctx, stage, r.seed,
		onnx.NewTensor(ids, 1, int64(len(ids))),
		onnx.NewTensor(r.style, 1, styleSize),
		onnx.NewTensor([]float32{r.speed}, 1),
	)
	if err != nil {
		return nil, nil, fmt.Errorf("run model: %w", err)
	}
	if samples, err = out[0].Floats(); err != nil {
		return nil, nil, fmt.Errorf("read samples: %w", err)
	}
	if frames, err = out[1].Ints(); err != nil {
		return nil, nil, fmt.Errorf("read durations: %w", err)
	}
	return samples, frames, onnx.CheckFinite(stage, samples)
}

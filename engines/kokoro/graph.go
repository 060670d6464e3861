package kokoro

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// stage is the work of the graph in errors.
const stage = "making the sound of a text"

// sampleRate is the rate of every model of this family, in Hz.
const sampleRate = 24000

// The names of a graph's values. Exports differ: older ones call the ids tokens and the sound audio, and some say how many
// frames each id takes, as duration (exact) or durations (to be rounded).
const (
	nameIDs       = "input_ids"
	nameTokens    = "tokens"
	nameStyle     = "style"
	nameSpeed     = "speed"
	nameWaveform  = "waveform"
	nameAudio     = "audio"
	nameDuration  = "duration"
	nameDurations = "durations"
)

// graph is the model's network.
type graph struct {
	session   *onnx.Session
	whole     bool // it takes the speed as a whole number
	timed     bool // it says how many frames each id takes
	lengthens bool // the reference makes the pauses inside a batch longer: it does so for `duration`
}

// export is how a graph was exported: its inputs and outputs and what they mean.
type export struct {
	signature                onnx.Signature
	whole, timed, lengthened bool
}

// exportOf finds the names and types in a model. A mismatch is reported by the check of the signature.
func exportOf(m onnx.Model) export {
	var e export
	ids := onnx.Value{Name: nameIDs, Type: onnx.Int64, Rank: 2}       // [1, phonemes and 2 pads]
	speed := onnx.Value{Name: nameSpeed, Type: onnx.Float32, Rank: 1} // [1]
	sound := onnx.Value{Name: nameWaveform, Type: onnx.Float32, Rank: onnx.AnyRank}
	if _, ok := named(m.Inputs, nameTokens); ok {
		ids.Name = nameTokens
	}
	if v, ok := named(m.Inputs, nameSpeed); ok && v.Type == onnx.Int32 {
		speed.Type, e.whole = onnx.Int32, true
	}
	if _, ok := named(m.Outputs, nameAudio); ok {
		sound.Name = nameAudio
	}
	e.signature.Inputs = []onnx.Value{ids, {Name: nameStyle, Type: onnx.Float32, Rank: 2}, speed}
	e.signature.Outputs = []onnx.Value{sound}
	frames := onnx.Value{Name: nameDurations, Type: onnx.Float32, Rank: onnx.AnyRank} // [1, ids]
	if _, ok := named(m.Outputs, nameDuration); ok {
		frames, e.lengthened = onnx.Value{Name: nameDuration, Type: onnx.Int64, Rank: onnx.AnyRank}, true // [ids]
	}
	if _, ok := named(m.Outputs, frames.Name); ok {
		e.signature.Outputs, e.timed = append(e.signature.Outputs, frames), true
	}
	return e
}

func named(values []onnx.Value, name string) (onnx.Value, bool) {
	for _, v := range values {
		if v.Name == name {
			return v, true
		}
	}
	return onnx.Value{}, false
}

// like reports whether a graph has the inputs of this family.
func like(m onnx.Model) bool {
	_, ids := named(m.Inputs, nameIDs)
	_, tokens := named(m.Inputs, nameTokens)
	_, style := named(m.Inputs, nameStyle)
	_, speed := named(m.Inputs, nameSpeed)
	return (ids || tokens) && style && speed
}

// inspect reads the structure of a graph. One with float16 values, as some variants in the same repository have, is
// backend.CodeEngineMismatch: the file is intact, but this build cannot run it.
func inspect(path string) (onnx.Model, error) {
	model, err := onnx.Inspect(path)
	if err != nil {
		return onnx.Model{}, err
	}
	for _, v := range slices.Concat(model.Inputs, model.Outputs) {
		if v.Type == onnx.Float16 {
			file := filepath.Base(path)
			return onnx.Model{}, backend.E(backend.CodeEngineMismatch,
				fmt.Sprintf("Voicewright does not run the variant %s: its value %s is float16.", file, v.Name),
				"Use kokoro (model.onnx) or kokoro-q8 (model_quantized.onnx) instead.").With("file", file)
		}
	}
	return model, nil
}

// open loads the graph at path.
func open(ctx context.Context, runtime *onnx.Runtime, path string, o onnx.SessionOptions) (*graph, error) {
	model, err := inspect(path)
	if err != nil {
		return nil, err
	}
	e := exportOf(model)
	session, err := runtime.Open(ctx, path, e.signature, o)
	if err != nil {
		return nil, err
	}
	return &graph{session: session, whole: e.whole, timed: e.timed, lengthens: e.lengthened}, nil
}

// run returns the samples of a batch, and the frames of each id if the graph returns them, else nil. style has 256 values.
func (g *graph) run(
	ctx context.Context, ids []int64, style []float32, speed float64, seed int64,
) (samples []float32, frames []float64, err error) {
	inputs := []onnx.Tensor{
		onnx.NewTensor(ids, 1, int64(len(ids))), onnx.NewTensor(style, 1, int64(len(style))), g.speed(speed),
	}
	out, err := g.session.RunSeeded(ctx, stage, seed, inputs...)
	if err != nil {
		return nil, nil, fmt.Errorf("run voice: %w", err)
	}
	if samples, err = out[0].Floats(); err != nil {
		return nil, nil, fmt.Errorf("read samples: %w", err)
	}
	if err := onnx.CheckFinite(stage, samples); err != nil {
		return nil, nil, err
	}
	if g.timed {
		if frames, err = framesOf(out[1]); err != nil {
			return nil, nil, err
		}
		if len(frames) != len(ids) {
			return nil, nil, engines.Failed(stage, fmt.Errorf("%d lengths for %d phonemes", len(frames), len(ids)))
		}
	}
	return samples, frames, nil
}

// speed returns the input for a speed.
func (g *graph) speed(speed float64) onnx.Tensor {
	if g.whole {
		return onnx.NewTensor([]int32{whole(speed)}, 1)
	}
	return onnx.NewTensor([]float32{float32(speed)}, 1)
}

// whole returns the speed for a graph that takes whole numbers: the nearest one, at least 1, as in kokoro-onnx.
func whole(speed float64) int32 { return max(1, int32(math.RoundToEven(speed))) }

// framesOf returns the frames of each id: whole numbers unchanged, others rounded to at least 1.
func framesOf(t onnx.Tensor) ([]float64, error) {
	if exact, err := t.Ints(); err == nil {
		out, sum := make([]float64, len(exact)), int64(0)
		for i, n := range exact {
			out[i] = float64(n)
			if n < 0 {
				return nil, engines.Failed(stage, errors.New("the graph returned a negative length"))
			}
			sum += n
		}
		if sum == 0 {
			return nil, engines.Failed(stage, errors.New("the graph returned no length"))
		}
		return out, nil
	}
	raw, err := t.Floats()
	if err != nil {
		return nil, fmt.Errorf("read lengths: %w", err)
	}
	if err := onnx.CheckFinite(stage, raw); err != nil {
		return nil, err
	}
	out := make([]float64, len(raw))
	for i, n := range raw {
		out[i] = max(1, math.RoundToEven(float64(n)))
	}
	return out, nil
}

package moss

import (
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The work of each graph, as errors call it.
const (
	stagePrompt = "reading the text"
	stageFrame  = "choosing the sounds"
	stageStep   = "following the speech"
	stageDecode = "making the sound"
	stageEncode = "listening to the sample"
)

// graphs are the five networks of a model that this engine uses.
type graphs struct {
	config  config
	prefill *onnx.Session // prompt to hidden states, keys and values
	step    *onnx.Session // the same for one row more
	frame   *onnx.Session // hidden state to the codes of one frame
	decode  *onnx.Session // codes to sound
	encode  *onnx.Session // sound to codes
}

// tensors of the graphs.
func float(name string, rank int) onnx.Value {
	return onnx.Value{Name: name, Type: onnx.Float32, Rank: rank}
}

func whole(name string, rank int) onnx.Value {
	return onnx.Value{Name: name, Type: onnx.Int32, Rank: rank}
}

// memory returns the keys and values with these names.
func memory(names []string) []onnx.Value {
	out := make([]onnx.Value, len(names))
	for i, name := range names {
		out[i] = float(name, 4)
	}
	return out
}

// signatures returns what the graph of each role takes and returns.
func (c config) signatures() map[string]onnx.Signature {
	names := c.meta.Names
	decode := onnx.Signature{
		Inputs:  []onnx.Value{whole("audio_codes", 3), whole("audio_code_lengths", 1)},
		Outputs: []onnx.Value{float("audio", 3), whole("audio_lengths", 1)},
	}
	for _, s := range c.codec.states() {
		kind := onnx.Float32
		if s.ints {
			kind = onnx.Int32
		}
		decode.Inputs = append(decode.Inputs, onnx.Value{Name: s.in, Type: kind, Rank: len(s.shape)})
		decode.Outputs = append(decode.Outputs, onnx.Value{Name: s.out, Type: kind, Rank: len(s.shape)})
	}
	return map[string]onnx.Signature{
		RolePrefill: {
			Inputs:  []onnx.Value{whole("input_ids", 3), whole("attention_mask", 2)},
			Outputs: append([]onnx.Value{float(names.Prefill[0], 3)}, memory(names.Prefill[1:])...),
		},
		RoleStep: {
			Inputs:  append([]onnx.Value{whole(names.Inputs[0], 3), whole(names.Inputs[1], 1)}, memory(names.Inputs[2:])...),
			Outputs: append([]onnx.Value{float(names.Outputs[0], 3)}, memory(names.Outputs[1:])...),
		},
		RoleFrame: {
			Inputs: []onnx.Value{
				float("global_hidden", 2), whole("repetition_seen_mask", 3), float("assistant_random_u", 1), float("audio_random_u", 2),
			},
			Outputs: []onnx.Value{whole("should_continue", 2), whole("frame_token_ids", 2)},
		},
		RoleDecode: decode,
		RoleEncode: {
			Inputs:  []onnx.Value{float("waveform", 3), whole("input_lengths", 1)},
			Outputs: []onnx.Value{whole("audio_codes", 3), whole("audio_code_lengths", 1)},
		},
	}
}

// openGraphs loads the graphs. Errors: those of onnx.Runtime.Open, which name the file.
func openGraphs(ctx context.Context, r *onnx.Runtime, files engines.Files, c config, o onnx.SessionOptions) (*graphs, error) {
	g, want := &graphs{config: c}, c.signatures()
	for _, one := range []struct {
		role string
		to   **onnx.Session
	}{
		{RolePrefill, &g.prefill},
		{RoleStep, &g.step},
		{RoleFrame, &g.frame},
		{RoleDecode, &g.decode},
		{RoleEncode, &g.encode},
	} {
		session, err := r.Open(ctx, files[one.role], want[one.role], o)
		if err != nil {
			return nil, errors.Join(err, g.sessions().Close())
		}
		*one.to = session
	}
	return g, nil
}

func (g *graphs) sessions() onnx.Sessions {
	return onnx.Sessions{g.prefill, g.step, g.frame, g.decode, g.encode}
}

// count returns the one number in an output that says how much of another one counts, from 0 to limit.
func count(stage string, t onnx.Tensor, limit int64) (int, error) {
	n, err := t.Int32s()
	if err != nil || len(n) != 1 || n[0] < 0 || int64(n[0]) > limit {
		return 0, engines.Failed(stage, fmt.Errorf("the length is %v, not one number up to %d: %w", n, limit, err))
	}
	return int(n[0]), nil
}

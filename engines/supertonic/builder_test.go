package supertonic

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// built is the inputs and the output of the graph of one role; the tests write such graphs by hand.
type built struct {
	inputs []tensor
	output tensor
}

type tensor struct {
	name string
	elem uint64
	rank int
}

// builds returns the inputs and the output of each role.
func builds(t testing.TB, role string) built {
	t.Helper()
	ids, mask, latent := tensor{"text_ids", onnxtest.Int64, 2}, tensor{"text_mask", onnxtest.Float32, 3}, tensor{"style_ttl", onnxtest.Float32, 3}
	all := map[string]built{
		RoleDuration: {[]tensor{ids, {"style_dp", onnxtest.Float32, 3}, mask}, tensor{"duration", onnxtest.Float32, 1}},
		RoleEncoder:  {[]tensor{ids, latent, mask}, tensor{"text_emb", onnxtest.Float32, 3}},
		RoleEstimator: {[]tensor{
			{"noisy_latent", onnxtest.Float32, 3},
			{"text_emb", onnxtest.Float32, 3},
			latent,
			{"latent_mask", onnxtest.Float32, 3},
			mask,
			{"current_step", onnxtest.Float32, 1},
			{"total_step", onnxtest.Float32, 1},
		}, tensor{"denoised_latent", onnxtest.Float32, 3}},
		RoleVocoder: {[]tensor{{"latent", onnxtest.Float32, 3}}, tensor{"wav_tts", onnxtest.Float32, 2}},
	}
	require.Contains(t, all, role)
	return all[role]
}

// model returns an ONNX file with these nodes, one of which makes the output.
func (b built) model(nodes ...[]byte) []byte {
	for _, in := range b.inputs {
		nodes = append(nodes, onnxtest.Value(onnxtest.Input, in.name, in.elem, in.rank))
	}
	return onnxtest.Model(17, append(nodes, onnxtest.Value(onnxtest.Output, b.output.name, b.output.elem, b.output.rank))...)
}

// float and shape are Constant nodes: a scalar and a list of whole numbers.
func float(output string, v float32) []byte {
	value := binary.LittleEndian.AppendUint32([]byte{2<<3 | 5}, math.Float32bits(v))
	return onnxtest.Node("Constant", output, nil, append(onnxtest.Bytes(1, []byte("value_float")), append(value, onnxtest.Number(20, 1)...)...))
}

func shape(output string, dims ...int64) []byte {
	attribute := onnxtest.Bytes(1, []byte("value_ints"))
	for _, d := range dims {
		attribute = append(attribute, onnxtest.Number(8, uint64(d))...)
	}
	return onnxtest.Node("Constant", output, nil, append(attribute, onnxtest.Number(20, 7)...))
}

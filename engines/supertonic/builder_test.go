package supertonic

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// built is what a graph of one role takes and gives; the tests below write such graphs by hand (onnx.proto).
type built struct {
	inputs []tensor
	output tensor
}

type tensor struct {
	name string
	elem uint64
	rank int
}

const (
	elemFloat = 1
	elemInt32 = 6
	elemInt64 = 7
)

// builds returns the inputs and the output of each role.
func builds(t testing.TB, role string) built {
	t.Helper()
	ids, mask, latent := tensor{"text_ids", elemInt64, 2}, tensor{"text_mask", elemFloat, 3}, tensor{"style_ttl", elemFloat, 3}
	all := map[string]built{
		RoleDuration: {[]tensor{ids, {"style_dp", elemFloat, 3}, mask}, tensor{"duration", elemFloat, 1}},
		RoleEncoder:  {[]tensor{ids, latent, mask}, tensor{"text_emb", elemFloat, 3}},
		RoleEstimator: {[]tensor{
			{"noisy_latent", elemFloat, 3},
			{"text_emb", elemFloat, 3},
			latent,
			{"latent_mask", elemFloat, 3},
			mask,
			{"current_step", elemFloat, 1},
			{"total_step", elemFloat, 1},
		}, tensor{"denoised_latent", elemFloat, 3}},
		RoleVocoder: {[]tensor{{"latent", elemFloat, 3}}, tensor{"wav_tts", elemFloat, 2}},
	}
	require.Contains(t, all, role)
	return all[role]
}

// model is an ONNX file with these nodes, one of which gives the output.
func (b built) model(nodes ...[]byte) []byte {
	graph := field(2, []byte("test"))
	for _, n := range nodes {
		graph = append(graph, n...)
	}
	for _, in := range b.inputs {
		graph = append(graph, in.field(11)...)
	}
	graph = append(graph, b.output.field(12)...)
	out := number(1, 8)
	out = append(out, field(8, field(1, nil), number(2, 17))...)
	return append(out, field(7, graph)...)
}

func (v tensor) field(at int) []byte {
	var shape []byte
	for i := range v.rank {
		shape = append(shape, field(1, field(2, fmt.Appendf(nil, "%s_%d", v.name, i)))...)
	}
	return field(at, field(1, []byte(v.name)), field(2, field(1, number(1, v.elem), field(2, shape))))
}

func node(op, output string, inputs []string, attributes ...[]byte) []byte {
	var body []byte
	for _, in := range inputs {
		body = append(body, field(1, []byte(in))...)
	}
	body = append(body, field(2, []byte(output))...)
	body = append(body, field(4, []byte(op))...)
	for _, a := range attributes {
		body = append(body, field(5, a)...)
	}
	return field(1, body)
}

// float and shape are Constant nodes: a scalar and a list of whole numbers.
func float(output string, v float32) []byte {
	value := binary.LittleEndian.AppendUint32([]byte{2<<3 | 5}, math.Float32bits(v))
	return node("Constant", output, nil, append(field(1, []byte("value_float")), append(value, number(20, 1)...)...))
}

func shape(output string, dims ...int64) []byte {
	attribute := field(1, []byte("value_ints"))
	for _, d := range dims {
		attribute = append(attribute, number(8, uint64(d))...)
	}
	return node("Constant", output, nil, append(attribute, number(20, 7)...))
}

func intAttribute(name string, v uint64) []byte {
	return append(field(1, []byte(name)), append(number(3, v), number(20, 2)...)...)
}

func field(at int, parts ...[]byte) []byte {
	var body []byte
	for _, p := range parts {
		body = append(body, p...)
	}
	out := binary.AppendUvarint(nil, uint64(at)<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(body))), body...)
}

func number(at int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(at)<<3), v)
}

func join(nodes ...[]byte) (out []byte) {
	for _, n := range nodes {
		out = append(out, n...)
	}
	return out
}

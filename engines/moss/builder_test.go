package moss

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// with returns the kit's model with the graph of one role replaced by these nodes.
func with(t testing.TB, role string, nodes ...[]byte) *Engine {
	t.Helper()
	e := *openKit(t)
	g := *e.graphs
	e.graphs = &g
	path := filepath.Join(t.TempDir(), "replaced.onnx")
	require.NoError(t, os.WriteFile(path, graph(g.config.signatures()[role], nodes...), 0o600))
	session, err := library(t).Open(t.Context(), path, g.config.signatures()[role], onnx.SessionOptions{Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	*map[string]**onnx.Session{RolePrefill: &g.prefill, RoleStep: &g.step, RoleFrame: &g.frame, RoleDecode: &g.decode, RoleEncode: &g.encode}[role] = session
	e.samples = newSamples(&g, engines.Options{})
	return &e
}

// graph returns an ONNX file with these nodes.
func graph(s onnx.Signature, nodes ...[]byte) []byte {
	for _, v := range s.Inputs {
		nodes = append(nodes, onnxtest.Value(onnxtest.Input, v.Name, uint64(v.Type), v.Rank))
	}
	for _, v := range s.Outputs {
		nodes = append(nodes, onnxtest.Value(onnxtest.Output, v.Name, uint64(v.Type), v.Rank))
	}
	return onnxtest.Model(17, nodes...)
}

// number makes a tensor with the same number everywhere.
func number(output string, v float64, kind onnx.Type, dims ...int64) []byte {
	value := binary.LittleEndian.AppendUint32([]byte{2<<3 | 5}, math.Float32bits(float32(v)))
	return onnxtest.Join(
		onnxtest.Node("Constant", output+".value", nil, append(onnxtest.Bytes(1, []byte("value_float")), append(value, onnxtest.Number(20, 1)...)...)),
		shape(output+".dims", dims...), onnxtest.Node("Expand", output+".all", []string{output + ".value", output + ".dims"}),
		onnxtest.Node("Cast", output, []string{output + ".all"}, onnxtest.Int("to", uint64(kind))))
}

// shape makes a list of whole numbers.
func shape(output string, dims ...int64) []byte {
	attribute := onnxtest.Bytes(1, []byte("value_ints"))
	for _, d := range dims {
		attribute = append(attribute, onnxtest.Number(8, uint64(d))...)
	}
	return onnxtest.Node("Constant", output, nil, append(attribute, onnxtest.Number(20, 7)...))
}

// chosen is a local frame graph that always returns the same.
func chosen(more, code float64) []byte {
	return onnxtest.Join(number("should_continue", more, onnx.Int32, 1, 1), number("frame_token_ids", code, onnx.Int32, 1, 16))
}

// sounding is a codec that always returns the same sound of so many samples, and keeps its states.
func sounding(t testing.TB, v float64, channels, samples, length int64) []byte {
	t.Helper()
	c, err := readCodec(kit(t, repos, filepath.FromSlash(codecFile)))
	require.NoError(t, err)
	nodes := onnxtest.Join(number("audio", v, onnx.Float32, 1, channels, samples), number("audio_lengths", float64(length), onnx.Int32, 1))
	for _, s := range c.states() {
		nodes = append(nodes, onnxtest.Node("Identity", s.out, []string{s.in})...)
	}
	return nodes
}

// prompted is a prefill graph whose hidden states are v everywhere, of so many numbers each.
func prompted(v float64, hidden int64) []byte {
	nodes := onnxtest.Join(
		onnxtest.Node("Cast", "mask", []string{"attention_mask"}, onnxtest.Int("to", onnxtest.Float32)),
		shape("row", 1, -1, 1), onnxtest.Node("Reshape", "rows", []string{"mask", "row"}),
		number("v", v, onnx.Float32, 1, 1, hidden), onnxtest.Node("Mul", "global_hidden", []string{"rows", "v"}),
		shape("heads", 1, -1, 1, 1), onnxtest.Node("Reshape", "places", []string{"mask", "heads"}), number("one", 1, onnx.Float32, 1, 1, 2, 8))
	for _, name := range []string{"present_key_0", "present_value_0", "present_key_1", "present_value_1"} {
		nodes = append(nodes, onnxtest.Node("Mul", name, []string{"places", "one"})...)
	}
	return nodes
}

// followed is a step graph whose hidden state is v everywhere.
func followed(v float64) []byte {
	nodes := onnxtest.Join(number("global_hidden", v, onnx.Float32, 1, 1, 16), number("one", 1, onnx.Float32, 1, 1, 2, 8))
	for _, name := range []string{"key_0", "value_0", "key_1", "value_1"} {
		nodes = append(nodes, onnxtest.Node("Concat", "present_"+name, []string{"past_" + name, "one"}, onnxtest.Int("axis", 1))...)
	}
	return nodes
}

// heard is an encoder that always returns the same codes.
func heard(code float64, frames, channels, length int64) []byte {
	return onnxtest.Join(number("audio_codes", code, onnx.Int32, 1, frames, channels), number("audio_code_lengths", float64(length), onnx.Int32, 1))
}

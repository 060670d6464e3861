package pocket

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
	"github.com/voicewright/voicewright/engines/voicecache"
)

// built is the inputs and outputs of the graph of one role; the tests write such graphs by hand.
type built struct{ inputs, outputs []onnx.Value }

// builds returns the inputs and outputs of a role in the kit's bundle.
func builds(t testing.TB, role string) built {
	t.Helper()
	b := openKit(t, "int8").graphs.bundle
	main := stateful(b.Flow, []onnx.Value{float("sequence", 3), float("text_embeddings", 3)},
		[]onnx.Value{float("conditioning", 2), float("eos_logit", 2)})
	decoder := stateful(b.Mimi, []onnx.Value{float("latent", 3)}, []onnx.Value{float("audio_frame", 3)})
	all := map[string]built{
		RoleEncoder: {[]onnx.Value{float("audio", 3)}, []onnx.Value{float("latents", 3)}},
		RoleText:    {[]onnx.Value{{Name: "token_ids", Type: onnx.Int64, Rank: 2}}, []onnx.Value{float("embeddings", 3)}},
		RoleMain:    {main.Inputs, main.Outputs},
		RoleFlow:    {[]onnx.Value{float("c", 2), float("s", 2), float("t", 2), float("x", 2)}, []onnx.Value{float("flow_dir", 2)}},
		RoleDecoder: {decoder.Inputs, decoder.Outputs},
	}
	require.Contains(t, all, role)
	return all[role]
}

// model returns an ONNX file with these nodes, which make the outputs other than the states; those are passed through.
func (b built) model(nodes ...[]byte) []byte {
	parts := nodes
	for _, in := range b.inputs {
		parts = append(parts, onnxtest.Value(onnxtest.Input, in.Name, uint64(in.Type), in.Rank))
		for _, out := range b.outputs {
			if out.Name == "out_"+in.Name {
				parts = append(parts, onnxtest.Node("Identity", out.Name, []string{in.Name}))
			}
		}
	}
	for _, out := range b.outputs {
		parts = append(parts, onnxtest.Value(onnxtest.Output, out.Name, uint64(out.Type), out.Rank))
	}
	return onnxtest.Model(17, parts...)
}

// with returns the kit's model with one graph replaced by these nodes.
func with(t testing.TB, role string, nodes ...[]byte) *Engine {
	t.Helper()
	b := builds(t, role)
	at := filepath.Join(t.TempDir(), role+onnx.GraphExt)
	require.NoError(t, os.WriteFile(at, b.model(nodes...), 0o600))
	session, err := library(t).Open(t.Context(), at, onnx.Signature{Inputs: b.inputs, Outputs: b.outputs}, onnx.SessionOptions{Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	e := changed(t, openKit(t, "int8"), json.RawMessage(`{}`))
	e.voices = voicecache.New(voicecache.Options[*voice]{Name: t.Name(), Encode: store, Decode: e.graphs.bundle.restore})
	*map[string]**onnx.Session{
		RoleEncoder: &e.graphs.encoder, RoleText: &e.graphs.text, RoleMain: &e.graphs.main, RoleFlow: &e.graphs.flow, RoleDecoder: &e.graphs.decoder,
	}[role] = session
	return e
}

// filled makes a tensor of this shape with one value.
func filled(output string, v float32, dims ...int64) []byte {
	return onnxtest.Join(scalar(output+"_v", v), shape(output+"_d", dims...),
		onnxtest.Node("Expand", output, []string{output + "_v", output + "_d"}))
}

// scalar and shape are Constant nodes: one number, and a list of whole numbers.
func scalar(output string, v float32) []byte {
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

// mainEnding makes the outputs of the main graph with this logit of the end; the conditioning is 0.5.
func mainEnding(t testing.TB, logit float32) []byte {
	t.Helper()
	dim := int64(openKit(t, "int8").graphs.bundle.Dim)
	return onnxtest.Join(filled("conditioning", 0.5, 1, dim), filled("eos_logit", logit, 1, 1))
}

// decoderOf makes audio_frame of copies of the latent times a factor, so that the length is right.
func decoderOf(t testing.TB, factor float32) []byte {
	t.Helper()
	b := openKit(t, "int8").graphs.bundle
	copies := make([]string, b.Frame/b.Latent)
	for i := range copies {
		copies[i] = "scaled"
	}
	return onnxtest.Join(shape("row", 1, 1, -1), onnxtest.Node("Reshape", "flat", []string{"latent", "row"}), scalar("factor", factor),
		onnxtest.Node("Mul", "scaled", []string{"flat", "factor"}), onnxtest.Node("Concat", "audio_frame", copies, onnxtest.Int("axis", 2)))
}

// slow takes many seconds to make m, one number: matrices made of an input, multiplied one after another.
func slow(input string, cast bool) []byte {
	from := input
	var nodes []byte
	if cast {
		from = "as_float"
		nodes = onnxtest.Node("Cast", from, []string{input}, onnxtest.Int("to", onnxtest.Float32))
	}
	nodes = onnxtest.Join(nodes, onnxtest.Node("ReduceSum", "all", []string{from}, onnxtest.Int("keepdims", 0)),
		shape("square", 1024, 1024), onnxtest.Node("Expand", "m0", []string{"all", "square"}))
	const products = 400
	for i := range products {
		nodes = append(nodes, onnxtest.Node("MatMul", fmt.Sprintf("m%d", i+1), []string{fmt.Sprintf("m%d", i), "m0"})...)
	}
	return onnxtest.Join(nodes, onnxtest.Node("ReduceSum", "m", []string{fmt.Sprintf("m%d", products)}, onnxtest.Int("keepdims", 0)))
}

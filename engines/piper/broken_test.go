package piper

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// TestGraphsThatFail speaks with small graphs that are written here: they have a voice's inputs and give what no
// voice may give.
func TestGraphsThatFail(t *testing.T) {
	zero := []byte{}
	zero = append(zero, node("Cast", "f", []string{"input"}, field(5, field(1, []byte("to")), number(3, 1), number(20, 2)))...)
	zero = append(zero, node("Sub", "zero", []string{"f", "f"})...)
	for name, tt := range map[string]struct {
		last []byte
		says string
	}{
		"silence":          {node("Identity", "output", []string{"zero"}), "only silence"},
		"not numbers":      {node("Div", "output", []string{"zero", "zero"}), "failed"},
		"infinite numbers": {node("Div", "output", []string{"f", "zero"}), "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"a.onnx.json": "<config>", "a.onnx": string(model(zero, tt.last))})
			e := openAt(t, dir, letters{}, 0)
			err := e.Speak(t.Context(), engines.Utterance{Text: "Hello."}, func(audio.Buffer) error {
				t.Error("a broken sentence is emitted")
				return nil
			})
			require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Contains(t, backend.AsError(err).Detail, stage)
			require.Equal(t, stage, backend.AsError(err).Params["stage"])
		})
	}
}

// TestGraphsOfAnotherShapeAreRefused: opening names the file, the tensor, what was expected and what was found.
func TestGraphsOfAnotherShapeAreRefused(t *testing.T) {
	input, lengths, given, output := voiceValues()[0], voiceValues()[1], voiceValues()[2], voiceValues()[3]
	for name, tt := range map[string]struct {
		values [][]byte
		says   []string
	}{
		"type of an input": {
			[][]byte{value(11, "input", 1, 2), lengths, given, output},
			[]string{"expected input int64 rank 2", "found input float32 rank 2"},
		},
		"rank of an input": {
			[][]byte{input, value(11, "input_lengths", 7, 2), given, output},
			[]string{"expected input_lengths int64 rank 1", "found input_lengths int64 rank 2"},
		},
		"missing input": {[][]byte{input, lengths, output}, []string{"no input scales float32 rank 1"}},
		"unknown input": {[][]byte{input, lengths, given, value(11, "style", 1, 1), output}, []string{"style float32 rank 1"}},
		"type of the output": {
			[][]byte{input, lengths, given, value(12, "output", 7, 2)},
			[]string{"expected output float32", "found output int64"},
		},
		"name of the output": {[][]byte{input, lengths, given, value(12, "sound", 1, 2)}, []string{"no output output float32", "sound"}},
	} {
		t.Run(name, func(t *testing.T) {
			graph := modelWith(tt.values, node("Cast", "output", []string{"input"}))
			d := NewDriver(library(t), letters{})
			files, ok, err := d.Find(folder(t, map[string]string{"a.onnx.json": "<config>", "a.onnx": string(graph)}))
			require.NoError(t, err)
			require.True(t, ok)
			_, err = d.Open(t.Context(), files, engines.Options{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			for _, word := range append(tt.says, "a.onnx") {
				require.Contains(t, backend.AsError(err).Detail, word)
			}
		})
	}
}

// TestCutGraphWhileOpening: a file that loses its end between Find and Open is named, too.
func TestCutGraphWhileOpening(t *testing.T) {
	dir := folder(t, map[string]string{"a.onnx.json": "<config>", "a.onnx": "<graph>"})
	d := NewDriver(library(t), letters{})
	files, ok, err := d.Find(dir)
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, os.Truncate(filepath.Join(dir, "a.onnx"), 20000))
	_, err = d.Open(t.Context(), files, engines.Options{})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.Equal(t, "a.onnx", backend.AsError(err).Params["file"])
}

// model is an ONNX file (onnx.proto) with a voice's inputs, one output and the given nodes.
func model(nodes ...[]byte) []byte { return modelWith(voiceValues(), nodes...) }

// voiceValues are the inputs and the output of a voice.
func voiceValues() [][]byte {
	return [][]byte{
		value(11, "input", 7, 2), value(11, "input_lengths", 7, 1), value(11, "scales", 1, 1), value(12, "output", 1, 2),
	}
}

func modelWith(values [][]byte, nodes ...[]byte) []byte {
	graph := field(2, []byte("test"))
	for _, part := range append(nodes, values...) {
		graph = append(graph, part...)
	}
	out := append(number(1, 8), field(8, number(2, 15))...)
	return append(out, field(7, graph)...)
}

func node(op, output string, inputs []string, attributes ...[]byte) []byte {
	var body []byte
	for _, in := range inputs {
		body = append(body, field(1, []byte(in))...)
	}
	body = append(body, field(2, []byte(output))...)
	body = append(body, field(4, []byte(op))...)
	for _, a := range attributes {
		body = append(body, a...)
	}
	return field(1, body)
}

func value(at int, name string, elem uint64, rank int) []byte {
	var shape []byte
	for range rank {
		shape = append(shape, field(1, field(2, []byte(name)))...)
	}
	return field(at, field(1, []byte(name)), field(2, field(1, number(1, elem), field(2, shape))))
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

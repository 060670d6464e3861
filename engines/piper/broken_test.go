package piper

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// TestGraphsThatFail speaks with small graphs that have a voice's inputs and return invalid output.
func TestGraphsThatFail(t *testing.T) {
	zero := []byte{}
	zero = append(zero, onnxtest.Node("Cast", "f", []string{"input"}, onnxtest.Int("to", onnxtest.Float32))...)
	zero = append(zero, onnxtest.Node("Sub", "zero", []string{"f", "f"})...)
	for name, tt := range map[string]struct {
		last []byte
		says string
	}{
		"silence":          {onnxtest.Node("Identity", "output", []string{"zero"}), "only silence"},
		"not numbers":      {onnxtest.Node("Div", "output", []string{"zero", "zero"}), "failed"},
		"infinite numbers": {onnxtest.Node("Div", "output", []string{"f", "zero"}), "failed"},
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
			[][]byte{onnxtest.Value(onnxtest.Input, "input", 1, 2), lengths, given, output},
			[]string{"expected input int64 rank 2", "found input float32 rank 2"},
		},
		"rank of an input": {
			[][]byte{input, onnxtest.Value(onnxtest.Input, "input_lengths", 7, 2), given, output},
			[]string{"expected input_lengths int64 rank 1", "found input_lengths int64 rank 2"},
		},
		"missing input": {[][]byte{input, lengths, output}, []string{"no input scales float32 rank 1"}},
		"unknown input": {[][]byte{input, lengths, given, onnxtest.Value(onnxtest.Input, "style", 1, 1), output}, []string{"style float32 rank 1"}},
		"type of the output": {
			[][]byte{input, lengths, given, onnxtest.Value(onnxtest.Output, "output", 7, 2)},
			[]string{"expected output float32", "found output int64"},
		},
		"name of the output": {[][]byte{input, lengths, given, onnxtest.Value(onnxtest.Output, "sound", 1, 2)}, []string{"no output output float32", "sound"}},
	} {
		t.Run(name, func(t *testing.T) {
			graph := onnxtest.Model(15, append(tt.values, onnxtest.Node("Cast", "output", []string{"input"}))...)
			d := NewDriver(library(t), letters{})
			files := enginetest.Find(t, d, folder(t, map[string]string{"a.onnx.json": "<config>", "a.onnx": string(graph)}))
			_, err := d.Open(t.Context(), files, engines.Options{})
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

// model returns an ONNX file with a voice's inputs, one output and the given nodes.
func model(nodes ...[]byte) []byte { return onnxtest.Model(15, append(nodes, voiceValues()...)...) }

// voiceValues are the inputs and the output of a voice.
func voiceValues() [][]byte {
	return [][]byte{
		onnxtest.Value(onnxtest.Input, "input", 7, 2), onnxtest.Value(onnxtest.Input, "input_lengths", 7, 1), onnxtest.Value(onnxtest.Input, "scales", 1, 1), onnxtest.Value(onnxtest.Output, "output", 1, 2),
	}
}

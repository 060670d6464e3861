package kitten

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// nodes returns the shared nodes of the graphs in this file. They make 600 samples for each id: `base` holds the ids as
// numbers, each 600 times, and `duration` the ones.
func nodes() []byte {
	var out []byte
	add := func(n []byte) { out = append(out, n...) }
	add(onnxtest.Node("Cast", "f", []string{"input_ids"}, onnxtest.Int("to", onnxtest.Float32)))
	add(onnxtest.Node("Transpose", "tall", []string{"f"}))
	add(onnxtest.Node("Tile", "wide", []string{"tall", "by"}))
	add(onnxtest.Node("Reshape", "base", []string{"wide", "flat"}))
	add(onnxtest.Node("Sub", "zeros", []string{"base", "base"}))
	add(onnxtest.Node("Mul", "nothing", []string{"input_ids", "none"}))
	add(onnxtest.Node("Add", "ones", []string{"nothing", "one"}))
	add(onnxtest.Node("Reshape", "duration", []string{"ones", "flat"}))
	return out
}

// writeModel makes a folder of a model with a graph of its own, which ends in the nodes that make the waveform.
func writeModel(t *testing.T, last ...[]byte) string {
	t.Helper()
	return folder(t, map[string][]byte{nanoGraph: model("waveform", 1, last...)})
}

// randomModel makes a folder of a model whose sound is noise that the graph draws, louder for each word.
func randomModel(t *testing.T) string {
	t.Helper()
	return writeModel(t,
		onnxtest.Node("RandomNormalLike", "noise", []string{"base"}),
		onnxtest.Node("Tanh", "waveform", []string{"noise"}),
	)
}

// TestGraphsThatFail speaks with graphs that return invalid output.
func TestGraphsThatFail(t *testing.T) {
	for name, tt := range map[string]struct {
		last []byte
		says string
	}{
		"silence":          {onnxtest.Node("Identity", "waveform", []string{"zeros"}), "only silence"},
		"not numbers":      {onnxtest.Node("Div", "waveform", []string{"zeros", "zeros"}), "failed"},
		"infinite numbers": {onnxtest.Node("Div", "waveform", []string{"base", "zeros"}), "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, writeModel(t, tt.last), letters{}, 0)
			err := e.Speak(t.Context(), engines.Utterance{Text: "Hello there."}, func(audio.Buffer) error {
				t.Error("a broken sentence is emitted")
				return nil
			})
			require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err), "%v", err)
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Contains(t, backend.AsError(err).Detail, stage)
			require.Equal(t, stage, backend.AsError(err).Params["stage"])
		})
	}
}

// TestGraphsOfAnotherKind are refused when they are opened, and the error says what is wrong with which file.
func TestGraphsOfAnotherKind(t *testing.T) {
	wave := onnxtest.Node("Identity", "waveform", []string{"base"})
	for name, tt := range map[string]struct {
		graph []byte
		says  string
	}{
		"another output":      {model("audio", 1, onnxtest.Node("Identity", "audio", []string{"base"})), "has no output waveform"},
		"rank of the output":  {model("waveform", 2, wave), "expected waveform float32 rank 1, found waveform float32 rank 2"},
		"one input more":      {model("waveform", 1, wave, onnxtest.Value(onnxtest.Input, "speaker", 7, 1)), "requires the input speaker int64 rank 1"},
		"type of the speed":   {kindModel(6, 2), "expected speed float32 rank 1, found speed int32 rank 1"},
		"rank of the style":   {kindModel(1, 3), "expected style float32 rank 2, found style float32 rank 3"},
		"a model of somebody": {piperLike(), "has no input input_ids"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, letters{})
			files := enginetest.Find(t, d, folder(t, map[string][]byte{nanoGraph: tt.graph}))
			_, err := d.Open(t.Context(), files, engines.Options{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "%v", err)
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Equal(t, nanoGraph, backend.AsError(err).Params["file"])
		})
	}
}

// TestStyleOfAnotherSize: the graph's own complaint becomes an error with a stage.
func TestStyleOfAnotherSize(t *testing.T) {
	dir := writeModel(t,
		onnxtest.Node("Reshape", "pair", []string{"style", "two"}),
		onnxtest.Node("ReduceMean", "mean", []string{"pair"}),
		onnxtest.Node("Reshape", "one_mean", []string{"mean", "flat"}),
		onnxtest.Node("Add", "waveform", []string{"base", "one_mean"}),
	)
	e := open(t, dir, letters{}, 0)
	err := e.Speak(t.Context(), engines.Utterance{Text: "Hello there."}, func(audio.Buffer) error { return nil })
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err), "%v", err)
}

// model returns an ONNX file with the inputs of a KittenTTS graph, and one output besides the durations.
func model(output string, rank int, parts ...[]byte) []byte {
	body := nodes()
	inputs := [][]byte{onnxtest.Value(onnxtest.Input, "input_ids", 7, 2), onnxtest.Value(onnxtest.Input, "style", 1, 2), onnxtest.Value(onnxtest.Input, "speed", 1, 1)}
	return file(body, inputs, append(parts, onnxtest.Value(onnxtest.Output, output, 1, rank)))
}

// kindModel is a graph with another type of speed or rank of style.
func kindModel(speed uint64, style int) []byte {
	inputs := [][]byte{onnxtest.Value(onnxtest.Input, "input_ids", 7, 2), onnxtest.Value(onnxtest.Input, "style", 1, style), onnxtest.Value(onnxtest.Input, "speed", speed, 1)}
	return file(nodes(), inputs, [][]byte{onnxtest.Node("Identity", "waveform", []string{"base"}), onnxtest.Value(onnxtest.Output, "waveform", 1, 1)})
}

// piperLike is a graph with other inputs.
func piperLike() []byte {
	return file(nil, [][]byte{onnxtest.Value(onnxtest.Input, "input", 7, 2)}, [][]byte{onnxtest.Node("Identity", "output", []string{"input"}), onnxtest.Value(onnxtest.Output, "output", 7, 2)})
}

func file(body []byte, inputs, parts [][]byte) []byte {
	all := append([][]byte{body, onnxtest.Value(onnxtest.Output, "duration", 7, 1)}, append(inputs, parts...)...)
	for name, values := range map[string][]int64{"by": {1, frameSize}, "flat": {-1}, "none": {0}, "one": {1}, "two": {2, 7}} {
		all = append(all, initializer(name, values))
	}
	return onnxtest.Model(15, all...)
}

func initializer(name string, values []int64) []byte {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return onnxtest.Bytes(5, onnxtest.Number(1, uint64(len(values))), onnxtest.Number(2, 7), onnxtest.Bytes(8, []byte(name)), onnxtest.Bytes(9, raw))
}

package kitten

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// The nodes of graphs that are written here. They make 600 samples for each id: `base` holds the ids as numbers, each
// 600 times, and `duration` the ones.
func nodes() []byte {
	var out []byte
	add := func(n []byte) { out = append(out, n...) }
	add(node("Cast", "f", []string{"input_ids"}, attribute("to", 1)))
	add(node("Transpose", "tall", []string{"f"}))
	add(node("Tile", "wide", []string{"tall", "by"}))
	add(node("Reshape", "base", []string{"wide", "flat"}))
	add(node("Sub", "zeros", []string{"base", "base"}))
	add(node("Mul", "nothing", []string{"input_ids", "none"}))
	add(node("Add", "ones", []string{"nothing", "one"}))
	add(node("Reshape", "duration", []string{"ones", "flat"}))
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
		node("RandomNormalLike", "noise", []string{"base"}),
		node("Tanh", "waveform", []string{"noise"}),
	)
}

// TestGraphsThatFail speaks with graphs that give what no model may give.
func TestGraphsThatFail(t *testing.T) {
	for name, tt := range map[string]struct {
		last []byte
		says string
	}{
		"silence":          {node("Identity", "waveform", []string{"zeros"}), "only silence"},
		"not numbers":      {node("Div", "waveform", []string{"zeros", "zeros"}), "failed"},
		"infinite numbers": {node("Div", "waveform", []string{"base", "zeros"}), "failed"},
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
	wave := node("Identity", "waveform", []string{"base"})
	for name, tt := range map[string]struct {
		graph []byte
		says  string
	}{
		"another output":      {model("audio", 1, node("Identity", "audio", []string{"base"})), "has no output waveform"},
		"rank of the output":  {model("waveform", 2, wave), "expected waveform float32 rank 1, found waveform float32 rank 2"},
		"one input more":      {model("waveform", 1, wave, value(11, "speaker", 7, 1)), "asks for an input speaker int64 rank 1"},
		"type of the speed":   {kindModel(6, 2), "expected speed float32 rank 1, found speed int32 rank 1"},
		"rank of the style":   {kindModel(1, 3), "expected style float32 rank 2, found style float32 rank 3"},
		"a model of somebody": {piperLike(), "has no input input_ids"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, letters{})
			files, ok, err := d.Find(folder(t, map[string][]byte{nanoGraph: tt.graph}))
			require.NoError(t, err)
			require.True(t, ok)
			_, err = d.Open(t.Context(), files, engines.Options{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "%v", err)
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Equal(t, nanoGraph, backend.AsError(err).Params["file"])
		})
	}
}

// TestStyleOfAnotherSize: the graph's own complaint becomes an error with a stage.
func TestStyleOfAnotherSize(t *testing.T) {
	dir := writeModel(t,
		node("Reshape", "pair", []string{"style", "two"}),
		node("ReduceMean", "mean", []string{"pair"}),
		node("Reshape", "one_mean", []string{"mean", "flat"}),
		node("Add", "waveform", []string{"base", "one_mean"}),
	)
	e := open(t, dir, letters{}, 0)
	err := e.Speak(t.Context(), engines.Utterance{Text: "Hello there."}, func(audio.Buffer) error { return nil })
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err), "%v", err)
}

// model is an ONNX file (onnx.proto) with the inputs of a KittenTTS graph and one output beside the durations.
func model(output string, rank int, parts ...[]byte) []byte {
	body := nodes()
	inputs := [][]byte{value(11, "input_ids", 7, 2), value(11, "style", 1, 2), value(11, "speed", 1, 1)}
	return file(body, inputs, append(parts, value(12, output, 1, rank)))
}

// kindModel is a graph with another type of speed or rank of style.
func kindModel(speed uint64, style int) []byte {
	inputs := [][]byte{value(11, "input_ids", 7, 2), value(11, "style", 1, style), value(11, "speed", speed, 1)}
	return file(nodes(), inputs, [][]byte{node("Identity", "waveform", []string{"base"}), value(12, "waveform", 1, 1)})
}

// piperLike is a graph with other inputs.
func piperLike() []byte {
	return file(nil, [][]byte{value(11, "input", 7, 2)}, [][]byte{node("Identity", "output", []string{"input"}), value(12, "output", 7, 2)})
}

func file(body []byte, inputs, parts [][]byte) []byte {
	graph := append(field(2, []byte("test")), body...)
	for _, p := range append(inputs, parts...) {
		graph = append(graph, p...)
	}
	graph = append(graph, value(12, "duration", 7, 1)...)
	for name, values := range map[string][]int64{"by": {1, frameSize}, "flat": {-1}, "none": {0}, "one": {1}, "two": {2, 7}} {
		graph = append(graph, initializer(name, values)...)
	}
	out := append(number(1, 8), field(8, number(2, 15))...)
	return append(out, field(7, graph)...)
}

func initializer(name string, values []int64) []byte {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return field(5, number(1, uint64(len(values))), number(2, 7), field(8, []byte(name)), field(9, raw))
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

// attribute is an attribute that holds a whole number.
func attribute(name string, v uint64) []byte {
	return field(5, field(1, []byte(name)), number(3, v), number(20, 2))
}

func value(at int, name string, elem uint64, rank int) []byte {
	var shape []byte
	for i := range rank {
		shape = append(shape, field(1, field(2, []byte(name+string(rune('a'+i)))))...)
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

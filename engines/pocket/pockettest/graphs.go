package pockettest

import (
	"math"

	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// value is the type of the numbers of a constant.
type value interface{ float32 | int64 }

// constant is a tensor of these dimensions that belongs to the graph.
func constant[T value](name string, values []T, dims ...uint64) []byte {
	kind := uint64(onnxtest.Float32)
	if _, ok := any(values).([]int64); ok {
		kind = onnxtest.Int64
	}
	var fields []byte
	for _, d := range dims {
		fields = append(fields, onnxtest.Number(1, d)...)
	}
	const initializer = 5
	return onnxtest.Bytes(initializer, fields, onnxtest.Number(2, kind), onnxtest.Bytes(8, []byte(name)), onnxtest.Bytes(9, raw(values)))
}

// constants are those that several graphs use.
func constants() []byte {
	return onnxtest.Join(
		constant("axis0", []int64{0}, 1), constant("axis1", []int64{1}, 1), constant("axis2", []int64{2}, 1),
		constant("axes01", []int64{0, 1}, 2), constant("from0", []int64{0}, 1), constant("from1", []int64{1}, 1),
		constant("from2", []int64{2}, 1), constant("minus1", []int64{-1}, 1), constant("end", []int64{math.MaxInt64}, 1),
		constant("row", []float32{0, 0, 0}, 1, 1, dim), constant("nothing", []float32{0}, 1), constant("one", []float32{1}, 1),
	)
}

func node(op, output string, inputs ...string) []byte { return onnxtest.Node(op, output, inputs) }

// float casts numbers to float32.
func float(output, input string) []byte {
	return onnxtest.Node("Cast", output, []string{input}, onnxtest.Int("to", onnxtest.Float32))
}

func concat(output string, axis uint64, inputs ...string) []byte {
	return onnxtest.Node("Concat", output, inputs, onnxtest.Int("axis", axis))
}

// size is the length of one dimension, a number of type int64 in a list; dimension is from0, from1 or from2.
func size(output, input, dimension, next string) []byte {
	return onnxtest.Join(node("Shape", output+"_shape", input), node("Slice", output, output+"_shape", dimension, next, "axis0"))
}

func in(name string, kind uint64, rank int) []byte {
	return onnxtest.Value(onnxtest.Input, name, kind, rank)
}

func out(name string, rank int) []byte {
	return onnxtest.Value(onnxtest.Output, name, onnxtest.Float32, rank)
}

func graph(parts ...[]byte) []byte {
	return onnxtest.Model(opset, append([][]byte{constants()}, parts...)...)
}

// encoder measures the zero crossings of audio: one row, whose first number is the pitch in Hz.
func encoder() []byte {
	return graph(
		constant("half_rate", []float32{Rate / 2}, 1), constant("rest", []float32{0, 0}, 1, 1, 2),
		node("Slice", "before", "audio", "from0", "minus1", "axis2"), node("Slice", "after", "audio", "from1", "end", "axis2"),
		node("Mul", "product", "before", "after"), node("Less", "crosses", "product", "nothing"),
		float("crossed", "crosses"), node("ReduceMean", "share", "crossed"), node("Mul", "pitch", "share", "half_rate"),
		concat("latents", 2, "pitch", "rest"), in("audio", onnxtest.Float32, 3), out("latents", 3),
	)
}

// text counts: each token is a row whose second number is 1.
func text() []byte {
	return graph(
		constant("token", []float32{0, 1, 0}, 1, 1, dim), constant("dim", []int64{dim}, 1),
		node("Shape", "tokens", "token_ids"), concat("shape", 0, "tokens", "dim"), node("Expand", "embeddings", "token", "shape"),
		in("token_ids", onnxtest.Int64, 2), out("embeddings", 3),
	)
}

// mainGraph adds up what it is told: pitch, tokens and frames. The end is where there are enough frames for the tokens.
func mainGraph() []byte {
	return graph(
		constant("per_token", []float32{FramesPerToken}, 1), constant("threshold", []float32{4}, 1),
		constant("kilo", []float32{1000}, 1), constant("row_shape", []int64{1, dim}, 2), constant("one_shape", []int64{1, 1}, 2),
		concat("rows", 1, "text_embeddings", "row"), node("ReduceSum", "sum", "rows", "axes01"), node("Reshape", "sums", "sum", "minus1"),
		node("Slice", "told_pitch", "sums", "from0", "from1", "axis0"), node("Slice", "told_tokens", "sums", "from1", "from2", "axis0"),
		size("length", "sequence", "from1", "from2"), float("told_frames", "length"),
		node("Identity", "out_state_0", "state_0"), node("Add", "out_state_1", "state_1", "told_pitch"),
		node("Add", "out_state_2", "state_2", "told_tokens"), node("Add", "out_state_3", "state_3", "told_frames"),
		node("Div", "kilohertz", "out_state_1", "kilo"), concat("row_out", 0, "kilohertz", "out_state_3", "nothing"),
		node("Reshape", "conditioning", "row_out", "row_shape"),
		node("Mul", "enough", "out_state_2", "per_token"), node("Sub", "beyond", "out_state_3", "enough"),
		node("Sub", "logit", "beyond", "threshold"), node("Reshape", "eos_logit", "logit", "one_shape"),
		in("sequence", onnxtest.Float32, 3), in("text_embeddings", onnxtest.Float32, 3), in("state_0", onnxtest.Float32, 5),
		in("state_1", onnxtest.Float32, 1), in("state_2", onnxtest.Float32, 1), in("state_3", onnxtest.Float32, 1),
		out("conditioning", 2), out("eos_logit", 2), out("out_state_0", 5), out("out_state_1", 1), out("out_state_2", 1),
		out("out_state_3", 1),
	)
}

// flow leads any noise to pitch and frame: the direction is what is missing, over the time that is left.
func flow() []byte {
	return graph(
		node("Slice", "target", "c", "from0", "from2", "axis1"), node("Sub", "missing", "target", "x"),
		node("Mul", "no_time", "t", "nothing"), node("Sub", "time", "one", "s"), node("Add", "left", "time", "no_time"),
		node("Div", "flow_dir", "missing", "left"),
		in("c", onnxtest.Float32, 2), in("s", onnxtest.Float32, 2), in("t", onnxtest.Float32, 2), in("x", onnxtest.Float32, 2),
		out("flow_dir", 2),
	)
}

// decoder makes a tone of each frame's pitch, whose phase goes on from frame to frame: the state is the number of samples.
func decoder() []byte {
	return graph(
		constant("per_sample", []float32{1000. / Rate}, 1), constant("frame", []int64{Frame}, 1),
		constant("frames", []int64{1, -1, Frame}, 3), constant("flat", []int64{1, 1, -1}, 3),
		constant("first", []int64{0}), constant("step", []int64{1}),
		constant("turn", []float32{2 * math.Pi}, 1), constant("level", []float32{0.3}, 1),
		node("Slice", "kilohertz", "latent", "from0", "from1", "axis2"), node("Mul", "cycles", "kilohertz", "per_sample"),
		size("count", "latent", "from1", "from2"), node("Mul", "samples", "count", "frame"), node("Squeeze", "last", "samples"),
		node("Range", "numbers", "first", "last", "step"), float("times", "numbers"),
		node("Add", "at", "times", "state_0"), node("Reshape", "grid", "at", "frames"), node("Mul", "phase", "grid", "cycles"),
		node("Floor", "whole", "phase"), node("Sub", "part", "phase", "whole"), node("Mul", "angle", "part", "turn"),
		node("Sin", "sine", "angle"), node("Mul", "sound", "sine", "level"), node("Reshape", "audio_frame", "sound", "flat"),
		float("added", "samples"), node("Add", "out_state_0", "state_0", "added"),
		in("latent", onnxtest.Float32, 3), in("state_0", onnxtest.Float32, 1), out("audio_frame", 3), out("out_state_0", 1),
	)
}

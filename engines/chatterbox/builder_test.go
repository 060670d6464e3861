package chatterbox

import (
	"encoding/binary"
	"math"

	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// scalar is a Constant node that makes one number.
func scalar(output string, v float32) []byte {
	number := binary.LittleEndian.AppendUint32([]byte{2<<3 | 5}, math.Float32bits(v))
	return onnxtest.Node("Constant", output, nil,
		onnxtest.Join(onnxtest.Bytes(1, []byte("value_float")), number, onnxtest.Number(20, 1)))
}

// list is a Constant node that makes a list of whole numbers.
func list(output string, numbers ...int64) []byte {
	return onnxtest.Node("Constant", output, nil, wholes("value_ints", numbers...))
}

// wholes is an attribute that holds whole numbers.
func wholes(name string, numbers ...int64) []byte {
	attribute := onnxtest.Bytes(1, []byte(name))
	for _, n := range numbers {
		attribute = append(attribute, onnxtest.Number(8, uint64(n))...)
	}
	return append(attribute, onnxtest.Number(20, 7)...)
}

// shaped is an input of a type with these dimensions, below 0 for an open one.
func shaped(name string, kind uint64, dims ...int64) []byte {
	var all []byte
	for _, d := range dims {
		var dim []byte
		if d >= 0 {
			dim = onnxtest.Number(1, uint64(d))
		}
		all = append(all, onnxtest.Bytes(1, dim)...)
	}
	return onnxtest.Bytes(onnxtest.Input, onnxtest.Bytes(1, []byte(name)),
		onnxtest.Bytes(2, onnxtest.Bytes(1, onnxtest.Number(1, kind), onnxtest.Bytes(2, all))))
}

// sized is an input of float32.
func sized(name string, dims ...int64) []byte { return shaped(name, onnxtest.Float32, dims...) }

// attends returns the inputs of a language model of Turbo's kind, and the nodes that add the new positions to its keys and
// values. The node that makes logits of inputs_embeds is the caller's.
func attends(s sizes) [][]byte {
	parts := [][]byte{
		sized("inputs_embeds", -1, -1, int64(s.hidden)), onnxtest.Value(onnxtest.Input, "attention_mask", onnxtest.Int64, 2),
		onnxtest.Value(onnxtest.Input, "position_ids", onnxtest.Int64, 2), onnxtest.Value(onnxtest.Output, "logits", onnxtest.Float32, 3),
		list("split", 0, 0, int64(s.heads), int64(s.width)), onnxtest.Node("Reshape", "heads", []string{"inputs_embeds", "split"}),
		onnxtest.Node("Transpose", "turned", []string{"heads"}, wholes("perm", 0, 2, 1, 3)),
	}
	for i := range s.layers {
		for past, present := range map[string]string{key(i): presentKey(i), value(i): presentValue(i)} {
			parts = append(parts, sized(past, -1, int64(s.heads), -1, int64(s.width)),
				onnxtest.Value(onnxtest.Output, present, onnxtest.Float32, 4),
				onnxtest.Node("Concat", present, []string{past, "turned"}, onnxtest.Int("axis", 2)))
		}
	}
	return parts
}

// languageModel returns a language model of the sizes of the kit's Turbo.
func languageModel(nodes ...[]byte) []byte {
	return onnxtest.Model(17, append(attends(sizes{hidden: 8, layers: 2, heads: 2, width: 4}), nodes...)...)
}

// even makes logits of so many tokens that are all alike.
func even(score float32, vocabulary int64) []byte {
	return onnxtest.Join(scalar("score", score), list("first", 0), list("end", 2),
		onnxtest.Node("Shape", "shape", []string{"inputs_embeds"}), onnxtest.Node("Slice", "rows", []string{"shape", "first", "end"}),
		list("tokens", vocabulary), onnxtest.Node("Concat", "all", []string{"rows", "tokens"}, onnxtest.Int("axis", 0)),
		onnxtest.Node("Expand", "logits", []string{"score", "all"}))
}

// decoder returns a decoder that makes the sound of nodes from x, 960 numbers for each token.
func decoder(nodes ...[]byte) []byte {
	return onnxtest.Model(17, append([][]byte{
		onnxtest.Value(onnxtest.Input, "speech_tokens", onnxtest.Int64, 2), sized("speaker_embeddings", -1, 192),
		sized("speaker_features", -1, -1, 80), onnxtest.Value(onnxtest.Output, "waveform", onnxtest.Float32, 2),
		onnxtest.Node("Cast", "tokens", []string{"speech_tokens"}, onnxtest.Int("to", onnxtest.Float32)), list("last", -1),
		onnxtest.Node("Unsqueeze", "column", []string{"tokens", "last"}), list("wide", 1, 1, 960),
		onnxtest.Node("Expand", "square", []string{"column", "wide"}), list("row", 1, -1),
		onnxtest.Node("Reshape", "x", []string{"square", "row"}),
	}, nodes...)...)
}

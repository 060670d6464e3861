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

// Package onnxtest writes small ONNX files by hand (onnx.proto) and runs graphs without engines/onnx, for tests and
// benchmarks. Only tests import it.
package onnxtest

import "encoding/binary"

// The element types of values (TensorProto.DataType).
const (
	Float32 = 1
	Int32   = 6
	Int64   = 7
	Bool    = 9
	Float16 = 10
	Float64 = 11
)

// The fields of GraphProto that hold values.
const (
	Input  = 11
	Output = 12
)

// Bytes returns a length-delimited protobuf field that holds the parts one after the other.
func Bytes(field int, parts ...[]byte) []byte {
	body := Join(parts...)
	out := binary.AppendUvarint(nil, uint64(field)<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(body))), body...)
}

// Number returns a protobuf field that holds a whole number.
func Number(field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), v)
}

// Join returns the parts one after the other.
func Join(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// Node returns a node with one output; attributes are AttributeProtos such as those of Int.
func Node(op, output string, inputs []string, attributes ...[]byte) []byte {
	var parts [][]byte
	for _, in := range inputs {
		parts = append(parts, Bytes(1, []byte(in)))
	}
	parts = append(parts, Bytes(2, []byte(output)), Bytes(4, []byte(op)))
	for _, a := range attributes {
		parts = append(parts, Bytes(5, a))
	}
	return Bytes(1, parts...)
}

// Int returns an attribute that holds a whole number.
func Int(name string, v uint64) []byte {
	return Join(Bytes(1, []byte(name)), Number(3, v), Number(20, 2))
}

// Value returns an input or output (by field) with rank dimensions of unknown size.
func Value(field int, name string, elem uint64, rank int) []byte {
	var dims []byte
	for range rank {
		dims = append(dims, Bytes(1)...)
	}
	return Bytes(field, Bytes(1, []byte(name)), Bytes(2, Bytes(1, Number(1, elem), Bytes(2, dims))))
}

// Model returns an ONNX file whose graph has these nodes, values and initializers.
func Model(opset uint64, parts ...[]byte) []byte {
	return Join(Number(1, 8), Bytes(8, Number(2, opset)), Bytes(7, Bytes(2, []byte("test")), Join(parts...)))
}

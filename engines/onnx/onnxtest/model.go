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

// Ints returns an attribute that holds whole numbers.
func Ints(name string, values ...int64) []byte {
	out := Bytes(1, []byte(name))
	for _, v := range values {
		out = append(out, Number(8, uint64(v))...)
	}
	return append(out, Number(20, 7)...)
}

// Text returns an attribute that holds a string.
func Text(name, text string) []byte {
	return Join(Bytes(1, []byte(name)), Bytes(4, []byte(text)), Number(20, 3))
}

// Weight returns an initializer: a tensor of this shape.
func Weight[T float32 | int64](name string, values []T, shape ...int64) []byte {
	var parts [][]byte
	for _, n := range shape {
		parts = append(parts, Number(1, uint64(n)))
	}
	elem := uint64(Float32)
	if _, whole := any(values).([]int64); whole {
		elem = Int64
	}
	raw := make([]byte, 0, binary.Size(values))
	raw, _ = binary.Append(raw, binary.LittleEndian, values) // fails for other types only
	return Bytes(5, append(parts, Number(2, elem), Bytes(8, []byte(name)), Bytes(9, raw))...)
}

// Metadata returns an entry that is appended to a Model.
func Metadata(key, value string) []byte {
	return Bytes(14, Bytes(1, []byte(key)), Bytes(2, []byte(value)))
}

// Package grown makes a Piper voice of true size from the small one of the tests: the operators of the published voices with their
// numbers of layers and channels, and random weights. A run of it costs what one of a published voice costs, and sounds like noise.
package grown

import (
	"encoding/binary"
	"errors"
	"slices"
)

// field is one field of a protobuf message: a whole number, or bytes.
type field struct {
	id     uint64
	number uint64
	bytes  []byte
	wire   uint64
}

// The wire types of protobuf that ONNX files have.
const (
	wireNumber  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

var errMessage = errors.New("this is no ONNX file")

// message is the fields of a protobuf message, in their order.
type message []field

func read(raw []byte) (message, error) {
	var m message
	for len(raw) > 0 {
		tag, n := binary.Uvarint(raw)
		if n <= 0 {
			return nil, errMessage
		}
		raw = raw[n:]
		f := field{id: tag >> 3, wire: tag & 7}
		size := uint64(0)
		switch f.wire {
		case wireNumber:
			if f.number, n = binary.Uvarint(raw); n <= 0 {
				return nil, errMessage
			}
			raw = raw[n:]
		case wireBytes:
			if size, n = binary.Uvarint(raw); n <= 0 {
				return nil, errMessage
			}
			raw = raw[n:]
		case wireFixed64:
			size = 8
		case wireFixed32:
			size = 4
		default:
			return nil, errMessage
		}
		if size > uint64(len(raw)) {
			return nil, errMessage
		}
		if f.wire != wireNumber {
			f.bytes, raw = raw[:size:size], raw[size:]
		}
		m = append(m, f)
	}
	return m, nil
}

func (m message) raw() []byte {
	var out []byte
	for _, f := range m {
		out = binary.AppendUvarint(out, f.id<<3|f.wire)
		switch f.wire {
		case wireNumber:
			out = binary.AppendUvarint(out, f.number)
		case wireBytes:
			out = binary.AppendUvarint(out, uint64(len(f.bytes)))
			out = append(out, f.bytes...)
		default:
			out = append(out, f.bytes...)
		}
	}
	return out
}

// text returns the first field with this id as a string.
func (m message) text(id uint64) string {
	i := slices.IndexFunc(m, func(f field) bool { return f.id == id })
	if i < 0 {
		return ""
	}
	return string(m[i].bytes)
}

// numbers returns the whole numbers with this id, in a list or one after the other.
func (m message) numbers(id uint64) (list []int64) {
	for _, f := range m {
		switch {
		case f.id == id && f.wire == wireNumber:
			list = append(list, int64(f.number))
		case f.id == id:
			for left := f.bytes; len(left) > 0; {
				v, n := binary.Uvarint(left)
				if n <= 0 {
					return list
				}
				list, left = append(list, int64(v)), left[n:]
			}
		}
	}
	return list
}

// without returns the message without the fields of an id.
func (m message) without(id uint64) message {
	return slices.DeleteFunc(slices.Clone(m), func(f field) bool { return f.id == id })
}

// inside changes the messages with this id.
func (m message) inside(id uint64, change func(message) (message, error)) error {
	for i, f := range m {
		if f.id != id || f.wire != wireBytes {
			continue
		}
		inner, err := read(f.bytes)
		if err != nil {
			return err
		}
		if inner, err = change(inner); err != nil {
			return err
		}
		m[i].bytes = inner.raw()
	}
	return nil
}

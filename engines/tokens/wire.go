package tokens

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The kinds of values in protocol buffers that a SentencePiece model has.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

var errTruncated = errors.New("the file is truncated")

// field is one field of a protocol buffer message. number has its varint or its fixed bits, bytes its string or message.
type field struct {
	tag, wire int
	number    uint64
	bytes     string
}

// isTrue reports whether a field of type bool is true.
func (f field) isTrue() bool { return f.number != 0 }

// float returns the value of a field of type float.
func (f field) float() float32 { return math.Float32frombits(uint32(f.number)) }

// expect returns an error unless the field has a value of this kind.
func (f field) expect(wire int) error {
	if f.wire != wire {
		return fmt.Errorf("field %d has the wire type %d, not %d", f.tag, f.wire, wire)
	}
	return nil
}

// eachField calls visit with every field of a message, in the order of the file.
func eachField(message string, visit func(field) error) error {
	for message != "" {
		f, size, err := readField(message)
		if err != nil {
			return err
		}
		if err := visit(f); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}

// readField returns the first field of a message and its size in bytes.
func readField(message string) (field, int, error) {
	key, at, err := readVarint(message)
	if err != nil {
		return field{}, 0, err
	}
	if key>>3 == 0 || key>>3 > 1<<29 {
		return field{}, 0, fmt.Errorf("%d is no number of a field", key>>3)
	}
	f := field{tag: int(key >> 3), wire: int(key & 7)}
	value, size := message[at:], 0
	switch f.wire {
	case wireVarint:
		f.number, size, err = readVarint(value)
	case wireFixed64:
		f.number, size, err = readFixed(value, 8)
	case wireFixed32:
		f.number, size, err = readFixed(value, 4)
	case wireBytes:
		f.bytes, size, err = readBytes(value)
	default:
		err = fmt.Errorf("field %d has the unknown wire type %d", f.tag, f.wire)
	}
	return f, at + size, err
}

func readVarint(s string) (value uint64, size int, err error) {
	for i := range min(len(s), binary.MaxVarintLen64) {
		value |= uint64(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return value, i + 1, nil
		}
	}
	if len(s) < binary.MaxVarintLen64 {
		return 0, 0, errTruncated
	}
	return 0, 0, errors.New("a number has more than 64 bits")
}

func readFixed(s string, size int) (value uint64, n int, err error) {
	if len(s) < size {
		return 0, 0, errTruncated
	}
	for i := range size {
		value |= uint64(s[i]) << (8 * i)
	}
	return value, size, nil
}

func readBytes(s string) (value string, size int, err error) {
	length, at, err := readVarint(s)
	if err != nil {
		return "", 0, err
	}
	if length > uint64(len(s)-at) {
		return "", 0, errTruncated
	}
	end := at + int(length)
	return s[at:end], end, nil
}

package onnx

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// The wire types of protobuf that ONNX files use.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// Limits of what is read from a file, in bytes. Weights are skipped, so the graphs of published models stay far below them.
const (
	maxName  = 4 << 10   // of one name or operator
	maxNames = 64 << 20  // of all names and operators
	maxBody  = 256 << 20 // of all bodies: of nodes, small weights and descriptions
)

var errWire = errors.New("not a valid ONNX file")

// wire reads protobuf fields from a file; fields that are not needed are skipped by seeking.
type wire struct {
	file io.ReadSeeker
	buf  *bufio.Reader
	pos  int64

	names, bodies int64 // bytes that may still be read of each
}

// maxField is the highest number that a field can have (protobuf). The zeros of an empty disk block are no field.
const maxField = 1<<29 - 1

// field is one field of a message. For wireBytes the value is in [start, end) of the file.
type field struct {
	number     int
	kind       int
	value      uint64 // of a varint
	start, end int64
}

func newWire(file io.ReadSeeker) *wire {
	return &wire{file: file, buf: bufio.NewReader(file), names: maxNames, bodies: maxBody}
}

// each calls visit for every field of the message that ends at end. visit may read a wireBytes field or leave it.
func (w *wire) each(end int64, visit func(field) error) error {
	for w.pos < end {
		f, err := w.next(end)
		if err != nil {
			return err
		}
		if err := visit(f); err != nil {
			return err
		}
		if err := w.skipTo(f.end); err != nil {
			return err
		}
	}
	return nil
}

func (w *wire) next(end int64) (field, error) {
	key, err := w.varint(end)
	if err != nil {
		return field{}, err
	}
	f := field{number: int(key >> 3), kind: int(key & 7)}
	if f.number < 1 || key>>3 > maxField {
		return field{}, fmt.Errorf("%w: field %d at byte %d", errWire, key>>3, w.pos)
	}
	var size uint64
	switch f.kind {
	case wireVarint:
		if f.value, err = w.varint(end); err != nil {
			return field{}, err
		}
	case wireFixed64:
		size = 8
	case wireFixed32:
		size = 4
	case wireBytes:
		if size, err = w.varint(end); err != nil {
			return field{}, err
		}
	default:
		return field{}, fmt.Errorf("%w: wire type %d at byte %d", errWire, f.kind, w.pos)
	}
	if size > uint64(end-w.pos) {
		return field{}, fmt.Errorf("%w: it ends at byte %d, inside a field of %d bytes", errWire, end, size)
	}
	f.start, f.end = w.pos, w.pos+int64(size)
	return f, nil
}

func (w *wire) varint(end int64) (uint64, error) {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		if w.pos >= end {
			return 0, fmt.Errorf("%w: it ends at byte %d, inside a number", errWire, end)
		}
		b, err := w.buf.ReadByte()
		if err != nil {
			return 0, fmt.Errorf("read byte %d: %w", w.pos, err)
		}
		w.pos++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%w: a number at byte %d is too long", errWire, w.pos)
}

// text reads a short string field.
func (w *wire) text(f field) (string, error) {
	if f.kind != wireBytes || f.end-f.start > maxName {
		return "", fmt.Errorf("%w: a name at byte %d is not a short string", errWire, f.start)
	}
	if err := spend(&w.names, nameCost+f.end-f.start); err != nil {
		return "", err
	}
	b, err := w.read(f)
	return string(b), err
}

// nameCost is added to the bytes of each name, for the memory of what is stored with it.
const nameCost = 64

// spend subtracts n from the bytes that may still be read.
func spend(remaining *int64, n int64) error {
	if *remaining -= n; *remaining < 0 {
		return fmt.Errorf("%w: it has more names or nodes than any model needs", errWire)
	}
	return nil
}

// body reads the value of a field that is not a varint.
func (w *wire) body(f field) ([]byte, error) {
	if err := spend(&w.bodies, f.end-f.start); err != nil {
		return nil, err
	}
	return w.read(f)
}

func (w *wire) read(f field) ([]byte, error) {
	b := make([]byte, f.end-f.start)
	if _, err := io.ReadFull(w.buf, b); err != nil {
		return nil, fmt.Errorf("read byte %d: %w", w.pos, err)
	}
	w.pos = f.end
	return b, nil
}

// varints reads a packed field of numbers, one more than maxRank at most.
func (w *wire) varints(f field) (out []int64, err error) {
	for w.pos < f.end && len(out) <= maxRank {
		v, err := w.varint(f.end)
		if err != nil {
			return nil, err
		}
		out = append(out, int64(v))
	}
	return out, nil
}

func (w *wire) skipTo(pos int64) error {
	n := pos - w.pos
	if n <= 0 {
		return nil
	}
	if n <= int64(w.buf.Buffered()) {
		if _, err := w.buf.Discard(int(n)); err != nil {
			return fmt.Errorf("skip to byte %d: %w", pos, err)
		}
	} else {
		if _, err := w.file.Seek(pos, io.SeekStart); err != nil {
			return fmt.Errorf("skip to byte %d: %w", pos, err)
		}
		w.buf.Reset(w.file)
	}
	w.pos = pos
	return nil
}

package onnx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// npyMagic begins every array file (NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays").
const npyMagic = "\x93NUMPY"

// maxHeader is the most bytes of an array's description; the usual one has 118.
const maxHeader = 1 << 16

var (
	npyType  = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	npyOrder = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	npyShape = regexp.MustCompile(`'shape':\s*\(([^)]*)\)`)
)

// ReadNpy reads an array of little-endian float32 in row-major order with two or more dimensions. Any other type, order or
// shape is an error that says what was expected and what was found, and so is a number that is not finite.
func ReadNpy(r io.Reader, shape ...int) ([]float32, error) {
	header, err := npyHeader(r)
	if err != nil {
		return nil, err
	}
	dims, n := make([]string, len(shape)), 1
	for i, d := range shape {
		dims[i], n = strconv.Itoa(d), n*d
	}
	want := strings.Join(dims, ", ")
	for _, part := range []struct {
		pattern    *regexp.Regexp
		what, want string
	}{
		{npyType, "type", "<f4"}, {npyOrder, "column order", "False"}, {npyShape, "shape", want},
	} {
		found := part.pattern.FindSubmatch(header)
		if found == nil {
			return nil, fmt.Errorf("the array says no %s", part.what)
		}
		if string(found[1]) != part.want {
			return nil, fmt.Errorf("the array has the %s %s, not %s", part.what, found[1], part.want)
		}
	}
	raw := make([]byte, 4*n)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, fmt.Errorf("read elements: %w", err)
	}
	if more, err := io.Copy(io.Discard, r); err != nil || more > 0 {
		return nil, errors.Join(fmt.Errorf("%d bytes follow the elements", more), err)
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		if values[i]-values[i] != 0 { // NaN and the infinities differ from themselves
			return nil, fmt.Errorf("element %d is %g", i, values[i])
		}
	}
	return values, nil
}

// npyHeader reads the header of an array file and returns the description in it.
func npyHeader(r io.Reader) ([]byte, error) {
	var start [8]byte // magic, major and minor version
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	if !bytes.HasPrefix(start[:], []byte(npyMagic)) {
		return nil, errors.New("it is not an array file")
	}
	size := make([]byte, 2) // version 1; the later ones have four bytes
	if start[6] > 1 {
		size = make([]byte, 4)
	}
	if _, err := io.ReadFull(r, size); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	length := binary.LittleEndian.Uint32(append(size, 0, 0)[:4])
	if length > maxHeader {
		return nil, fmt.Errorf("its header has %d bytes", length)
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	return header, nil
}

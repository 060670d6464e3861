package onnx

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// extent is where the data of a tensor is in a file beside the graph.
type extent struct {
	file           string
	offset, length int64
}

// read adds one StringStringEntryProto of external_data.
func (e *extent) read(w *wire, end int64) error {
	key, value, err := w.pair(end)
	if err != nil {
		return err
	}
	switch key {
	case "location":
		e.file = value
	case "offset":
		e.offset, err = strconv.ParseInt(value, 10, 64)
	case "length":
		e.length, err = strconv.ParseInt(value, 10, 64)
	}
	if err != nil || e.offset < 0 || e.length < 0 || e.offset > maxWeights || e.length > maxWeights {
		return fmt.Errorf("%w: weights with the %s %q", errWire, key, value)
	}
	return nil
}

// pair reads a StringStringEntryProto.
func (w *wire) pair(end int64) (key, value string, err error) {
	err = w.each(end, func(f field) (err error) {
		switch f.number {
		case 1:
			key, err = w.text(f)
		case 2:
			value, err = w.text(f)
		}
		return err
	})
	return key, value, err
}

// maxWeights is far above the size of any file of weights.
const maxWeights = 1 << 50

// Outside returns the names of the files beside the graph that hold weights, in order.
func (m Model) Outside() []string { return slices.Sorted(maps.Keys(m.outside)) }

// CheckOutside checks that the files that hold the weights of the graph at path are there and long enough. Errors are
// backend.CodeModelCorrupt naming the file.
func (m Model) CheckOutside(path string) error {
	for _, name := range m.Outside() {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return Corrupt(path, "has weights outside its folder")
		}
		file := filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return Missing(file).WithCause(err)
		case err != nil:
			return Unreadable(file, err)
		case !info.Mode().IsRegular():
			return Corrupt(file, "is not a regular file")
		case info.Size() < m.outside[name]:
			return Corrupt(file, "is cut off").WithCause(fmt.Errorf("%d of %d bytes", info.Size(), m.outside[name]))
		}
	}
	return nil
}

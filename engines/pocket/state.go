package pocket

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/voicewright/voicewright/engines/onnx"
)

// state describes one tensor that a graph takes and returns changed, as bundle.json does.
type state struct {
	Index  int     `json:"index"`
	Input  string  `json:"input_name"`
	Output string  `json:"output_name"`
	Key    string  `json:"key"` // cache, step, previous, ...
	Path   string  `json:"path"`
	Shape  []int64 `json:"shape"`
	Type   string  `json:"dtype"`
	Fill   string  `json:"fill"`
}

// The values of state.Fill. What "empty" leaves open is zero here.
const (
	fillNaN   = "nan"
	fillZeros = "zeros"
	fillOnes  = "ones"
	fillEmpty = "empty"
)

// cacheKey is state.Key of the keys and values of attention: [2, batch, positions, ...].
const (
	cacheKey  = "cache"
	cacheAxis = 2
)

// types are the types of states, by state.Type.
var types = map[string]onnx.Type{"float32": onnx.Float32, "int64": onnx.Int64, "bool": onnx.Bool}

// checkManifest returns backend.CodeModelCorrupt naming the field that is wrong.
func checkManifest(path, field string, states []state) error {
	seen, bytes := map[string]bool{}, int64(0)
	for i, s := range states {
		if err := s.check(); err != nil {
			return onnx.WrongValue(path, fmt.Sprintf("%s[%d].%s", field, i, err.field), err.cause)
		}
		index := strconv.Itoa(s.Index)
		if s.Index < 0 || s.Index >= len(states) || seen[index] || seen[s.Input] || seen[s.Output] {
			return onnx.WrongValue(path, fmt.Sprintf("%s[%d].index", field, i), errors.New("the states are not numbered one by one"))
		}
		seen[index], seen[s.Input], seen[s.Output] = true, true, true
		if bytes += s.elements() * s.size(); bytes > maxStateBytes {
			return onnx.WrongValue(path, fmt.Sprintf("%s[%d].shape", field, i), fmt.Errorf("the states take more than %d bytes", maxStateBytes))
		}
	}
	return nil
}

// wrong is a field of a state with a value that cannot be used.
type wrong struct {
	field string
	cause error
}

func (s state) check() *wrong {
	t, known := types[s.Type]
	switch {
	case s.Input == "" || len(s.Input) > onnx.MaxText:
		return &wrong{"input_name", fmt.Errorf("%d letters", len(s.Input))}
	case s.Output == "" || len(s.Output) > onnx.MaxText || s.Output == s.Input:
		return &wrong{"output_name", fmt.Errorf("%d letters", len(s.Output))}
	case !known:
		return &wrong{"dtype", fmt.Errorf("%q is not float32, int64 or bool", s.Type)}
	}
	if err := checkShape(s.Shape); err != nil {
		return &wrong{"shape", err}
	}
	switch s.Fill {
	case fillZeros, fillOnes, fillEmpty:
		return nil
	case fillNaN:
		if t == onnx.Float32 {
			return nil
		}
	}
	return &wrong{"fill", fmt.Errorf("%q for %s", s.Fill, s.Type)}
}

func checkShape(shape []int64) error {
	if len(shape) == 0 || len(shape) > maxDimensions {
		return fmt.Errorf("%d dimensions", len(shape))
	}
	n := int64(1)
	for _, d := range shape {
		if d < 0 || d > maxStateBytes {
			return fmt.Errorf("%d elements", d)
		}
		if n *= max(d, 1); n > maxStateBytes {
			return fmt.Errorf("more than %d elements", maxStateBytes)
		}
	}
	return nil
}

// elements returns how many numbers the tensor has.
func (s state) elements() int64 { return product(s.Shape) }

// size returns the bytes of one number.
func (s state) size() int64 {
	switch types[s.Type] {
	case onnx.Int64:
		return 8
	case onnx.Bool:
		return 1
	default:
		return 4
	}
}

// positions returns how many positions a cache has, 0 for any other state.
func (s state) positions() int {
	if s.Key != cacheKey || len(s.Shape) <= cacheAxis {
		return 0
	}
	return int(s.Shape[cacheAxis])
}

// value returns the graph's input or output of this state.
func (s state) value(name string) onnx.Value {
	return onnx.Value{Name: name, Type: types[s.Type], Rank: len(s.Shape)}
}

// memory holds the states of one graph at one time.
type memory struct {
	data    []any // []float32, []int64 or []bool
	tensors []onnx.Tensor
}

// newMemory returns states as a graph begins with.
func newMemory(states []state) memory {
	m := memory{data: make([]any, len(states)), tensors: make([]onnx.Tensor, len(states))}
	for i, s := range states {
		n := s.elements()
		switch types[s.Type] {
		case onnx.Int64:
			m.data[i], m.tensors[i] = newTensor(make([]int64, n), s.Shape)
		case onnx.Bool:
			m.data[i], m.tensors[i] = newTensor(make([]bool, n), s.Shape)
		default:
			m.data[i], m.tensors[i] = newTensor(make([]float32, n), s.Shape)
		}
	}
	m.reset(states)
	return m
}

func newTensor[T onnx.Element](data []T, shape []int64) (any, onnx.Tensor) {
	return data, onnx.NewTensor(data, shape...)
}

// reset makes the states those that a graph begins with.
func (m memory) reset(states []state) {
	for i, s := range states {
		fill(m.data[i], s.Fill)
	}
}

func fill(data any, with string) {
	switch data := data.(type) {
	case []float32:
		v := float32(0)
		switch with {
		case fillNaN:
			v = float32(math.NaN())
		case fillOnes:
			v = 1
		}
		set(data, v)
	case []int64:
		v := int64(0)
		if with == fillOnes {
			v = 1
		}
		set(data, v)
	case []bool:
		set(data, with == fillOnes)
	}
}

func set[T any](data []T, v T) {
	for i := range data {
		data[i] = v
	}
}

// kept returns copies of the states, of the caches only the first used positions.
func (m memory) kept(states []state, used int) []any {
	out := make([]any, len(states))
	for i, s := range states {
		switch data := m.data[i].(type) {
		case []float32:
			out[i] = first(data, s, used)
		case []int64:
			out[i] = first(data, s, used)
		case []bool:
			out[i] = first(data, s, used)
		}
	}
	return out
}

// load makes the states those that kept returned; what is beyond the used positions is as a graph begins with.
func (m memory) load(states []state, kept []any) {
	m.reset(states)
	for i, s := range states {
		switch data := m.data[i].(type) {
		case []float32:
			put(data, kept[i].([]float32), s)
		case []int64:
			put(data, kept[i].([]int64), s)
		case []bool:
			put(data, kept[i].([]bool), s)
		}
	}
}

// first returns a copy of a state, of a cache the first used positions.
func first[T any](data []T, s state, used int) []T {
	rows, whole, part := 1, len(data), len(data)
	if s.positions() > 0 {
		rows = int(product(s.Shape[:cacheAxis]))
		inner := int(product(s.Shape[cacheAxis+1:]))
		whole, part = s.positions()*inner, used*inner
	}
	out := make([]T, 0, rows*part)
	for row := range rows {
		out = append(out, data[row*whole:row*whole+part]...)
	}
	return out
}

// put is the reverse of first.
func put[T any](data, kept []T, s state) {
	if s.positions() == 0 {
		copy(data, kept)
		return
	}
	rows := int(product(s.Shape[:cacheAxis]))
	if rows == 0 {
		return
	}
	whole, part := len(data)/rows, len(kept)/rows
	for row := range rows {
		copy(data[row*whole:], kept[row*part:(row+1)*part])
	}
}

// product returns the product of all numbers, 1 for none.
func product(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

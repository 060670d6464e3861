package onnx

import (
	"cmp"
	"fmt"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Type is the kind of a tensor's elements, numbered as in ONNX (TensorProto.DataType).
type Type int

// The element types that tensors of this package can hold, and others that graphs may use.
const (
	Undefined Type = 0
	Float32   Type = 1
	Uint8     Type = 2
	Int32     Type = 6
	Int64     Type = 7
	Bool      Type = 9
	Float16   Type = 10
	Float64   Type = 11
)

// String returns the type's usual name, such as float32.
func (t Type) String() string {
	return cmp.Or(map[Type]string{
		Undefined: "undefined", Float32: "float32", Uint8: "uint8", Int32: "int32", Int64: "int64", Bool: "bool", Float16: "float16",
		Float64: "float64",
	}[t], fmt.Sprintf("type %d", int(t)))
}

// Element is the type of a tensor's elements.
type Element interface {
	float32 | uint8 | int32 | int64 | bool
}

// Tensor is a dense array in row-major order: len(data) is the product of the shape (1 for the empty shape).
type Tensor struct {
	shape     []int64
	data      any
	resizable bool // data may have more elements than the shape
}

// NewTensor returns a tensor that shares data, which must not change while a run uses it.
func NewTensor[T Element](data []T, shape ...int64) Tensor {
	return Tensor{shape: shape, data: data}
}

// NewResizable is NewTensor with data that may have more elements than the shape has now: the first ones count.
func NewResizable[T Element](data []T, shape ...int64) Tensor {
	return Tensor{shape: shape, data: data, resizable: true}
}

// Resize changes one dimension of a tensor of NewResizable, also that of its copies. No run may be using it.
func (t Tensor) Resize(dim int, size int64) { t.shape[dim] = size }

// size returns the number of elements of the shape.
func (t Tensor) size() int64 {
	n := int64(1)
	for _, d := range t.shape {
		n *= d
	}
	return n
}

// Shape returns the dimensions; empty for a scalar.
func (t Tensor) Shape() []int64 { return t.shape }

// Floats returns the elements of a float32 tensor, flat in row-major order; an error for any other type.
func (t Tensor) Floats() ([]float32, error) { return elements[float32](t) }

// Ints returns the elements of an int64 tensor, flat in row-major order; an error for any other type.
func (t Tensor) Ints() ([]int64, error) { return elements[int64](t) }

// Int32s returns the elements of an int32 tensor, flat in row-major order; an error for any other type.
func (t Tensor) Int32s() ([]int32, error) { return elements[int32](t) }

// Bools returns the elements of a bool tensor, flat in row-major order; an error for any other type.
func (t Tensor) Bools() ([]bool, error) { return elements[bool](t) }

func elements[T Element](t Tensor) ([]T, error) {
	data, ok := t.data.([]T)
	if !ok {
		return nil, fmt.Errorf("tensor holds %T, not %T", t.data, data)
	}
	if t.resizable {
		data = data[:t.size()]
	}
	return data, nil
}

// CheckFinite returns backend.CodeEngineFailed naming the stage when samples hold NaN or an infinity.
func CheckFinite(stage string, samples []float32) error {
	for i, v := range samples {
		if v-v != 0 { // NaN and the infinities differ from themselves
			return engines.Failed(stage, fmt.Errorf("value %d of %d is %g", i, len(samples), v))
		}
	}
	return nil
}

// silence is the peak below which nothing can be heard.
const silence = 1e-8

// CheckAudible returns backend.CodeEngineFailed naming the stage when samples are all silent.
func CheckAudible(stage string, samples []float32) error {
	if Peak(samples) >= silence {
		return nil
	}
	return backend.E(backend.CodeEngineFailed, "The speech model produced only silence in "+stage+".",
		"Try another text or voice; if every text fails, download the model again.").With("stage", stage).WithCause(engines.ErrSilent)
}

// Peak returns the size of the loudest sample.
func Peak(samples []float32) float32 {
	peak := float32(0)
	for _, v := range samples { // without max and min, which take five times as long
		if v > peak {
			peak = v
		} else if -v > peak {
			peak = -v
		}
	}
	return peak
}

// value returns the library's view of a tensor, which shares its memory.
func (t Tensor) value() (ort.Value, error) {
	switch data := t.data.(type) {
	case []float32:
		return share(data, t)
	case []uint8:
		return share(data, t)
	case []int32:
		return share(data, t)
	case []int64:
		return share(data, t)
	case []bool:
		return share(data, t)
	default:
		return nil, fmt.Errorf("tensor of %T is not supported", t.data)
	}
}

func share[T Element](data []T, t Tensor) (ort.Value, error) {
	n := t.size()
	if have := int64(len(data)); n > have || n < have && !t.resizable {
		return nil, fmt.Errorf("tensor of shape %v has %d elements", t.shape, len(data))
	}
	if len(t.shape) == 0 {
		return checked(ort.NewScalar(data[0]))
	}
	return checked(ort.NewTensor(t.shape, data))
}

// checked returns no value with an error, where the binding returns a nil pointer in the place of a value.
func checked[V ort.Value](v V, err error) (ort.Value, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// zero returns a scalar with the value 0.
func zero(t Type) Tensor {
	switch t {
	case Uint8:
		return NewTensor(make([]uint8, 1))
	case Int32:
		return NewTensor(make([]int32, 1))
	case Int64:
		return NewTensor(make([]int64, 1))
	case Bool:
		return NewTensor(make([]bool, 1))
	default:
		return NewTensor(make([]float32, 1))
	}
}

// tensorOf converts a run's result, whose elements are in Go memory and outlive the library's value.
func tensorOf(v ort.Value) (Tensor, error) {
	for _, as := range []func(ort.Value) (Tensor, bool){resultOf[float32], resultOf[uint8], resultOf[int32], resultOf[int64], resultOf[bool]} {
		if t, ok := as(v); ok {
			return t, nil
		}
	}
	return Tensor{}, fmt.Errorf("output of %T is not supported", v)
}

// resultOf returns a result that has elements of a type.
func resultOf[T Element](v ort.Value) (Tensor, bool) {
	switch v := v.(type) {
	case *ort.Tensor[T]:
		return NewTensor(v.GetData(), v.GetShape()...), true
	case *ort.Scalar[T]:
		return NewTensor([]T{v.GetData()}), true
	}
	return Tensor{}, false
}

package moss

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// bare is what a program with nothing but the binding would do for one speech of benchFrames frames.
type bare struct {
	config                       config
	prefill, step, frame, decode *ort.DynamicAdvancedSession
	rows, mask                   []int32

	made []ort.Value
	errs []error
}

func newBare(b *testing.B, c config, files engines.Files, rows []int32) *bare {
	open := func(role string) *ort.DynamicAdvancedSession {
		s := c.signatures()[role]
		names := func(values []onnx.Value) (out []string) {
			for _, v := range values {
				out = append(out, v.Name)
			}
			return out
		}
		return onnxtest.NewBareSession(b, files[role], names(s.Inputs), names(s.Outputs))
	}
	l := &bare{
		config: c, rows: rows, mask: make([]int32, len(rows)/c.width()),
		prefill: open(RolePrefill), step: open(RoleStep), frame: open(RoleFrame), decode: open(RoleDecode),
	}
	for i := range l.mask {
		l.mask[i] = 1
	}
	return l
}

func (l *bare) close(b *testing.B) {
	for _, s := range []*ort.DynamicAdvancedSession{l.prefill, l.step, l.frame, l.decode} {
		require.NoError(b, s.Destroy())
	}
}

func tensor[T ort.TensorData](l *bare, data []T, dims ...int64) ort.Value {
	v, err := ort.NewTensor(ort.NewShape(dims...), data)
	l.errs = append(l.errs, err)
	if err == nil {
		l.made = append(l.made, v)
	}
	return v
}

// call runs a graph and frees the values that were made for it.
func (l *bare) call(s *ort.DynamicAdvancedSession, inputs, outputs []ort.Value) {
	l.errs = append(l.errs, s.Run(inputs, outputs))
	l.made = append(l.made, outputs...)
}

func (l *bare) free() {
	for _, v := range l.made {
		if v != nil {
			_ = v.Destroy()
		}
	}
	l.made = l.made[:0]
}

func (l *bare) run() error {
	l.errs = nil
	m := l.config.meta
	past, present := l.sides(), l.sides()
	hidden, seen := make([]float32, m.Config.Hidden), make([]int32, m.Config.Channels*m.codes())
	draws, more, row := make([]float32, l.config.width()), make([]int32, 1), make([]int32, l.config.width())
	states, next := l.states(), l.states()
	n, channels := len(l.mask), int64(m.Config.Channels)
	row[0] = l.config.manifest.IDs.Assistant

	outputs := append([]ort.Value{nil}, l.memory(past, n)...)
	l.call(l.prefill, []ort.Value{tensor(l, l.rows, 1, int64(n), int64(l.config.width())), tensor(l, l.mask, 1, int64(n))}, outputs)
	all := outputs[0].(*ort.Tensor[float32]).GetData()
	copy(hidden, all[len(all)-len(hidden):])
	l.free()
	waiting, decoded := []int32{}, 0
	for i := range benchFrames {
		clear(draws)
		l.call(l.frame, []ort.Value{
			tensor(l, hidden, 1, int64(len(hidden))), tensor(l, seen, 1, channels, int64(m.codes())), tensor(l, draws[:1], 1), tensor(l, draws[1:], 1, channels),
		}, []ort.Value{tensor(l, more, 1, 1), tensor(l, row[1:], 1, channels)})
		l.free()
		for c, code := range row[1:] {
			seen[c*m.codes()+int(code)] = 1
		}
		if waiting = append(waiting, row[1:]...); len(waiting) >= min(max(decoded, 1), longestGroup)*int(channels) || i == benchFrames-1 {
			decoded += len(waiting) / int(channels)
			l.sound(waiting, states, next)
			states, next, waiting = next, states, waiting[:0]
		}
		l.call(l.step,
			append([]ort.Value{tensor(l, row, 1, 1, 1+channels), tensor(l, []int32{int32(n)}, 1)}, l.memory(past, n)...),
			append([]ort.Value{tensor(l, hidden, 1, 1, int64(len(hidden)))}, l.memory(present, n+1)...))
		l.free()
		past, present, n = present, past, n+1
	}
	return errors.Join(l.errs...)
}

// sides returns the memory of one set of keys and values.
func (l *bare) sides() [][]float32 {
	out := make([][]float32, l.config.meta.tensors())
	for i := range out {
		out[i] = make([]float32, (benchRows+benchFrames)*l.config.meta.position())
	}
	return out
}

func (l *bare) memory(side [][]float32, n int) []ort.Value {
	m, out := l.config.meta, make([]ort.Value, len(side))
	for i, data := range side {
		out[i] = tensor(l, data[:n*m.position()], 1, int64(n), int64(m.Config.Heads), int64(m.Config.HeadDim))
	}
	return out
}

// states returns the memory of one set of states of the codec: []int32 or []float32 each.
func (l *bare) states() []any {
	var out []any
	for _, s := range l.config.codec.states() {
		if !s.ints {
			out = append(out, make([]float32, s.size()))
			continue
		}
		data := make([]int32, s.size())
		for i := range data {
			data[i] = s.start
		}
		out = append(out, data)
	}
	return out
}

// sound decodes the codes that wait, and puts the channels in turns.
func (l *bare) sound(codes []int32, states, next []any) {
	n := int64(len(codes) / l.config.meta.Config.Channels)
	length := make([]int32, 1)
	inputs := []ort.Value{tensor(l, codes, 1, n, int64(l.config.meta.Config.Channels)), tensor(l, []int32{int32(n)}, 1)}
	outputs := []ort.Value{nil, tensor(l, length, 1)}
	for i, s := range l.config.codec.states() {
		if s.ints {
			inputs, outputs = append(inputs, tensor(l, states[i].([]int32), s.shape...)), append(outputs, tensor(l, next[i].([]int32), s.shape...))
		} else {
			inputs, outputs = append(inputs, tensor(l, states[i].([]float32), s.shape...)), append(outputs, tensor(l, next[i].([]float32), s.shape...))
		}
	}
	l.call(l.decode, inputs, outputs)
	values, channels := outputs[0].(*ort.Tensor[float32]).GetData(), l.config.codec.Config.Channels
	whole := len(values) / channels
	out := make([]float32, int(length[0])*channels)
	for c := range channels {
		for i, v := range values[c*whole : c*whole+int(length[0])] {
			out[i*channels+c] = v
		}
	}
	l.free()
}

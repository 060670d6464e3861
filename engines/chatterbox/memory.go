package chatterbox

import (
	"fmt"

	"github.com/voicewright/voicewright/engines/onnx"
)

// memory holds the inputs and outputs of the language model for one batch: two sets of keys and values, of which one is read
// while the other is written. They are as large as the longest text needs, and the steps change only their lengths, so
// that no step makes anything new.
type memory struct {
	sizes
	batch     int64
	positions int // that fit

	inputs  []onnx.Tensor // of a step
	outputs []onnx.Tensor
	prompt  []onnx.Tensor // inputs of the first run; keys and values are those of inputs
	states  int           // where the keys and values begin among the inputs
	past    int           // positions that the inputs hold

	embeds   []float32   // [batch, 1, hidden] of a step
	embedded onnx.Tensor // its first row, as the output of embed_tokens
	position []int64     // [1, 1]; Turbo only
	scores   []float32   // [batch, 1, vocabulary]; empty before the first run
}

// newMemory returns a memory for so many positions.
func newMemory(s sizes, batch, positions int) *memory {
	m := &memory{sizes: s, batch: int64(batch), positions: positions}
	m.embeds, m.position = make([]float32, batch*s.hidden), make([]int64, 1)
	m.embedded = onnx.NewTensor(m.embeds[:s.hidden], 1, 1, int64(s.hidden))
	ones := make([]int64, batch*positions)
	for i := range ones {
		ones[i] = 1
	}
	m.inputs = []onnx.Tensor{
		onnx.NewTensor(m.embeds, m.batch, 1, int64(s.hidden)), onnx.NewResizable(ones, m.batch, 0),
	}
	if !s.multilingual {
		m.inputs = append(m.inputs, onnx.NewTensor(m.position, 1, 1))
	}
	m.states = len(m.inputs)
	m.outputs = []onnx.Tensor{{}}
	one := batch * positions * s.heads * s.width
	first, second := make([]float32, 2*s.layers*one), make([]float32, 2*s.layers*one)
	for i := range 2 * s.layers {
		shape := func() []int64 { return []int64{m.batch, int64(s.heads), 0, int64(s.width)} }
		m.inputs = append(m.inputs, onnx.NewResizable(first[i*one:(i+1)*one:(i+1)*one], shape()...))
		m.outputs = append(m.outputs, onnx.NewResizable(second[i*one:(i+1)*one:(i+1)*one], shape()...))
	}
	m.prompt = make([]onnx.Tensor, len(m.inputs))
	return m
}

// bytes returns the size of the two sets of keys and values.
func (m *memory) bytes() int { return 2 * int(m.batch) * m.positions * m.perPosition() }

// begin prepares the first run, over embeds of n positions for each row of the batch.
func (m *memory) begin(embeds []float32, n int) ([]onnx.Tensor, error) {
	if n < 1 || n > m.positions {
		return nil, fmt.Errorf("a start of %d positions does not fit into %d", n, m.positions)
	}
	m.past = 0
	for _, t := range m.inputs[m.states:] {
		t.Resize(past, 0)
	}
	copy(m.prompt, m.inputs)
	m.prompt[0] = onnx.NewTensor(embeds, m.batch, int64(n), int64(m.hidden))
	if !m.multilingual {
		places := make([]int64, n)
		for i := range places {
			places[i] = int64(i)
		}
		m.prompt[2] = onnx.NewTensor(places, 1, int64(n))
	}
	m.outputs[0] = onnx.Tensor{}
	m.extend(n)
	return m.prompt, nil
}

// past is the dimension of keys and values that grows.
const past = 2

// extend sets the lengths for a run over n more positions.
func (m *memory) extend(n int) {
	total := int64(m.past + n)
	m.inputs[1].Resize(1, total)
	for _, t := range m.outputs[1:] {
		t.Resize(past, total)
	}
	m.position[0] = total - 1
}

// next prepares a run over the one position that m.embeds holds for the first row. ok is false if it does not fit.
func (m *memory) next() (inputs []onnx.Tensor, ok bool) {
	if m.past >= m.positions {
		return nil, false
	}
	for row := 1; row < int(m.batch); row++ {
		copy(m.embeds[row*m.hidden:(row+1)*m.hidden], m.embeds[:m.hidden])
	}
	m.extend(1)
	return m.inputs, true
}

// ran notes a run over n positions: what it wrote is what the next one reads.
func (m *memory) ran(n int) {
	m.past += n
	for i := range m.outputs[1:] {
		m.inputs[m.states+i], m.outputs[1+i] = m.outputs[1+i], m.inputs[m.states+i]
	}
}

// keepScores takes the scores of the last of n positions from the output of the first run; later runs write only these.
func (m *memory) keepScores(n int) error {
	out, err := m.outputs[0].Floats()
	if err != nil {
		return fmt.Errorf("read scores: %w", err)
	}
	shape := m.outputs[0].Shape()
	if len(shape) != 3 || shape[0] != m.batch || shape[1] != int64(n) || shape[2] <= stopToken {
		return fmt.Errorf("the scores have the shape %v", shape)
	}
	size := int(shape[2])
	if len(m.scores) != int(m.batch)*size {
		m.scores = make([]float32, int(m.batch)*size)
	}
	for row := range int(m.batch) {
		end := (row + 1) * n * size
		copy(m.scores[row*size:(row+1)*size], out[end-size:end])
	}
	m.outputs[0] = onnx.NewTensor(m.scores, m.batch, 1, shape[2])
	return nil
}

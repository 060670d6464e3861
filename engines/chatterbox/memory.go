package chatterbox

import (
	"fmt"

	"github.com/voicewright/voicewright/engines/onnx"
)

// memory holds the inputs and outputs of the language model for one batch: two sets of keys and values, of which one is read
// while the other is written. Both fit a start and some seconds of speech, within which the steps change only their
// lengths, so that no step makes anything new. Where speech is longer, the set that is written is replaced by a larger one.
type memory struct {
	sizes
	batch     int64
	positions int    // the most
	capacity  [2]int // positions that fit into the keys and values of the inputs and of the outputs

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

// newMemory returns a memory for at most so many positions. The keys and values are made by begin.
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
	for range 2 * s.layers {
		m.inputs, m.outputs = append(m.inputs, m.state(nil)), append(m.outputs, m.state(nil))
	}
	m.prompt = make([]onnx.Tensor, len(m.inputs))
	return m
}

// state returns the keys or the values of a layer, without a position yet.
func (m *memory) state(data []float32) onnx.Tensor {
	return onnx.NewResizable(data, m.batch, int64(m.heads), 0, int64(m.width))
}

// moreSteps is for how many steps memory is reserved at once: 10 s of speech, more than most sentences take.
const moreSteps = 250

// reserve replaces keys and values of the outputs that are too short for so many positions by some that fit more.
func (m *memory) reserve(positions int) {
	if m.capacity[1] >= positions {
		return
	}
	m.capacity[1] = min(positions+moreSteps, m.positions)
	one := int(m.batch) * m.capacity[1] * m.heads * m.width
	all := make([]float32, 2*m.layers*one)
	for i := range m.outputs[1:] {
		m.outputs[1+i] = m.state(all[i*one : (i+1)*one : (i+1)*one])
	}
}

// bytes returns the size of the two sets of keys and values.
func (m *memory) bytes() int { return int(m.batch) * (m.capacity[0] + m.capacity[1]) * m.perPosition() }

// begin prepares the first run, over embeds of n positions for each row of the batch.
func (m *memory) begin(embeds []float32, n int) ([]onnx.Tensor, error) {
	if n < 1 || n > m.positions {
		return nil, fmt.Errorf("a start of %d positions does not fit into %d", n, m.positions)
	}
	m.past = 0
	for range 2 {
		m.reserve(n)
		m.swap()
	}
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
	m.reserve(m.past + 1)
	m.extend(1)
	return m.inputs, true
}

// ran notes a run over n positions: what it wrote is what the next one reads.
func (m *memory) ran(n int) {
	m.past += n
	m.swap()
}

// swap exchanges the keys and values that are read and those that are written.
func (m *memory) swap() {
	m.capacity[0], m.capacity[1] = m.capacity[1], m.capacity[0]
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

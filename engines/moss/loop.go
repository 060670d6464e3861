package moss

import (
	"context"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// speech is the memory of one caller: the buffers of all runs, made once and used for every piece of a text. The keys
// and values of the language model are there twice: each step reads one set and writes the other.
type speech struct {
	graphs *graphs

	past, present []onnx.Tensor // [1, positions, heads, head size] for each layer: keys, values
	hidden        []float32     // state from which the next frame is chosen
	seen          []int32       // for each channel and code: 1 if the piece had it
	draws         []float32     // random numbers of a frame
	more          []int32       // 0 at the end of the speech
	row           []int32       // the frame as input of the next step: an id, and the codes
	length        []int32       // positions in past

	frame, frameOut, step, stepOut []onnx.Tensor // all these as inputs and outputs of the graphs
}

// newSpeech returns memory for texts with at most so many positions.
func newSpeech(g *graphs, positions int) *speech {
	m := g.config.meta
	channels, codes, hidden := int64(m.Config.Channels), int64(m.codes()), int64(m.Config.Hidden)
	side := func() []onnx.Tensor {
		out := make([]onnx.Tensor, m.tensors())
		for i := range out {
			out[i] = onnx.NewResizable(make([]float32, positions*m.position()), 1, 0, int64(m.Config.Heads), int64(m.Config.HeadDim))
		}
		return out
	}
	s := &speech{
		graphs: g, past: side(), present: side(), hidden: make([]float32, hidden), seen: make([]int32, channels*codes),
		draws: make([]float32, 1+channels), more: make([]int32, 1), row: make([]int32, 1+channels), length: make([]int32, 1),
	}
	s.frame = []onnx.Tensor{
		onnx.NewTensor(s.hidden, 1, hidden), onnx.NewTensor(s.seen, 1, channels, codes),
		onnx.NewTensor(s.draws[:1], 1), onnx.NewTensor(s.draws[1:], 1, channels),
	}
	s.frameOut = []onnx.Tensor{onnx.NewTensor(s.more, 1, 1), onnx.NewTensor(s.row[1:], 1, channels)}
	s.step = append([]onnx.Tensor{onnx.NewTensor(s.row, 1, 1, 1+channels), onnx.NewTensor(s.length, 1)}, s.past...)
	s.stepOut = append([]onnx.Tensor{onnx.NewTensor(s.hidden, 1, 1, hidden)}, s.present...)
	return s
}

// request is one piece of text to speak.
type request struct {
	rows   []int32           // of the prompt, see config.rows
	frames int               // the most that it may have
	random func(u []float32) // fills the draws of one frame, each from 0 to below 1
}

// frames calls emit with the codes of each frame until the model ends the speech. Errors: those of emit;
// backend.ErrCancelled, CodeEngineFailed naming the stage, also as engines.Runaway, CodeOutOfMemory.
func (s *speech) frames(ctx context.Context, r request, emit func(codes []int32) error) error {
	if err := s.prompt(ctx, r.rows); err != nil {
		return err
	}
	for range r.frames {
		r.random(s.draws)
		more, err := s.next(ctx)
		if err != nil || !more {
			return err
		}
		if err := emit(s.row[1:]); err != nil {
			return err
		}
		if err := s.follow(ctx); err != nil {
			return err
		}
	}
	return engines.Runaway(stageFrame, r.frames)
}

// prompt runs the prompt, after which the hidden state is that of its last row.
func (s *speech) prompt(ctx context.Context, rows []int32) error {
	c := s.graphs.config
	n := len(rows) / c.width()
	mask := make([]int32, n)
	for i := range mask {
		mask[i] = 1
	}
	resize(s.present, n)
	outputs := append([]onnx.Tensor{{}}, s.present...)
	err := s.graphs.prefill.RunInto(ctx, stagePrompt,
		[]onnx.Tensor{onnx.NewTensor(rows, 1, int64(n), int64(c.width())), onnx.NewTensor(mask, 1, int64(n))}, outputs)
	if err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	states, err := outputs[0].Floats()
	if err != nil || len(states) != n*len(s.hidden) {
		return engines.Failed(stagePrompt, fmt.Errorf("%d rows have hidden states of the shape %v: %w", n, outputs[0].Shape(), err))
	}
	copy(s.hidden, states[len(states)-len(s.hidden):])
	s.length[0], s.row[0] = int32(n), c.manifest.IDs.Assistant
	clear(s.seen)
	s.swap()
	return onnx.CheckFinite(stagePrompt, s.hidden)
}

// next chooses the codes of a frame from the hidden state; more is false at the end of the speech.
func (s *speech) next(ctx context.Context) (more bool, err error) {
	if err := s.graphs.frame.Step(ctx, stageFrame, s.frame, s.frameOut); err != nil {
		return false, fmt.Errorf("run model: %w", err)
	}
	if s.more[0] == 0 {
		return false, nil
	}
	meta := s.graphs.config.meta
	if !meta.valid(s.row[1:]) {
		return false, engines.Failed(stageFrame, fmt.Errorf("the codes %v are not from 0 to %d", s.row[1:], meta.codes()-1))
	}
	for channel, code := range s.row[1:] {
		s.seen[channel*meta.codes()+int(code)] = 1
	}
	return true, nil
}

// follow runs the frame as the next row, after which the hidden state is that of this row.
func (s *speech) follow(ctx context.Context) error {
	resize(s.present, int(s.length[0])+1)
	copy(s.step[2:], s.past)
	copy(s.stepOut[1:], s.present)
	if err := s.graphs.step.Step(ctx, stageStep, s.step, s.stepOut); err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	s.length[0]++
	s.swap()
	return onnx.CheckFinite(stageStep, s.hidden)
}

// resize sets the positions of one set of keys and values.
func resize(side []onnx.Tensor, positions int) {
	for _, t := range side {
		t.Resize(1, int64(positions))
	}
}

// swap makes what the last run wrote the input of the next one.
func (s *speech) swap() { s.past, s.present = s.present, s.past }

// rows returns the prompt for a voice and a text, row after row: the text's own in the first column, the codes of the voice
// in the others.
func (c config) rows(voice, text []int32) []int32 {
	ids, prompt, channels := c.manifest.IDs, c.manifest.Prompt, c.manifest.IDs.Channels
	first := append(slices.Clone(prompt.Prefix), ids.Start)
	last := slices.Concat([]int32{ids.End}, prompt.After, text, prompt.Assistant, []int32{ids.Start})
	out := make([]int32, 0, (len(first)+len(voice)/channels+len(last))*c.width())
	words := func(list []int32) {
		for _, id := range list {
			out = append(out, id)
			for range channels {
				out = append(out, ids.Pad)
			}
		}
	}
	words(first)
	for codes := range slices.Chunk(voice, channels) {
		out = append(append(out, ids.User), codes...)
	}
	words(last)
	return out
}

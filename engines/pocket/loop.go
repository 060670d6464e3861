package pocket

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// endLogit is the logit above which the model says that the speech ends.
const endLogit = -4

// The frames of one run of the decoder: few at first, so that a listener does not wait, and then twice as many each time, so
// that the sound of a run lasts while the next frames are made.
const (
	firstFrames = 3
	mostFrames  = 12
)

// speech is the memory of one utterance: both graphs with states read one of two memories and write the other.
type speech struct {
	g       *graphs
	flow    [2]memory
	mimi    [2]memory
	steps   [2]*onnx.Bound // the main graph, by the memory that it reads
	euler   *onnx.Bound
	unwatch func() bool
	at      int // the memory with the present states of the main graph
	decoded int // and of the decoder

	frame        []float32 // the last one: [1, 1, latent]
	conditioning []float32
	eos          []float32
	start, end   []float32
	x, direction []float32
}

// newSpeech reserves the memory of an utterance, which close frees. The end of ctx stops the graphs.
func newSpeech(ctx context.Context, g *graphs) (*speech, error) {
	b := g.bundle
	s := &speech{
		g: g, flow: [2]memory{newMemory(b.Flow), newMemory(b.Flow)}, mimi: [2]memory{newMemory(b.Mimi), newMemory(b.Mimi)},
		frame: make([]float32, b.Latent), conditioning: make([]float32, b.Dim), eos: make([]float32, 1),
		start: make([]float32, 1), end: make([]float32, 1), x: make([]float32, b.Latent), direction: make([]float32, b.Latent),
	}
	if err := s.bind(); err != nil {
		s.close()
		return nil, engines.Failed(stageSpeech, err)
	}
	s.unwatch = context.AfterFunc(ctx, func() {
		for _, b := range s.bounds() {
			b.Stop()
		}
	})
	return s, nil
}

func (s *speech) bind() (err error) {
	latent, dim := int64(s.g.bundle.Latent), int64(s.g.bundle.Dim)
	one := func(data []float32) onnx.Tensor { return onnx.NewTensor(data, 1, int64(len(data))) }
	conditioning := one(s.conditioning)
	given := []onnx.Tensor{onnx.NewTensor(s.frame, 1, 1, latent), onnx.NewTensor([]float32{}, 1, 0, dim)}
	for i := range s.steps {
		inputs := append(given[:2:2], s.flow[i].tensors...)
		outputs := append([]onnx.Tensor{conditioning, one(s.eos)}, s.flow[1-i].tensors...)
		if s.steps[i], err = s.g.main.Bind(inputs, outputs); err != nil {
			return fmt.Errorf("bind states: %w", err)
		}
	}
	inputs := []onnx.Tensor{conditioning, one(s.start), one(s.end), one(s.x)}
	if s.euler, err = s.g.flow.Bind(inputs, []onnx.Tensor{one(s.direction)}); err != nil {
		return fmt.Errorf("bind flow: %w", err)
	}
	return nil
}

// bounds returns the graphs that run for each frame.
func (s *speech) bounds() []*onnx.Bound {
	return slices.DeleteFunc([]*onnx.Bound{s.steps[0], s.steps[1], s.euler}, func(b *onnx.Bound) bool { return b == nil })
}

func (s *speech) close() {
	if s.unwatch != nil {
		s.unwatch()
	}
	for _, b := range s.bounds() {
		b.Close()
	}
}

// begin reads a text with a fresh copy of a voice, and returns the embeddings of the text.
func (s *speech) begin(ctx context.Context, v *voice, ids []int64) ([]float32, error) {
	emb, err := s.g.read(ctx, ids)
	if err != nil {
		return nil, err
	}
	s.flow[0].load(s.g.bundle.Flow, v.states)
	if err := s.g.condition(ctx, stageText, emb, s.flow[0], s.flow[1]); err != nil {
		return nil, err
	}
	s.at, s.decoded = 1, 0
	s.mimi[0].reset(s.g.bundle.Mimi)
	set(s.frame, float32(math.NaN())) // the beginning
	return emb, nil
}

// next runs the main graph after the last frame, and reports whether the speech ends.
func (s *speech) next(ctx context.Context) (ends bool, err error) {
	if err := s.steps[s.at].Run(ctx, stageSpeech); err != nil {
		return false, fmt.Errorf("run model: %w", err)
	}
	s.at = 1 - s.at
	if err := onnx.CheckFinite(stageSpeech, s.conditioning); err != nil {
		return false, err
	}
	return s.eos[0] > endLogit, onnx.CheckFinite(stageSpeech, s.eos)
}

// refine makes the frame of the present conditioning from noise, in steps of equal length.
func (s *speech) refine(ctx context.Context, steps int, noise func([]float32)) error {
	noise(s.x)
	step := 1 / float64(steps)
	for j := range steps {
		from := float64(j) / float64(steps)
		s.start[0], s.end[0] = float32(from), float32(from+step)
		if err := s.euler.Run(ctx, stageFlow); err != nil {
			return fmt.Errorf("run model: %w", err)
		}
		for i, d := range s.direction {
			s.x[i] += d * float32(step)
		}
	}
	copy(s.frame, s.x)
	return onnx.CheckFinite(stageFlow, s.frame)
}

// sound returns the samples of the next frames.
func (s *speech) sound(ctx context.Context, latents []float32) ([]float32, error) {
	b := s.g.bundle
	n := len(latents) / b.Latent
	inputs := append([]onnx.Tensor{onnx.NewTensor(latents, 1, int64(n), int64(b.Latent))}, s.mimi[s.decoded].tensors...)
	outputs := append([]onnx.Tensor{{}}, s.mimi[1-s.decoded].tensors...)
	if err := s.g.decoder.RunInto(ctx, stageSound, inputs, outputs); err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	s.decoded = 1 - s.decoded
	samples, err := outputs[0].Floats()
	if err != nil {
		return nil, engines.Failed(stageSound, err)
	}
	if len(samples) != n*b.Frame {
		return nil, engines.Failed(stageSound, fmt.Errorf("%d frames have %d samples", n, len(samples)))
	}
	return samples, onnx.CheckFinite(stageSound, samples)
}

// request is one piece of text to speak.
type request struct {
	voice *voice
	ids   []int64
	limit int // frames
	after int // frames after the end was found
	steps int // of refine for each frame
	noise func([]float32)
}

// result says how the speech of a piece ended.
type result struct {
	frames int
	end    int // the step in which the end was found, -1 where the limit came first
}

// speak makes the frames of one piece and emits their samples in groups. Errors: that of emit, backend.ErrCancelled,
// CodeEngineFailed naming the stage, CodeOutOfMemory.
func (s *speech) speak(ctx context.Context, r request, emit func([]float32) error) (result, error) {
	out := result{end: -1}
	if _, err := s.begin(ctx, r.voice, r.ids); err != nil {
		return out, err
	}
	group, pending := firstFrames, make([]float32, 0, mostFrames*s.g.bundle.Latent)
	flush := func() error {
		samples, err := s.sound(ctx, pending)
		if err != nil {
			return err
		}
		pending = pending[:0]
		return emit(samples)
	}
	for step := range r.limit {
		ends, err := s.next(ctx)
		if err != nil {
			return out, err
		}
		if ends && out.end < 0 {
			out.end = step
		}
		if out.end >= 0 && step >= out.end+r.after {
			break
		}
		if err := s.refine(ctx, r.steps, r.noise); err != nil {
			return out, err
		}
		out.frames++
		if pending = append(pending, s.frame...); len(pending) == group*s.g.bundle.Latent {
			if err := flush(); err != nil {
				return out, err
			}
			group = min(2*group, mostFrames)
		}
	}
	if len(pending) == 0 {
		return out, nil
	}
	return out, flush()
}

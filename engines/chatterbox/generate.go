package chatterbox

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The tokens of speech that are no sound.
const (
	startToken  = 6561
	stopToken   = 6562
	soundTokens = 6561 // the tokens below are sound
	quietToken  = 4299 // a short silence, of which Turbo ends with three
)

// maxTokens is the most speech tokens of one piece: 40 s, the limit of the makers' program.
const maxTokens = 1000

// request is one piece of text to speak.
type request struct {
	ids   []int64
	voice *voice
	sampling
	exaggeration float32
	limit        int            // speech tokens
	audible      bool           // all tokens are sounds but the last, and the first one is
	u            func() float64 // the numbers that choose the tokens, 0 to below 1
}

// batch returns the number of rows that the language model works on: with guidance a second one, without the text.
func (r request) batch() int {
	if r.guidance > 0 {
		return 2
	}
	return 1
}

// positions returns the number of positions of the start and of all tokens.
func (r request) positions() int { return int(r.voice.Features.Shape[1]) + len(r.ids) + r.limit }

// generation is the making of the speech tokens of one piece.
type generation struct {
	graphs *graphs
	memory *memory
	request
	chooser *chooser
	tokens  []int // so far, the start token first
	scores  []float32

	feed, into []onnx.Tensor // inputs and output of embed_tokens
	id, place  []int64       // [1, 1] of the inputs
}

// begin returns a generation that uses the memory; no other may use it before this one ends.
func (g *graphs) begin(m *memory, r request) *generation {
	n := &generation{graphs: g, memory: m, request: r, id: make([]int64, 1), place: make([]int64, 1)}
	n.tokens = append(make([]int, 0, r.limit+1), startToken)
	n.feed = g.embedding(n.id, n.place, r.exaggeration)
	n.into = []onnx.Tensor{m.embedded}
	return n
}

// embedding returns the inputs of embed_tokens.
func (g *graphs) embedding(ids, places []int64, exaggeration float32) []onnx.Tensor {
	inputs := []onnx.Tensor{onnx.NewTensor(ids, 1, int64(len(ids)))}
	if g.multilingual {
		inputs = append(inputs, onnx.NewTensor(places, 1, int64(len(places))), onnx.NewTensor([]float32{exaggeration}, 1))
	}
	return inputs
}

// places returns the positions of the ids of a text: 0 for the marks around it, else one less than their index.
func places(ids []int64) []int64 {
	out := make([]int64, len(ids))
	for i, id := range ids {
		if id < soundTokens {
			out[i] = max(int64(i)-1, 0)
		}
	}
	return out
}

// text returns the embeddings of the ids of a text, [1, len(ids), hidden].
func (g *graphs) text(ctx context.Context, ids []int64, exaggeration float32) ([]float32, error) {
	out, err := g.embed.Run(ctx, stageText, g.embedding(ids, places(ids), exaggeration)...)
	if err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	data, err := out[0].Floats()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", stageText, err)
	}
	if want := []int64{1, int64(len(ids)), int64(g.hidden)}; !slices.Equal(out[0].Shape(), want) {
		return nil, engines.Failed(stageText, fmt.Errorf("the output has the shape %v, not %v", out[0].Shape(), want))
	}
	return data, nil
}

// start returns the embeddings of voice and text; with guidance twice, the second time without the text.
func (g *graphs) start(ctx context.Context, r request) ([]float32, error) {
	words, err := g.text(ctx, r.ids, r.exaggeration)
	if err != nil {
		return nil, err
	}
	all := make([]float32, 0, r.batch()*(len(r.voice.Features.Data)+len(words)))
	all = append(append(all, r.voice.Features.Data...), words...)
	if r.batch() == 1 {
		return all, nil
	}
	all = append(append(all, r.voice.Features.Data...), words...)
	without := all[len(all)-len(words):]
	for i, id := range r.ids {
		if id < soundTokens {
			clear(without[i*g.hidden : (i+1)*g.hidden])
		}
	}
	return all, nil
}

// next returns the next token, which is stopToken at the end.
func (n *generation) next(ctx context.Context) (int, error) {
	var err error
	if len(n.tokens) == 1 {
		err = n.first(ctx)
	} else {
		err = n.step(ctx)
	}
	if err != nil {
		return 0, err
	}
	if err := onnx.CheckFinite(stageSpeech, n.memory.scores); err != nil {
		return 0, err
	}
	scores := n.guided()
	if n.audible {
		n.onlySounds(scores)
	}
	token := n.chooser.choose(scores, n.draw())
	n.tokens = append(n.tokens, token)
	return token, nil
}

// first runs the language model over the start.
func (n *generation) first(ctx context.Context) error {
	embeds, err := n.graphs.start(ctx, n.request)
	if err != nil {
		return err
	}
	m, length := n.memory, len(embeds)/n.batch()/n.graphs.hidden
	inputs, err := m.begin(embeds, length)
	if err != nil {
		return engines.Failed(stageSpeech, err)
	}
	if err := n.graphs.language.RunInto(ctx, stageSpeech, inputs, m.outputs); err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	if err := m.keepScores(length); err != nil {
		return engines.Failed(stageSpeech, err)
	}
	n.scores = make([]float32, len(m.scores)/n.batch())
	n.chooser = newChooser(n.sampling, len(n.scores))
	m.ran(length)
	return nil
}

// step runs the language model over the last token.
func (n *generation) step(ctx context.Context) error {
	n.id[0], n.place[0] = int64(n.tokens[len(n.tokens)-1]), int64(len(n.tokens)-1)
	if err := n.graphs.embed.Step(ctx, stageText, n.feed, n.into); err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	inputs, ok := n.memory.next()
	if !ok {
		return engines.Failed(stageSpeech, fmt.Errorf("position %d does not fit", n.memory.past))
	}
	if err := n.graphs.language.Step(ctx, stageSpeech, inputs, n.memory.outputs); err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	n.memory.ran(1)
	return nil
}

// guided returns the scores of the last run in memory that the next run replaces: with guidance those of the text, moved away
// from those without it.
func (n *generation) guided() []float32 {
	raw := n.memory.scores
	if n.batch() == 1 {
		copy(n.scores, raw)
		return n.scores
	}
	with, without := raw[:len(n.scores)], raw[len(n.scores):]
	for i, s := range with {
		n.scores[i] = s + n.guidance*(s-without[i])
	}
	return n.scores
}

// onlySounds leaves the tokens that are a sound and, after the first step, the end. The makers' programs drop the others from what was
// chosen, and do not look for the end in the first step.
func (n *generation) onlySounds(scores []float32) {
	for id := soundTokens; id < len(scores); id++ {
		if id != stopToken || len(n.tokens) == 1 {
			scores[id] = float32(math.Inf(-1))
		}
	}
}

// draw returns the number that chooses the next token.
func (n *generation) draw() float64 {
	if n.greedy {
		return 0
	}
	return n.u()
}

// generate returns the speech tokens of a piece, without the start; ended is false if the limit came before the end.
func (g *graphs) generate(ctx context.Context, m *memory, r request) (tokens []int, ended bool, err error) {
	n := g.begin(m, r)
	for range r.limit {
		token, err := n.next(ctx)
		if err != nil {
			return nil, false, err
		}
		if token == stopToken {
			return n.tokens[1:], true, nil
		}
	}
	return n.tokens[1:], false, nil
}

// sounds returns those of the tokens that are sound.
func sounds(tokens []int) []int64 {
	out := make([]int64, 0, len(tokens)+quietTokens)
	for _, t := range tokens {
		if t < soundTokens {
			out = append(out, int64(t))
		}
	}
	return out
}

// quietTokens is the number of short silences after the speech of Turbo, which its decoder needs to end the last sound.
const quietTokens = 3

// speak returns the samples of one piece. Errors: backend.ErrCancelled, CodeEngineFailed naming the stage, CodeOutOfMemory;
// engines.Runaway.
func (g *graphs) speak(ctx context.Context, m *memory, r request, seed int64) ([]float32, error) {
	tokens, ended, err := g.generate(ctx, m, r)
	if err != nil {
		return nil, err
	}
	if !ended {
		return nil, engines.Runaway(stageSpeech, r.limit)
	}
	speech := sounds(tokens)
	if !g.multilingual {
		for range quietTokens {
			speech = append(speech, quietToken)
		}
	}
	samples, err := g.decode(ctx, r.voice, speech, seed)
	if err != nil {
		return nil, err
	}
	if g.multilingual && len(samples) > perToken {
		samples = samples[:len(samples)-perToken] // the makers' program leaves out the last token (mtl_tts.py)
	}
	return inScale(samples)
}

// inScale returns the samples clipped to full scale, and an error for silence.
func inScale(samples []float32) ([]float32, error) {
	if err := onnx.CheckAudible(stageSound, samples); err != nil {
		return nil, err
	}
	for i, v := range samples {
		samples[i] = max(-1, min(1, v))
	}
	return samples, nil
}

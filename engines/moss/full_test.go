package moss

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The engine speaks in the mode "fixed". The other two modes of the reference choose the codes outside the graphs, channel by
// channel; here they drive the engine's prompt and steps, which proves these for any codes.

// chooser returns a function that sets the codes of the next frame as the mode of a case does, and one that returns how many
// random numbers are left.
func chooser(t *testing.T, e *Engine, s *speech, c framesCase, w *worst) (next func() bool, left func() int) {
	t.Helper()
	if c.Mode == "fixed" {
		random, left := given(t, c.Random)
		return func() bool {
			random(s.draws)
			more, err := s.next(t.Context())
			require.NoError(t, err)
			return more
		}, left
	}
	require.Contains(t, []string{"full", "greedy"}, c.Mode)
	h := newHost(t, e, c, w)
	return func() bool { return h.next(t, s) }, func() int {
		require.Equal(t, c.LocalSteps, h.steps)
		return len(h.random)
	}
}

// host chooses codes as OrtCpuRuntime.generate_audio_frames does with local_cached_step.
type host struct {
	c       framesCase
	w       *worst
	layers  int
	dims    [2]int64 // heads, head size
	defined struct {
		TextTemperature  float64 `json:"text_temperature"`
		TextTopP         float64 `json:"text_top_p"`
		TextTopK         int     `json:"text_top_k"`
		AudioTemperature float64 `json:"audio_temperature"`
		AudioTopP        float64 `json:"audio_top_p"`
		AudioTopK        int     `json:"audio_top_k"`
		Penalty          float64 `json:"audio_repetition_penalty"`
	}
	assistant, end int32

	random []float64
	past   []onnx.Tensor
	seen   []map[int32]bool
	steps  int
	frames int
}

func newHost(t *testing.T, e *Engine, c framesCase, w *worst) *host {
	t.Helper()
	m := readLocal(t)
	h := &host{c: c, w: w, random: c.Random, layers: m.Config.Layers, dims: [2]int64{m.Config.Heads, m.Config.HeadDim}}
	var defaults struct {
		Defaults json.RawMessage `json:"generation_defaults"`
	}
	readFile(t, &defaults, repos, speechRepo, manifestName)
	require.NoError(t, json.Unmarshal(defaults.Defaults, &h.defined))
	ids := e.graphs.config.manifest.IDs
	h.assistant, h.end = ids.Assistant, ids.End
	for range ids.Channels {
		h.seen = append(h.seen, map[int32]bool{})
	}
	return h
}

// localMeta is the part of the description that concerns the local graph.
type localMeta struct {
	Config struct {
		Layers  int   `json:"local_layers"`
		Heads   int64 `json:"local_heads"`
		HeadDim int64 `json:"local_head_dim"`
	} `json:"model_config"`
	Names struct {
		Inputs  []string `json:"local_cached_input_names"`
		Outputs []string `json:"local_cached_output_names"`
	} `json:"onnx"`
}

func readLocal(t *testing.T) localMeta {
	t.Helper()
	var m localMeta
	readFile(t, &m, repos, speechRepo, "tts_browser_onnx_meta.json")
	return m
}

// openLocal opens the graph of the other modes.
func openLocal(t *testing.T) *onnx.Session {
	t.Helper()
	m := readLocal(t)
	want := onnx.Signature{
		Inputs:  []onnx.Value{float(m.Names.Inputs[0], 2)},
		Outputs: []onnx.Value{float(m.Names.Outputs[0], onnx.AnyRank), float(m.Names.Outputs[1], onnx.AnyRank)},
	}
	for _, name := range m.Names.Inputs[1:6] {
		want.Inputs = append(want.Inputs, whole(name, 1))
	}
	want.Inputs = append(want.Inputs, memory(m.Names.Inputs[6:])...)
	want.Outputs = append(want.Outputs, memory(m.Names.Outputs[2:])...)
	local, err := library(t).Open(t.Context(), kit(t, repos, speechRepo, "moss_tts_local_cached_step.onnx"), want, onnx.SessionOptions{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, local.Close()) })
	return local
}

func readFile(t *testing.T, into any, parts ...string) {
	t.Helper()
	raw, err := os.ReadFile(kit(t, parts...))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}

// next sets the codes of the next frame.
func (h *host) next(t *testing.T, s *speech) bool {
	t.Helper()
	h.past = nil
	for range 2 * h.layers {
		h.past = append(h.past, onnx.NewTensor([]float32{}, 1, 0, h.dims[0], h.dims[1]))
	}
	text, _ := h.run(t, s.hidden, localStep{})
	pair := []float32{text[h.assistant], text[h.end]}
	if h.frames < len(h.c.TextLogits) {
		differ(t, &h.w.logits, hiddenTolerance, h.c.TextLogits[h.frames][:], pair)
	}
	h.frames++
	if h.choose(pair, h.defined.TextTemperature, min(h.defined.TextTopK, 2), h.defined.TextTopP) != 0 {
		return false
	}
	_, logits := h.run(t, s.hidden, localStep{Text: h.assistant, Step: 1})
	for channel := range h.seen {
		if channel > 0 {
			_, logits = h.run(t, s.hidden, localStep{Audio: s.row[channel], Channel: int32(channel - 1), Step: 2})
		}
		size := len(logits) / len(h.seen)
		code := h.code(slices.Clone(logits[channel*size:(channel+1)*size]), h.seen[channel])
		s.row[1+channel], h.seen[channel][code] = code, true
	}
	return true
}

// run runs the local graph once.
func (h *host) run(t *testing.T, hidden []float32, in localStep) (text, audio []float32) {
	t.Helper()
	in.Past = int32(h.past[0].Shape()[1])
	if h.steps < len(h.c.Local) {
		require.Equal(t, h.c.Local[h.steps], in)
	}
	one := func(v int32) onnx.Tensor { return onnx.NewTensor([]int32{v}, 1) }
	out, err := h.w.local.Run(t.Context(), "choosing", append([]onnx.Tensor{
		onnx.NewTensor(hidden, 1, int64(len(hidden))), one(in.Text), one(in.Audio), one(in.Channel), one(in.Step), one(in.Past),
	}, h.past...)...)
	require.NoError(t, err)
	h.past = out[2:]
	text, err = out[0].Floats()
	require.NoError(t, err)
	audio, err = out[1].Floats()
	require.NoError(t, err)
	for file, values := range map[string][]float32{"local0_text_logits": text, "local1_audio_logits": audio} {
		if path := h.c.Files[file]; path != "" && file[5] == byte('0'+h.steps) {
			differ(t, &h.w.logits, hiddenTolerance, enginetest.ReadNpy[float32](t, kit(t, path)), values)
		}
	}
	h.steps++
	return text, audio
}

// code chooses a code of a channel, where those that it had are less likely.
func (h *host) code(scores []float32, seen map[int32]bool) int32 {
	if h.c.Mode == "greedy" {
		best, at := math.Inf(-1), 0
		for i, v := range scores {
			score := float64(v)
			if seen[int32(i)] {
				score = penalized(score, h.defined.Penalty)
			}
			if score > best {
				best, at = score, i
			}
		}
		return int32(at)
	}
	for i := range seen {
		if scores[i] < 0 {
			scores[i] *= float32(h.defined.Penalty)
		} else {
			scores[i] /= float32(h.defined.Penalty)
		}
	}
	return int32(h.choose(scores, h.defined.AudioTemperature, h.defined.AudioTopK, h.defined.AudioTopP))
}

func penalized(score, penalty float64) float64 {
	if score < 0 {
		return score * penalty
	}
	return score / penalty
}

// choose returns the index that a random number selects, or the best one in the mode greedy.
func (h *host) choose(scores []float32, temperature float64, topK int, topP float64) int {
	if h.c.Mode == "greedy" {
		return best(scores)
	}
	scores = slices.Clone(scores)
	for i := range scores {
		scores[i] /= float32(temperature)
	}
	if topK > 0 && topK < len(scores) {
		sorted := slices.Sorted(slices.Values(scores))
		least := sorted[len(sorted)-topK]
		for i, v := range scores {
			if v < least {
				scores[i] = float32(math.Inf(-1))
			}
		}
	}
	if topP > 0 && topP < 1 {
		keepTop(scores, topP)
	}
	u := h.random[0]
	h.random = h.random[1:]
	for i, p := range softmax(scores) {
		if u -= p; u <= 0 {
			return i
		}
	}
	return best(scores)
}

// keepTop removes the scores after those whose probabilities together first exceed topP.
func keepTop(scores []float32, topP float64) {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return scores[order[a]] > scores[order[b]] })
	sorted := make([]float32, len(scores))
	for i, at := range order {
		sorted[i] = scores[at]
	}
	sum, over := 0.0, false
	for i, p := range softmax(sorted) {
		if over && i > 0 {
			scores[order[i]] = float32(math.Inf(-1))
		}
		sum += p
		over = sum > topP
	}
}

func softmax(scores []float32) []float64 {
	top, sum := slices.Max(scores), 0.0
	out := make([]float64, len(scores))
	for i, v := range scores {
		out[i] = math.Exp(float64(v - top))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

func best(scores []float32) int { return slices.Index(scores, slices.Max(scores)) }

package chatterbox

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// The kit's tolerances.
const (
	embedTolerance = 2e-5 // of embeddings and of what the encoder makes
	scoreTolerance = 3e-4
	soundTolerance = 2e-5
)

// worst holds the largest differences of all cases.
type worst struct{ encoder, embeds, scores, states, sound float64 }

func TestEncodeAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	for _, name := range []string{"turbo", "multilingual"} {
		t.Run(name, func(t *testing.T) {
			k, w := readKit(t, name), worst{}
			e := openAt(t, kit(t, filepath.FromSlash(k.Repo)), 1)
			samples := recording(t).Samples
			sameVoice(t, e, k.Reference, samples, &w)
			if len(k.Twice) > 0 {
				sameVoice(t, e, k.Twice, slices.Concat(samples, samples), &w)
			}
			for _, c := range k.LengthRule.Cases {
				require.Equal(t, sampleRate, c.Rate)
				_, err := e.edition.cut(make([]float32, c.Samples))
				require.Equal(t, c.OK, err == nil, "%d samples", c.Samples)
			}
			t.Logf("largest difference of the encoder: %.2g", w.encoder)
		})
	}
}

func sameVoice(t *testing.T, e *Engine, want map[string]tensorFile, samples []float32, w *worst) {
	t.Helper()
	v, err := e.graphs.encode(t.Context(), samples)
	require.NoError(t, err)
	require.Len(t, want, 4)
	for name, got := range map[string]array{
		"audio_features": v.Features, "speaker_embeddings": v.Embedding, "speaker_features": v.Mel,
	} {
		require.Equal(t, want[name].Shape, got.Shape)
		differ(t, &w.encoder, embedTolerance, floats(t, want[name].File), got.Data)
	}
	require.Equal(t, ints(t, want["audio_tokens"].File), v.Tokens)
}

func TestSpeakAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	for _, name := range []string{"turbo", "multilingual"} {
		t.Run(name, func(t *testing.T) {
			k, w := readKit(t, name), worst{}
			e := openAt(t, kit(t, filepath.FromSlash(k.Repo)), 1)
			if len(k.Languages) > 0 {
				require.Equal(t, k.Languages, e.Info().Languages)
			}
			v, err := e.graphs.encode(t.Context(), recording(t).Samples)
			require.NoError(t, err)
			kinds, steps := map[string]int{}, 0
			for _, c := range k.Cases {
				kinds[c.kind()]++
				steps += len(c.Steps)
				t.Run(c.Name, func(t *testing.T) { sameSpeech(t, e, v, c, &w) })
			}
			var counts []string
			for _, kind := range slices.Sorted(maps.Keys(kinds)) {
				counts = append(counts, fmt.Sprintf("%d %s", kinds[kind], kind))
			}
			t.Logf("%d cases (%s), %d steps, none skipped; largest differences: embeddings %.2g, scores %.2g, states %.2g, sound %.2g",
				len(k.Cases), strings.Join(counts, ", "), steps, w.embeds, w.scores, w.states, w.sound)
		})
	}
}

// asked returns the request of a case, with the kit's numbers as noise.
func asked(t *testing.T, e *Engine, v *voice, c speechCase) request {
	t.Helper()
	require.Contains(t, []string{"greedy", "sample"}, c.Mode, "a mode that nobody looked at")
	r := request{
		ids: c.IDs, voice: v, limit: c.Params.Limit, exaggeration: c.Exaggeration,
		sampling: sampling{
			greedy: c.Mode == "greedy", temperature: c.Params.Temperature, topK: c.Params.TopK, topP: 1, minP: c.Params.MinP,
			penalty: c.Params.Penalty, guidance: c.Params.Guidance, penaltyLast: !e.graphs.multilingual,
		},
	}
	if c.Params.TopP != nil {
		r.topP = *c.Params.TopP
	}
	step := 0
	r.u = func() float64 {
		step++
		return c.Steps[step-1].U
	}
	return r
}

func sameSpeech(t *testing.T, e *Engine, v *voice, c speechCase, w *worst) {
	t.Helper()
	r := asked(t, e, v, c)
	sameText(t, e, c)
	if c.Places != nil {
		require.Equal(t, c.Places, places(c.IDs))
	}
	sameStart(t, e, r, c, w)
	n := e.graphs.begin(newMemory(e.graphs.sizes, r.batch(), r.positions()), r)
	for i := range c.Steps {
		sameStep(t, n, c, i, w)
	}
	require.Equal(t, c.Generated, n.tokens)
	require.Equal(t, c.Stop == "stop", n.tokens[len(n.tokens)-1] == stopToken)
	again := asked(t, e, v, c)
	if c.Stop != "stop" {
		require.Contains(t, limits(e, c), len(c.Steps))
		again.limit = len(c.Steps)
	}
	tokens, ended, err := e.graphs.generate(t.Context(), n.memory, again)
	require.NoError(t, err)
	require.Equal(t, c.Stop == "stop", ended)
	require.Equal(t, c.Generated[1:], tokens, "the memory of an earlier piece changes the next one")

	speech := card(c.Generated)
	if turboSamples(e, c) {
		speech = sounds(c.Generated[1:])
	}
	require.Equal(t, c.Speech, speech)
	if !e.graphs.multilingual {
		speech = append(speech, quietToken, quietToken, quietToken)
	}
	require.Equal(t, c.Decoder, slices.Concat(v.Tokens, speech))
	samples, err := e.graphs.decode(t.Context(), v, speech, 0)
	require.NoError(t, err)
	sameSound(t, c, samples, w)
}

// turboSamples reports whether a case is of PyTorch's sampling with Turbo, which keeps all tokens that are sound: also the last one,
// where the limit was reached.
func turboSamples(e *Engine, c speechCase) bool { return !e.graphs.multilingual && c.Mode == "sample" }

// limits returns how many tokens a case may have that does not stop by itself. PyTorch's sampling with Turbo counts from the second
// one on.
func limits(e *Engine, c speechCase) []int {
	if turboSamples(e, c) {
		return []int{c.Params.Limit, c.Params.Limit + 1}
	}
	return []int{c.Params.Limit}
}

// card returns the speech tokens as the model card takes them: without the first and the last, whatever that is.
func card(generated []int) []int64 {
	out := []int64{}
	for _, token := range generated[1:max(1, len(generated)-1)] {
		out = append(out, int64(token))
	}
	return out
}

// sameText compares the way from a text to the ids that begin the model's input.
func sameText(t *testing.T, e *Engine, c speechCase) {
	t.Helper()
	if e.graphs.multilingual {
		tag, err := e.frontend.language(c.Language)
		require.NoError(t, err)
		require.Equal(t, c.Language, tag)
		require.Equal(t, c.Prepared, prepareText(tag, c.Text, e.frontend.table))
	} else {
		require.Equal(t, c.Normalized, punctuate(c.Text))
	}
	require.Equal(t, c.IDs, e.frontend.ids(c.Text, c.Language))
}

func sameStart(t *testing.T, e *Engine, r request, c speechCase, w *worst) {
	t.Helper()
	require.Equal(t, c.PromptLen, int(r.voice.Features.Shape[1])+len(c.IDs))
	if file := c.Files["text_embeds"]; file != "" {
		got, err := e.graphs.text(t.Context(), r.ids, r.exaggeration)
		require.NoError(t, err)
		differ(t, &w.embeds, embedTolerance, floats(t, file), got)
	}
	if file := c.Files["inputs_embeds"]; file != "" {
		got, err := e.graphs.start(t.Context(), r)
		require.NoError(t, err)
		differ(t, &w.embeds, embedTolerance, floats(t, file), got)
	}
}

// sameStep runs one step and compares everything that the kit has of it.
func sameStep(t *testing.T, n *generation, c speechCase, i int, w *worst) {
	t.Helper()
	want := c.Steps[i]
	token, err := n.next(t.Context())
	require.NoError(t, err)
	require.Equal(t, want.Token, token, "step %d", i)
	scores := slices.Clone(n.guided())
	if !n.greedy {
		require.InDelta(t, want.Candidates, len(n.chooser.all), 1, "step %d", i)
		require.InDelta(t, want.P, probability(n.chooser.all, token), 1e-3, "step %d", i)
	}
	require.Equal(t, want.Top, top(scores, len(want.Top)), "step %d", i)
	for j, id := range want.Top {
		differ(t, &w.scores, scoreTolerance, want.TopScores[j:j+1], scores[id:id+1])
	}
	for name, at := range map[string]int{"logits_step0": 0, "logits_step1": 1, "logits_last": len(c.Steps) - 1} {
		if file := c.Files[name]; file != "" && i == at {
			differ(t, &w.scores, scoreTolerance, floats(t, file), scores)
		}
	}
	if file := c.Files["step1_embeds"]; file != "" && i == 1 {
		differ(t, &w.embeds, embedTolerance, floats(t, file), n.memory.embeds[:n.graphs.hidden])
	}
	for layer := range n.graphs.layers {
		for j, kind := range []string{"key", "value"} {
			name := fmt.Sprintf("step%d_present.%d.%s", i, layer, kind)
			if file := c.Files[name]; file != "" {
				got, err := n.memory.inputs[n.memory.states+2*layer+j].Floats()
				require.NoError(t, err)
				differ(t, &w.states, scoreTolerance, floats(t, file), got)
			}
		}
	}
}

// top returns the tokens with the largest scores.
func top(scores []float32, n int) []int {
	left, ids := slices.Clone(scores), []int{}
	for range n {
		best := largest(left)
		ids, left[best] = append(ids, best), float32(math.Inf(-1))
	}
	return ids
}

// probability returns the share of a candidate.
func probability(all []scored, token int) float64 {
	total, of := 0.0, 0.0
	for _, s := range all {
		p := math.Exp(float64(s.score - all[0].score))
		total += p
		if s.id == token {
			of = p
		}
	}
	return of / total
}

func sameSound(t *testing.T, c speechCase, got []float32, w *worst) {
	t.Helper()
	require.Len(t, got, c.Waveform.Samples)
	require.Equal(t, 0, len(got)%perToken)
	if len(got) == 0 {
		return
	}
	square, sum := 0.0, 0.0
	for _, v := range got {
		square += float64(v) * float64(v)
		sum += float64(v)
	}
	require.InDelta(t, c.Waveform.Sum, sum, soundTolerance*float64(len(got)))
	require.InDelta(t, c.Waveform.RMS, math.Sqrt(square/float64(len(got))), soundTolerance)
	differ(t, &w.sound, soundTolerance, c.Waveform.First, got[:len(c.Waveform.First)])
	differ(t, &w.sound, soundTolerance, c.Waveform.Last, got[len(got)-len(c.Waveform.Last):])
	if file := c.Files["waveform"]; file != "" {
		differ(t, &w.sound, soundTolerance, floats(t, file), got)
	}
}

// TestTrimAsTheReference: the engine leaves out the end and everything that is no sound, as the makers' programs do.
func TestTrimAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	for _, c := range readKit(t, "turbo").Trim {
		require.Equal(t, c.Card, append(card(c.Generated), quietToken, quietToken, quietToken))
		require.Equal(t, c.Turbo, append(sounds(c.Generated), quietToken, quietToken, quietToken))
	}
	for _, c := range readKit(t, "multilingual").Trim {
		require.Equal(t, c.Card, card(c.Generated))
		heard := slices.DeleteFunc(c.Multilingual, func(id int64) bool { return id >= soundTokens }) // the decoder has no others
		require.Equal(t, heard, sounds(c.Generated))
	}
}

// differ fails if two lists differ by more than the tolerance, and records the largest difference.
func differ(t *testing.T, largest *float64, tolerance float64, want, got []float32) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		d := math.Abs(float64(want[i]) - float64(got[i]))
		*largest = max(*largest, d)
		if !(d <= tolerance) {
			t.Fatalf("value %d of %d: %g, not %g", i, len(want), got[i], want[i])
		}
	}
}

package pocket

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/python"
	"github.com/voicewright/voicewright/engines/voicecache"
)

// The kit's tolerances (its README), absolute.
const (
	exactTolerance  = 1e-5 // embeddings, conditioning, directions of the flow
	latentTolerance = 1e-4 // latents, end logits and the states that come from them
	audioTolerance  = 2e-3
)

func TestTextAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t, "fp32"), readKit(t)
	refused := 0
	for _, c := range k.Text {
		f := &frontend{bundle: &bundle{Pad: c.Pad, Semicolon: c.Semicolons}, tokens: e.frontend.tokens}
		prepared, words := f.prepare(c.Text)
		if c.Error != "" {
			refused++
			require.Empty(t, prepared, "text %q", c.Text)
			require.Empty(t, e.frontend.pieces(c.Text))
			continue
		}
		require.Equal(t, c.Prepared, prepared, "text %q", c.Text)
		require.Equal(t, c.After, f.after(words), "text %q", c.Text)
		require.Equal(t, c.IDs, f.ids(prepared), "text %q", c.Text)
		require.Equal(t, c.MaxFrames, e.graphs.bundle.limit(len(c.IDs)), "text %q", c.Text)
	}
	t.Logf("cases: %d texts, %d of them refused", len(k.Text), refused)
}

// TestSplitAsTheReference: the parts are those of the reference, except where it goes wrong: where it cuts a text that has
// no white space there, puts white space into it, or keeps a part that is too long; and where its way to count matters: it counts
// the tokens of a part as it was cut, we those of the prepared one, which the model gets.
func TestSplitAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t, "fp32"), readKit(t)
	equal, better := 0, 0
	for _, c := range k.Split {
		f := &frontend{bundle: &bundle{Semicolon: c.Semicolons}, tokens: e.frontend.tokens}
		prepared, _ := f.prepare(c.Text)
		require.Len(t, c.Tokens, len(c.Chunks))
		got := f.split(prepared, c.MaxTokens)
		left := prepared
		for _, part := range got {
			require.True(t, f.fits(part, c.MaxTokens), "part %q", part)
			var ok bool
			left, ok = strings.CutPrefix(strings.TrimPrefix(left, " "), part)
			require.True(t, ok, "nothing is lost or added before %q", part)
		}
		require.Empty(t, left)
		chunks := make([]string, len(c.Chunks))
		for i, chunk := range c.Chunks {
			chunks[i] = strings.Join(python.Fields(chunk), " ")
		}
		if slices.Equal(chunks, got) {
			equal++
			continue
		}
		wrong := slices.Max(c.Tokens) > c.MaxTokens || strings.Join(chunks, " ") != prepared || !packed(f, chunks, c.MaxTokens)
		require.True(t, wrong, "text %q at %d: %q, not %q", c.Text, c.MaxTokens, got, chunks)
		better++
	}
	t.Logf("cases: %d splits, %d equal to the reference, %d where it cuts numbers, keeps too much or counts otherwise", len(k.Split), equal, better)
}

// packed reports whether parts are as long as they can be by our way to count: each fits, and no more of the next one would.
func packed(f *frontend, parts []string, longest int) bool {
	for i, part := range parts {
		if !f.fits(part, longest) {
			return false
		}
		if i+1 < len(parts) && f.fits(part+" "+f.units(parts[i+1], longest)[0].text, longest) {
			return false
		}
	}
	return true
}

// worst holds the largest differences of all cases.
type worst struct{ embedding, cache, conditioning, flow, logit, latent, audio float64 }

func TestVoicesAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t, "fp32"), readKit(t)
	var w worst
	quietest := math.Inf(1)
	for _, c := range k.Voices {
		in := recording(t, c.File)
		require.Equal(t, c.Rate, in.Rate)
		require.Equal(t, c.Samples, in.Frames())
		ours, err := e.graphs.prepare(t.Context(), in)
		require.NoError(t, err)
		quietest = min(quietest, sameRecording(t, c.Poly.read(t), ours))

		embeddings, err := e.graphs.encode(t.Context(), c.Input.read(t))
		require.NoError(t, err)
		differ(t, &w.embedding, exactTolerance, c.Embedding.read(t), embeddings)
		v, err := e.graphs.hear(t.Context(), embeddings)
		require.NoError(t, err)
		sameVoice(t, e, c, v, &w)
	}
	t.Logf("cases: %d voices; resampled with %.1f dB; largest differences: embedding %.2g, cache %.2g", len(k.Voices), quietest, w.embedding, w.cache)
}

// sameRecording compares a resampled recording with that of the reference, and returns the distance of their difference in dB.
func sameRecording(t *testing.T, want, got []float32) float64 {
	t.Helper()
	const edge = 200 // where the filters of both reach beyond the recording
	require.InDelta(t, len(want), len(got), 1)
	var signal, noise float64
	for i := edge; i < min(len(want), len(got))-edge; i++ {
		signal += float64(want[i]) * float64(want[i])
		noise += (float64(want[i]) - float64(got[i])) * (float64(want[i]) - float64(got[i]))
	}
	db := 10 * math.Log10(signal/max(noise, 1e-30))
	require.GreaterOrEqual(t, db, 40.0)
	return db
}

// sameVoice compares the whole state after a voice.
func sameVoice(t *testing.T, e *Engine, c voiceCase, v *voice, w *worst) {
	t.Helper()
	states := e.graphs.bundle.Flow
	require.Equal(t, c.Positions, v.positions)
	m := newMemory(states)
	m.load(states, v.states)
	var caches [][]float32
	var steps []int64
	for i, s := range states {
		switch {
		case s.positions() > 0:
			data := m.data[i].([]float32)
			caches = append(caches, first(data, s, v.positions))
			require.True(t, !c.RestNaN || restIsNaN(data, s, v.positions), "state %s", s.Path)
		case s.Key == "current_end":
			require.Equal(t, c.End, s.Shape)
		default:
			steps = append(steps, m.data[i].([]int64)...)
		}
	}
	require.Equal(t, c.Steps, steps)
	differ(t, &w.cache, latentTolerance, c.Caches[0].read(t), caches[0])
	differ(t, &w.cache, latentTolerance, c.Caches[1].read(t), caches[len(caches)-1])
}

func restIsNaN(data []float32, s state, used int) bool {
	rows, inner := int(product(s.Shape[:cacheAxis])), int(product(s.Shape[cacheAxis+1:]))
	for row := range rows {
		for _, v := range data[(row*s.positions()+used)*inner : (row+1)*s.positions()*inner] {
			if v == v {
				return false
			}
		}
	}
	return true
}

// differ fails if two lists differ by more than the tolerance, and records the largest difference.
func differ(t *testing.T, largest *float64, tolerance float64, want, got []float32) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		d := math.Abs(float64(want[i]) - float64(got[i]))
		if d <= tolerance {
			*largest = max(*largest, d)
			continue
		}
		require.Fail(t, "values differ", "value %d of %d: %g, not %g", i, len(want), got[i], want[i])
	}
}

func sum(all []float32) (out float64) {
	for _, v := range all {
		out += float64(v)
	}
	return out
}

// TestPresetsAsTheReference: a voice that the makers store as a file gives the state of the recording that it was made from.
func TestPresetsAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t, "fp32"), readKit(t)
	var w worst
	for _, p := range k.Presets {
		c := k.Voices[p.Voice]
		v := preset(t, e.graphs.bundle.Flow, kit(t, filepath.FromSlash(p.File)))
		sameVoice(t, e, c, v, &w)
		at := slices.IndexFunc(k.Generate, func(g generateCase) bool {
			return g.Precision == "fp32" && g.Error == "" && g.Voice == path.Base(c.File) && string(g.Overrides) == "{}"
		})
		require.GreaterOrEqual(t, at, 0)
		sameSpeech(t, e, k.Generate[at], v, &w)
	}
	t.Logf("cases: %d presets; largest differences: cache %.2g, latents %.2g, sound %.2g", len(k.Presets), w.cache, w.latent, w.audio)
}

// preset reads a file of a voice in one of the makers' two styles: the step is the number "offset", or the length of
// "current_end".
func preset(t *testing.T, states []state, file string) *voice {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	size := binary.LittleEndian.Uint64(raw)
	var header map[string]struct {
		Shape   []int64 `json:"shape"`
		Offsets [2]int  `json:"data_offsets"`
	}
	require.NoError(t, json.Unmarshal(raw[8:8+size], &header))
	raw = raw[8+size:]
	v := &voice{states: newMemory(states).kept(states, 0)}
	for i, s := range states {
		module := strings.TrimSuffix(s.Path, "/"+s.Key)
		switch {
		case s.positions() > 0:
			a := header[s.Path]
			v.positions = int(a.Shape[cacheAxis])
			data := make([]float32, product(a.Shape))
			_, err := binary.Decode(raw[a.Offsets[0]:a.Offsets[1]], binary.LittleEndian, data)
			require.NoError(t, err)
			v.states[i] = data
		case s.Key == "step":
			step := header[module+"/current_end"].Shape
			if at, ok := header[module+"/offset"]; ok {
				step = []int64{int64(binary.LittleEndian.Uint64(raw[at.Offsets[0]:]))}
			}
			v.states[i] = step
		}
	}
	return v
}

// TestVoiceIsPreparedOnceAsTheReference counts the runs of the two graphs that a voice needs.
func TestVoiceIsPreparedOnceAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t, "fp32"), readKit(t)
	cache := voicecache.New(voicecache.Options[*voice]{Name: t.Name(), Encode: store, Decode: e.graphs.bundle.restore})
	var calls callsCase
	learn := func(ctx context.Context, in audio.Buffer) (*voice, error) {
		calls.Encoder++
		calls.Main++
		return e.graphs.learn(ctx, in)
	}
	s, err := newSpeech(t.Context(), e.graphs)
	require.NoError(t, err)
	defer s.close()
	ref := reference(recording(t, k.Voices[0].File), "")
	for i, want := range k.Calls {
		v, err := cache.Get(t.Context(), ref, learn)
		require.NoError(t, err)
		frames := k.Calls[len(k.Calls)-1].Main - k.Calls[len(k.Calls)-2].Main - 1
		r := request{voice: v, ids: e.frontend.ids("Hello."), limit: frames, after: frames, steps: usualSteps, noise: func([]float32) {}}
		got, err := s.speak(t.Context(), r, func([]float32) error { return nil })
		require.NoError(t, err)
		require.Equal(t, frames, got.frames)
		calls.Main += 1 + got.frames
		require.Equal(t, want, calls, "after %d", i+1)
	}
	t.Logf("cases: %d calls", len(k.Calls))
}

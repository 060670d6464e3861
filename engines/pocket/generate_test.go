package pocket

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestGenerateAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	k := readKit(t)
	opened := map[string]*Engine{"fp32": openKit(t, "fp32"), "int8": openKit(t, "int8")}
	var w worst
	kinds := map[string]int{}
	for _, c := range k.Generate {
		t.Run(c.Name, func(t *testing.T) {
			require.Contains(t, opened, c.Precision)
			e := changed(t, opened[c.Precision], c.Overrides)
			if c.Error != "" {
				kinds["refused"]++
				err := e.Speak(t.Context(), engines.Utterance{Text: c.Text, Reference: reference(audio.Buffer{}, "")}, nil)
				require.Equal(t, backend.CodeNothingToSpeak, backend.CodeOf(err))
				return
			}
			kinds[c.Precision]++
			sameSpeech(t, e, c, k.voiceOf(t, e, c.Voice), &w)
		})
	}
	t.Logf("cases: %d spoken: %v; largest differences (fp32): conditioning %.2g, flow %.2g, logits %.2g, latents %.2g, caches %.2g, sound %.2g",
		len(k.Generate), kinds, w.conditioning, w.flow, w.logit, w.latent, w.cache, w.audio)
}

// requestOf returns the request of a case and checks the text of it.
func requestOf(t *testing.T, e *Engine, c generateCase, v *voice) request {
	t.Helper()
	prepared, words := e.frontend.prepare(c.Text)
	require.Equal(t, c.Prepared, prepared)
	ids := e.frontend.ids(prepared)
	require.Equal(t, c.IDs, ids)
	r := request{voice: v, ids: ids, limit: e.graphs.bundle.limit(len(ids)), after: e.frontend.after(words), steps: c.Steps}
	if c.AfterEOS != nil {
		r.after = *c.AfterEOS
	}
	if c.MaxFrames != nil && *c.MaxFrames != 0 {
		r.limit = *c.MaxFrames
	}
	require.Equal(t, c.After, r.after)
	require.Equal(t, c.Limit, r.limit)
	require.Equal(t, c.AfterVoice, v.positions)
	r.limit = min(r.limit, e.graphs.bundle.cache-v.positions-len(ids)) // the reference does not look at it
	r.noise = given(t, c.Noise.read(t))
	return r
}

// given returns the kit's noise, frame by frame.
func given(t *testing.T, all []float32) func([]float32) {
	return func(dst []float32) {
		require.GreaterOrEqual(t, len(all), len(dst))
		copy(dst, all)
		all = all[len(dst):]
	}
}

// sameSpeech compares every intermediate value of a case, and then the whole loop.
func sameSpeech(t *testing.T, e *Engine, c generateCase, v *voice, w *worst) {
	t.Helper()
	s, err := newSpeech(t.Context(), e.graphs)
	require.NoError(t, err)
	defer s.close()
	r := requestOf(t, e, c, v)
	latents, calls := sameFrames(t, s, c, r, w)
	require.Equal(t, c.Calls, calls)
	require.Len(t, latents, c.Frames*e.graphs.bundle.Latent)
	require.Equal(t, c.AtEnd, v.positions+len(r.ids)+calls)
	sameCaches(t, s, c, w)
	require.Len(t, sameSound(t, s, c, latents, w), c.Samples)

	r.noise = given(t, c.Noise.read(t))
	var samples []float32
	got, err := s.speak(t.Context(), r, func(part []float32) error {
		samples = append(samples, part...)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, c.Frames, got.frames)
	if c.EOSStep == nil {
		require.Equal(t, -1, got.end)
	} else {
		require.Equal(t, *c.EOSStep, got.end)
	}
	require.Len(t, samples, c.Samples)
	compareSound(t, c, samples, w)
}

// sameFrames makes the frames of a case step by step and compares what each graph returns.
func sameFrames(t *testing.T, s *speech, c generateCase, r request, w *worst) (latents []float32, calls int) {
	t.Helper()
	exact := c.Precision == "fp32"
	emb, err := s.begin(t.Context(), r.voice, r.ids)
	require.NoError(t, err)
	if c.TextEmbeddings != nil {
		differ(t, &w.embedding, exactTolerance, c.TextEmbeddings.read(t), emb)
	}
	end := -1
	var conditioning []float32
	for calls < r.limit {
		ends, err := s.next(t.Context())
		require.NoError(t, err)
		step := calls
		calls++
		require.Less(t, step, len(c.EOSLogits))
		if exact {
			differ(t, &w.logit, latentTolerance, c.EOSLogits[step:step+1], s.eos)
		}
		conditioning = append(conditioning, s.conditioning...)
		if ends && end < 0 {
			end = step
		}
		if end >= 0 && step >= end+r.after {
			break
		}
		if step == 0 && c.FlowX != nil {
			sameFlow(t, s, c, w)
		}
		require.NoError(t, s.refine(t.Context(), r.steps, r.noise))
		latents = append(latents, s.frame...)
	}
	require.Len(t, c.EOSLogits, calls)
	if c.Conditioning != nil {
		differ(t, &w.conditioning, exactTolerance, c.Conditioning.read(t), conditioning)
	}
	if exact {
		differ(t, &w.latent, latentTolerance, c.Latents.read(t), latents)
	}
	return latents, calls
}

// sameFlow compares the steps of the first frame, without taking part in the speech.
func sameFlow(t *testing.T, s *speech, c generateCase, w *worst) {
	t.Helper()
	noise, xs, dirs := c.Noise.read(t), c.FlowX.read(t), c.FlowDir.read(t)
	n := len(s.x)
	require.Len(t, c.FlowS, c.Steps)
	require.Len(t, c.FlowT, c.Steps)
	copy(s.x, noise)
	for j := range c.Steps {
		differ(t, &w.flow, latentTolerance, xs[j*n:(j+1)*n], s.x)
		s.start[0], s.end[0] = c.FlowS[j], c.FlowT[j]
		require.NoError(t, s.euler.Run(t.Context(), stageFlow))
		differ(t, &w.flow, exactTolerance, dirs[j*n:(j+1)*n], s.direction)
		for i, d := range s.direction {
			s.x[i] += d / float32(c.Steps)
		}
	}
}

// sameCaches compares the states of the main graph at the end.
func sameCaches(t *testing.T, s *speech, c generateCase, w *worst) {
	t.Helper()
	if c.FirstCache == nil {
		return
	}
	var caches [][]float32
	for i, st := range s.g.bundle.Flow {
		if st.positions() > 0 {
			caches = append(caches, first(s.flow[s.at].data[i].([]float32), st, c.AtEnd))
		}
	}
	differ(t, &w.cache, latentTolerance, c.FirstCache.read(t), caches[0])
	differ(t, &w.cache, latentTolerance, c.LastCache.read(t), caches[len(caches)-1])
}

// sameSound decodes the latents in the groups of the reference, and compares the states after the first one.
func sameSound(t *testing.T, s *speech, c generateCase, latents []float32, w *worst) (samples []float32) {
	t.Helper()
	for i, frames := range c.DecodeChunks {
		n := frames * s.g.bundle.Latent
		part, err := s.sound(t.Context(), latents[:n])
		require.NoError(t, err)
		samples, latents = append(samples, part...), latents[n:]
		if i == 0 && c.MimiStates != nil {
			sameMimi(t, s, c.MimiStates, w)
		}
	}
	require.Empty(t, latents)
	compareSound(t, c, samples, w)
	return samples
}

func sameMimi(t *testing.T, s *speech, want []mimiState, w *worst) {
	t.Helper()
	require.Len(t, want, len(s.g.bundle.Mimi))
	for i, st := range s.g.bundle.Mimi {
		require.Equal(t, want[i].Path, st.Path)
		require.Equal(t, want[i].Shape, st.Shape)
		got := numbers(s.mimi[s.decoded].data[i])
		if want[i].Sum != nil {
			require.InDelta(t, *want[i].Sum, sum(got), latentTolerance*float64(max(len(got), 1)), st.Path)
		}
		if want[i].Values == nil {
			continue
		}
		values := make([]float32, len(want[i].Values))
		for j, v := range want[i].Values {
			values[j] = float32(v)
		}
		differ(t, &w.cache, latentTolerance, values, got)
	}
}

// numbers returns the elements of a state.
func numbers(data any) (out []float32) {
	switch data := data.(type) {
	case []float32:
		return data
	case []int64:
		for _, v := range data {
			out = append(out, float32(v))
		}
	case []bool:
		for _, v := range data {
			if v {
				out = append(out, 1)
			} else {
				out = append(out, 0)
			}
		}
	}
	return out
}

// compareSound compares samples with those of the kit; with 8 bits they depend on the processor and on the groups.
func compareSound(t *testing.T, c generateCase, got []float32, w *worst) {
	t.Helper()
	require.Len(t, got, c.Audio.Samples)
	if c.Precision != "fp32" {
		return
	}
	square := 0.0
	for _, v := range got {
		square += float64(v) * float64(v)
	}
	require.InDelta(t, c.Audio.Sum, sum(got), audioTolerance*float64(len(got)))
	require.InDelta(t, c.Audio.RMS, math.Sqrt(square/float64(len(got))), audioTolerance)
	differ(t, &w.audio, audioTolerance, c.Audio.First, got[:len(c.Audio.First)])
	differ(t, &w.audio, audioTolerance, c.Audio.Last, got[len(got)-len(c.Audio.Last):])
	if c.Audio.Full != nil {
		differ(t, &w.audio, audioTolerance, c.Audio.Full.read(t), got)
		return
	}
	require.NotNil(t, c.Audio.Strided)
	var every []float32
	for i := 0; i < len(got); i += 53 {
		every = append(every, got[i])
	}
	differ(t, &w.audio, audioTolerance, c.Audio.Strided.read(t), every)
}

// TestUtterancesAsTheReference speaks texts of several parts, each with a fresh copy of the voice, and joins them.
func TestUtterancesAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t, "fp32"), readKit(t)
	var w worst
	for _, u := range k.Utterances {
		prepared, _ := e.frontend.prepare(u.Text)
		require.Equal(t, u.Chunks, e.frontend.split(prepared, u.Tokens))
		require.Len(t, u.Cases, len(u.Chunks))
		s, err := newSpeech(t.Context(), e.graphs)
		require.NoError(t, err)
		defer s.close()
		total := 0
		for i, name := range u.Cases {
			at := slices.IndexFunc(k.Generate, func(c generateCase) bool { return c.Name == name })
			require.GreaterOrEqual(t, at, 0)
			c := k.Generate[at]
			require.Equal(t, u.Chunks[i], c.Text)
			r := requestOf(t, e, c, k.voiceOf(t, e, c.Voice))
			var samples []float32
			_, err := s.speak(t.Context(), r, func(part []float32) error {
				samples = append(samples, part...)
				return nil
			})
			require.NoError(t, err)
			compareSound(t, c, samples, &w)
			total += len(samples)
		}
		require.Equal(t, u.Total, total)
	}
	t.Logf("cases: %d utterances; largest difference of the sound %.2g", len(k.Utterances), w.audio)
}

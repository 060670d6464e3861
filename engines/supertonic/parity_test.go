package supertonic

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The kit's tolerances (its README), absolute.
const (
	durationTolerance = 1e-6
	embTolerance      = 1e-5
	latentTolerance   = 5e-4
	wavTolerance      = 1e-4
)

func TestCleanAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e := openKit(t, 1)
	for _, c := range readKit(t).Normalize {
		if c.Error != "" {
			// Codes are exact in the reference; in this engine they are BCP 47, so EN, en-US and an empty one are valid.
			require.NotContains(t, e.frontend.edition.languages, c.Lang)
			_, err := e.frontend.language(c.Lang, "")
			require.Equal(t, c.Lang == "zh", err != nil, "language %q", c.Lang)
			continue
		}
		tag, err := e.frontend.language(c.Lang, "")
		require.NoError(t, err)
		require.Equal(t, c.Lang, tag)
		got := clean(c.Text)
		require.Equal(t, c.NoTag, got, "text %q", c.Text)
		require.Equal(t, c.Normalized, "<"+tag+">"+got+"</"+tag+">")
		ids, _ := e.frontend.ids(got, tag)
		require.Equal(t, c.IDsDropped, ids, "text %q", c.Text)
		require.Equal(t, c.IDsDropped, known(c.IDs), "text %q", c.Text)
	}
}

// known returns the ids without those of characters that the model does not know.
func known(ids []*int64) []int64 {
	out := []int64{}
	for _, id := range ids {
		if id != nil && *id >= 0 {
			out = append(out, *id)
		}
	}
	return out
}

func TestSplitAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	for _, c := range readKit(t).Chunk {
		if c.Error != "" {
			require.Less(t, c.MaxLen, 10) // this engine asks for 300 and 120 only
			continue
		}
		got := split(c.Text, c.MaxLen)
		if len(c.Chunks) == 0 {
			require.Empty(t, got)
			continue
		}
		require.Equal(t, c.Chunks, got, "text %q at %d", c.Text, c.MaxLen)
	}
}

// worst holds the largest differences of all cases.
type worst struct{ duration, emb, latent, wav float64 }

func TestSpeakAsTheReference(t *testing.T) {
	enginetest.Parity(t)
	e, k := openKit(t, 1), readKit(t)
	require.Equal(t, k.SampleRate, e.info.SampleRate)
	require.Equal(t, k.Hop, e.graphs.config.hop())
	var w worst
	for _, c := range k.Synthesis {
		t.Run(c.Name, func(t *testing.T) {
			if c.Error != "" {
				refused(t, e, c)
				return
			}
			total := 0
			pieces := cut(c)
			require.Len(t, pieces, len(c.Chunks))
			for i, p := range c.Chunks {
				if i > 0 {
					total += c.SilenceSamples
				}
				require.Equal(t, p.Text, pieces[i])
				total += samePiece(t, e, c, p, &w)
			}
			require.Equal(t, c.TrimmedTotal, total)
		})
	}
	t.Logf("largest differences: duration %.2g, text %.2g, latents %.2g, sound %.2g", w.duration, w.emb, w.latent, w.wav)
}

// cut splits the text of a case with the options of the case.
func cut(c synthesisCase) []string {
	switch {
	case c.MaxLen != nil:
		return split(c.Text, *c.MaxLen)
	case c.Lang == "ko" && c.Model != "supertonic":
		return split(c.Text, longestKorean)
	}
	return split(c.Text, longestPiece)
}

// written returns the text and the tag as input of the case's model; the oldest script cleans nothing.
func written(c synthesisCase, text string) (cleaned, tag string) {
	switch {
	case c.Model == "v1-helper":
		return norm.NFKD.String(text), ""
	case c.Model == "supertonic":
		return clean(text), ""
	case c.Lang == "":
		return clean(text), anyLanguage
	}
	return clean(text), c.Lang
}

// samePiece compares every intermediate value of one piece, and returns its number of samples.
func samePiece(t *testing.T, e *Engine, c synthesisCase, p pieceCase, w *worst) int {
	t.Helper()
	cleaned, tag := written(c, p.Text)
	ids, _ := e.frontend.ids(cleaned, tag)
	require.Equal(t, p.IDs, ids)
	s := state{text: newText(ids), style: e.styles[c.Voice], steps: c.Steps}
	require.Equal(t, []int64{1, 1, int64(p.TextMaskOnes)}, s.mask.Shape())

	seconds, err := e.graphs.seconds(t.Context(), s.text, s.style)
	require.NoError(t, err)
	differ(t, &w.duration, durationTolerance, []float32{float32(p.DurationModel)}, []float32{seconds})
	pace := float32(c.Speed)
	differ(t, &w.duration, durationTolerance, []float32{float32(p.DurationSeconds)}, []float32{seconds / pace})
	n, err := e.graphs.measure(seconds, pace)
	require.NoError(t, err)
	require.Equal(t, length{samples: p.WavLength, frames: p.LatentLength, ones: p.LatentMaskOnes}, n)

	s.emb, err = e.graphs.encode(t.Context(), s.text, s.style)
	require.NoError(t, err)
	sameEmbedding(t, p, values(t, s.emb), w)

	s.frames = mask(n.ones, n.frames)
	raw := p.Noise.read(t)
	given := func(size int) []float32 {
		require.Equal(t, len(raw), size)
		return slices.Clone(raw)
	}
	x := sameLatents(t, e, p, s, e.graphs.start(n, given), w)
	wav, err := e.graphs.vocode(t.Context(), x)
	require.NoError(t, err)
	sameSound(t, p, wav, w)

	whole, err := e.graphs.speak(t.Context(), request{ids: ids, style: s.style, pace: pace, steps: c.Steps, noise: given})
	require.NoError(t, err)
	require.Len(t, whole, p.SamplesTrimmed)
	for i, v := range wav[:p.SamplesTrimmed] {
		require.Equal(t, max(-1, min(1, v)), whole[i])
	}
	return len(whole)
}

func sameEmbedding(t *testing.T, p pieceCase, got []float32, w *worst) {
	t.Helper()
	if p.TextEmb != nil {
		differ(t, &w.emb, embTolerance, p.TextEmb.read(t), got)
		return
	}
	require.NotNil(t, p.TextEmbSum)
	require.InDelta(t, *p.TextEmbSum, sum(got), embTolerance*float64(len(got)))
}

// sameLatents runs all steps and returns the last latent.
func sameLatents(t *testing.T, e *Engine, p pieceCase, s state, x onnx.Tensor, w *worst) onnx.Tensor {
	t.Helper()
	require.Len(t, p.CurrentStep, s.steps)
	require.InDelta(t, float64(s.steps), p.TotalStep, 0)
	var err error
	for step := range s.steps {
		require.InDelta(t, float64(step), p.CurrentStep[step], 0)
		x, err = e.graphs.denoise(t.Context(), x, s, step)
		require.NoError(t, err)
		got := values(t, x)
		if p.LatentSums != nil {
			require.InDelta(t, p.LatentSums[step], sum(got), latentTolerance*float64(len(got)))
		}
		if at := step - s.steps + len(p.Latents); at >= 0 { // all steps, or the last one
			differ(t, &w.latent, latentTolerance, p.Latents[at].read(t), got)
		}
	}
	require.True(t, len(p.Latents) > 0 || len(p.LatentSums) == s.steps)
	return x
}

func sameSound(t *testing.T, p pieceCase, got []float32, w *worst) {
	t.Helper()
	require.Len(t, got, p.SamplesVocoder)
	require.Len(t, got, p.Wav.Samples)
	require.InDelta(t, p.Wav.Sum, sum(got), wavTolerance*float64(len(got)))
	square := 0.0
	for _, v := range got {
		square += float64(v) * float64(v)
	}
	require.InDelta(t, p.Wav.RMS, math.Sqrt(square/float64(len(got))), wavTolerance)
	differ(t, &w.wav, wavTolerance, p.Wav.First, got[:len(p.Wav.First)])
	differ(t, &w.wav, wavTolerance, p.Wav.Last, got[len(got)-len(p.Wav.Last):])
	switch {
	case p.Wav.Full != nil:
		differ(t, &w.wav, wavTolerance, p.Wav.Full.read(t), got)
	default:
		require.NotNil(t, p.Wav.Strided)
		var every []float32
		for i := 0; i < len(got); i += 53 {
			every = append(every, got[i])
		}
		differ(t, &w.wav, wavTolerance, p.Wav.Strided.read(t), every)
	}
}

// differ fails if two lists differ by more than the tolerance, and records the largest difference.
func differ(t *testing.T, largest *float64, tolerance float64, want, got []float32) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		d := math.Abs(float64(want[i]) - float64(got[i]))
		*largest = max(*largest, d)
		require.LessOrEqual(t, d, tolerance, "value %d of %d: %g, not %g", i, len(want), got[i], want[i])
	}
}

func values(t *testing.T, x onnx.Tensor) []float32 {
	t.Helper()
	out, err := x.Floats()
	require.NoError(t, err)
	return out
}

func sum(all []float32) (out float64) {
	for _, v := range all {
		out += float64(v)
	}
	return out
}

// refused checks what this engine does where the reference returns an error.
func refused(t *testing.T, e *Engine, c synthesisCase) {
	t.Helper()
	u := engines.Utterance{Text: c.Text, Voice: c.Voice, Language: c.Lang, Speed: c.Speed / usual, Steps: c.Steps}
	err := e.Speak(t.Context(), u, func(audio.Buffer) error { return nil })
	switch c.Name {
	case "lang_zh_error":
		require.Equal(t, backend.CodeLanguageNotSupported, backend.CodeOf(err))
	case "empty_error", "spaces_error":
		require.Equal(t, backend.CodeNothingToSpeak, backend.CodeOf(err))
	case "speed_0_5_error", "speed_2_1_error", "steps_101_error":
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
	case "steps_0_error", // the engine's own choice
		"lang_upper_error",                // tags of languages have no case
		"unsupported_error", "null_error", // the unknown characters are left out
		"silence_negative_error", "chunk_9_error": // cannot be requested
		require.NoError(t, err)
	default:
		require.Fail(t, "an error that nobody looked at", c.Name)
	}
}

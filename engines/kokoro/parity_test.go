package kokoro

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// The kit's tolerances (its README).
const (
	sampleTolerance = 1e-5
	sumTolerance    = 1e-6 // relative
)

// worst holds the largest difference of each stage, for the log.
type worst map[string]float64

func (w worst) note(stage string, difference float64) { w[stage] = max(w[stage], difference) }

func (w worst) same(t *testing.T, stage string, want enginetest.Stats, samples []float32) {
	t.Helper()
	got := enginetest.StatsOf(samples)
	require.Equal(t, want.Count, got.Count, stage)
	require.InDelta(t, want.Sum, got.Sum, sampleTolerance*float64(want.Count), stage)
	require.InEpsilon(t, want.SumAbs, got.SumAbs, sumTolerance, stage)
	require.InEpsilon(t, want.SumSquare, got.SumSquare, sumTolerance, stage)
	require.InDelta(t, want.MaxAbs, got.MaxAbs, sampleTolerance, stage)
	w.note(stage+" sum_abs, relative", math.Abs(got.SumAbs/want.SumAbs-1))
	w.note(stage+" sum_square, relative", math.Abs(got.SumSquare/want.SumSquare-1))
	w.note(stage+" max_abs", math.Abs(got.MaxAbs-want.MaxAbs))
}

func (w worst) near(t *testing.T, stage string, want, got []float32) {
	t.Helper()
	require.InDeltaSlice(t, want, got, sampleTolerance, stage)
	for i := range want {
		w.note(stage, math.Abs(float64(want[i])-float64(got[i])))
	}
}

// one returns a style of one voice.
func one(t *testing.T, e *Engine, voice string) []part {
	t.Helper()
	_, parts, err := e.mix(voice)
	require.NoError(t, err)
	return parts
}

// ready returns the phonemes of a case as the reference prepares them: without unknown symbols for a text, unchanged if
// the case is phonemes.
func ready(e *Engine, c kitCase) string {
	if c.IsPhonemes {
		return c.Phonemes
	}
	return e.symbols.known(c.Phonemes)
}

// TestPhonemesToSound goes through every case from its phonemes: batches, ids, style, graph, trim, pauses.
func TestPhonemesToSound(t *testing.T) {
	enginetest.Parity(t)
	e := openAt(t, driver(t), folder(t, "repo"))
	w := worst{}
	for _, c := range readKit(t).Cases {
		t.Run(fmt.Sprintf("%d %s", c.ID, c.Voice), func(t *testing.T) {
			batches := split(ready(e, c))
			require.Len(t, batches, len(c.Batches))
			p := plan{batches: batches, parts: one(t, e, c.Voice), speed: c.Speed}
			var untrimmed []float32
			for i, want := range c.Batches {
				require.Equal(t, want.Phonemes, batches[i])
				untrimmed = append(untrimmed, w.batch(t, e, p, want)...)
			}
			var final []float32
			require.NoError(t, e.speak(t.Context(), p, func(samples []float32, times []timing) error {
				require.Nil(t, times)
				final = append(final, samples...)
				return nil
			}))
			w.same(t, "final", c.Final, final)
			require.Equal(t, c.Untrimmed.Count, len(untrimmed))
		})
	}
	for stage, difference := range w {
		t.Logf("%s: %.2g", stage, difference)
	}
}

// batch compares the stages of one batch and returns its raw sound.
func (w worst) batch(t *testing.T, e *Engine, p plan, want kitBatch) []float32 {
	t.Helper()
	ids, symbols := e.symbols.ids(want.Phonemes)
	require.Equal(t, want.InputIDs, ids)
	require.Equal(t, want.StyleRow, min(len(symbols), styleRows)-1)
	row := style(p.parts, len(symbols))
	w.near(t, "style", want.StyleHead, row[:len(want.StyleHead)])
	raw, frames, err := e.graph.run(t.Context(), ids, row, p.speed, 0)
	require.NoError(t, err)
	require.Nil(t, frames)
	w.same(t, "raw", want.Raw, raw)
	mid := len(raw) / 2
	w.near(t, "raw_mid", want.RawMid, raw[mid:mid+len(want.RawMid)])
	if want.Array != "" {
		w.near(t, "array", enginetest.ReadNpy[float32](t, kit(t, want.Array)), raw)
	}
	from, to := trim(raw)
	require.Equal(t, want.Trim, [2]int{from, to})
	w.same(t, "trimmed", want.Trimmed, raw[from:to])

	other, _, err := e.graph.run(t.Context(), ids, style(p.parts, want.StyleRowJS+1), p.speed, 0)
	require.NoError(t, err)
	w.same(t, "raw, kokoro.js row", want.RawJS, other)
	return raw
}

// TestTextToSoundInTheReferencesPhonemes speaks the cases whose text is phonemes through Speak, as IPA in brackets.
func TestTextToSoundInTheReferencesPhonemes(t *testing.T) {
	enginetest.Parity(t)
	e := openAt(t, driver(t), folder(t, "repo"))
	for _, c := range readKit(t).Cases {
		if !c.IsPhonemes || c.Phonemes != e.symbols.known(c.Phonemes) {
			continue
		}
		u := engines.Utterance{Text: "[[" + c.Text + "]]", Voice: c.Voice, Language: "es", Speed: c.Speed}
		worst{}.same(t, "final", c.Final, enginetest.Say(t, e, u))
	}
}

// TestKokoroJS: with the phonemes and the style row of kokoro.js 1.2.1 the ids and the sound are those of kokoro.js.
func TestKokoroJS(t *testing.T) {
	enginetest.Parity(t)
	e := openAt(t, driver(t), folder(t, "repo"))
	var file struct {
		Cases []struct {
			Voice  string  `json:"voice"`
			Speed  float64 `json:"speed"`
			Pieces []struct {
				Phonemes string           `json:"phonemes"`
				InputIDs []int64          `json:"input_ids"`
				StyleRow int              `json:"style_row"`
				Waveform enginetest.Stats `json:"waveform"`
				Mid      []float32        `json:"mid"`
			} `json:"pieces"`
		} `json:"cases"`
	}
	require.NoError(t, json.Unmarshal(read(t, kit(t, "kokoro_js.json")), &file))
	require.NotEmpty(t, file.Cases)
	w := worst{}
	for _, c := range file.Cases {
		parts := one(t, e, c.Voice)
		for _, p := range c.Pieces {
			ids, symbols := e.symbols.ids(p.Phonemes)
			if len(symbols) <= maxPhonemes {
				require.Equal(t, p.InputIDs, ids)
			}
			raw, _, err := e.graph.run(t.Context(), p.InputIDs, style(parts, p.StyleRow+1), c.Speed, 0)
			require.NoError(t, err)
			w.same(t, "waveform", p.Waveform, raw)
			mid := len(raw) / 2
			w.near(t, "mid", p.Mid, raw[mid:mid+len(p.Mid)])
		}
	}
	t.Log(w)
}

// TestTimedVariant: an export with whole speeds and exact durations, whose pauses are made longer inside a batch.
func TestTimedVariant(t *testing.T) {
	enginetest.Parity(t)
	e := openAt(t, driver(t), folder(t, "repo", "variants", "kokoro-timed.onnx"))
	require.True(t, e.graph.whole)
	spoken, k := 0, readKit(t)
	for _, c := range k.Timed {
		if c.Continuous {
			continue // overlapping windows: a mode of the reference that is off by default and that this engine lacks
		}
		spoken++
		require.Equal(t, c.SpeedFed, whole(c.Speed))
		p := plan{batches: split(c.Phonemes), parts: one(t, e, k.Timestamped.Voice), speed: c.Speed}
		var final []float32
		var times []timing
		require.NoError(t, e.speak(t.Context(), p, func(samples []float32, spans []timing) error {
			final, times = append(final, samples...), append(times, spans...)
			return nil
		}))
		worst{}.same(t, "final", c.Final, final)
		require.Len(t, times, len(c.Timings))
		for i, want := range c.Timings {
			require.Equal(t, want[0], string(times[i].symbol))
			require.InDelta(t, want[1], times[i].start, 1e-6)
			require.InDelta(t, want[2], times[i].end, 1e-6)
		}
	}
	require.Positive(t, spoken)
}

func TestTimestamped(t *testing.T) {
	enginetest.Parity(t)
	want := readKit(t).Timestamped
	e := openAt(t, driver(t), folder(t, "repo_timestamped"))
	ids, symbols := e.symbols.ids(want.Phonemes)
	require.Equal(t, want.InputIDs, ids)
	require.Equal(t, want.StyleRow, len(symbols)-1)
	raw, frames, err := e.graph.run(t.Context(), ids, style(one(t, e, want.Voice), len(symbols)), 1, 0)
	require.NoError(t, err)
	require.Equal(t, want.Frames, frames)
	worst{}.same(t, "waveform", want.Waveform, raw)
	at := frames[0]
	for i, span := range timings(symbols, frames, len(raw), 0, len(raw)) {
		require.InDelta(t, at*600/sampleRate, span.start, 1e-9)
		at += frames[i+1]
		require.InDelta(t, at*600/sampleRate, span.end, 1e-9)
	}
}

// TestTones decodes the input of the network from the sound.
func TestTones(t *testing.T) {
	enginetest.Parity(t)
	k := readKit(t)
	e := openAt(t, driver(t), folder(t, "repo_tone"))
	for _, want := range k.Tone {
		u := engines.Utterance{Text: "[[" + k.Timestamped.Phonemes + "]]", Voice: want.Voice, Language: "it", Speed: want.Speed}
		samples := enginetest.Say(t, e, u)
		require.Len(t, samples, want.Samples)
		got, err := enginetest.DecodeTones(samples, 600)
		require.NoError(t, err)
		require.Len(t, got, 1)
		require.InDeltaSlice(t, want.HeaderRatios, got[0].Header, 1e-4)
		require.Equal(t, want.InputIDs, got[0].IDs)
		for _, frames := range got[0].Frames {
			require.Equal(t, want.FramesPerID, frames)
		}
	}
}

// TestOlderExport: a graph that calls its ids tokens speaks like the others.
func TestOlderExport(t *testing.T) {
	enginetest.Parity(t)
	k := readKit(t)
	e := openAt(t, driver(t), folder(t, "repo", "variants", "kokoro-v1.0.onnx"))
	for _, c := range k.Cases {
		p := plan{batches: split(ready(e, c)), parts: one(t, e, c.Voice), speed: c.Speed}
		var final []float32
		require.NoError(t, e.speak(t.Context(), p, func(samples []float32, _ []timing) error {
			final = append(final, samples...)
			return nil
		}))
		worst{}.same(t, "final", c.Final, final)
	}
}

// TestReferencesErrors: the engine refuses what the reference refuses, with a reason.
func TestReferencesErrors(t *testing.T) {
	enginetest.Parity(t)
	e := openAt(t, driver(t), folder(t, "repo"))
	for _, c := range readKit(t).Errors {
		u := engines.Utterance{Text: c.Text, Voice: c.Args.Voice, Language: c.Args.Language, Speed: c.Args.Speed}
		err := e.Speak(t.Context(), u, func(audio.Buffer) error {
			t.Errorf("%q is spoken", c.Text)
			return nil
		})
		require.Error(t, err, "%q %+v", c.Text, c.Args)
	}
}

// TestBatchesHoldEverything: nothing of a long text is lost, as it is in kokoro.js.
func TestBatchesHoldEverything(t *testing.T) {
	enginetest.Parity(t)
	for _, c := range readKit(t).Cases {
		joined := strings.Join(split(c.Phonemes), " ")
		require.Equal(t, strings.ReplaceAll(c.Phonemes, " ", ""), strings.ReplaceAll(joined, " ", ""))
	}
}

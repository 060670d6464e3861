package kokoro

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// emitted is what SpeakWords emits for one buffer.
type emitted struct {
	samples []float32
	words   []backend.Word
}

func sayWords(t *testing.T, e *Engine, u engines.Utterance) (out []emitted) {
	t.Helper()
	require.NoError(t, e.SpeakWords(t.Context(), u, func(b audio.Buffer, words []backend.Word) error {
		out = append(out, emitted{b.Samples, words})
		return nil
	}))
	return out
}

func texts(buffers []emitted) (out []string) {
	for _, b := range buffers {
		for _, w := range b.words {
			out = append(out, w.Text)
		}
	}
	return out
}

// ordered checks that the words of each buffer are within it and one after the other.
func ordered(t *testing.T, buffers []emitted) {
	t.Helper()
	for _, b := range buffers {
		last := 0.0
		for _, w := range b.words {
			require.LessOrEqual(t, last, w.Start+1e-9, w)
			require.LessOrEqual(t, w.Start, w.End, w)
			last = w.End
		}
		require.LessOrEqual(t, last, float64(len(b.samples))/sampleRate+1e-9)
	}
}

// TestWordTimes compares the words' times with the sound itself: in the kit's timed graphs a frame has 600 samples.
func TestWordTimes(t *testing.T) {
	for _, repo := range [][]string{{"repo_timestamped"}, {"repo", "variants", "kokoro-timed.onnx"}} {
		e := openAt(t, driver(t), folder(t, repo[0], repo[1:]...))
		u := engines.Utterance{Text: "Hello, tone world."}
		p, err := e.plan(t.Context(), u)
		require.NoError(t, err)
		ids, symbols := e.symbols.ids(p.batches[0])
		raw, frames, err := e.graph.run(t.Context(), ids, style(p.parts, len(symbols)), 1, 0)
		require.NoError(t, err)
		from, _ := trim(raw)
		at := func(symbol int) float64 {
			sum := 0.0
			for _, f := range frames[:symbol+1] {
				sum += f
			}
			return max(0, sum*600-float64(from)) / sampleRate
		}
		got := sayWords(t, e, u)
		require.Len(t, got, 1)
		require.Equal(t, enginetest.Say(t, e, u), got[0].samples)
		ordered(t, got)
		require.Equal(t, []string{"Hello,", "tone", "world."}, texts(got))
		for i, span := range [][2]int{{0, 5}, {7, 11}, {12, 17}} {
			w := got[0].words[i]
			if repo[0] == "repo_timestamped" || i == 0 {
				require.InDelta(t, at(span[0]), w.Start, 1e-4, w.Text)
				require.InDelta(t, at(span[1]), w.End, 1e-4, w.Text)
			}
		}
	}
}

// TestWordsOverBatches: each word of a long text is emitted once, with the buffer that speaks it.
func TestWordsOverBatches(t *testing.T) {
	e := openAt(t, driver(t), folder(t, "repo_timestamped"))
	text := strings.Repeat("one two three, four five. ", 60)
	got := sayWords(t, e, engines.Utterance{Text: text})
	require.Greater(t, len(got), 2)
	ordered(t, got)
	require.Equal(t, strings.Fields(text), texts(got))
	for _, b := range got {
		require.NotEmpty(t, b.words)
		require.Less(t, b.words[0].Start, 0.2)
	}
}

// replaced is a front end that speaks some words as others.
type replaced struct{ words *strings.Replacer }

func (r replaced) Phonemes(ctx context.Context, text string, british bool) (string, error) {
	return letters{}.Phonemes(ctx, r.words.Replace(text), british)
}

func TestWordsWithOtherNumbersOfGroups(t *testing.T) {
	spoken := strings.NewReplacer("1999", "nin tin nin", "que c'est", "kse", "東京", "")
	d := NewDriver(library(t), replaced{spoken}, letters{})
	e := openAt(t, d, folder(t, "repo_timestamped"))
	for text, want := range map[string][]string{
		"in 1999 it was":        {"in", "1999", "it", "was"},
		"que c'est bo":          {"que", "c'est", "bo"},
		"one 東京 two":            {"one", "two"},
		"one [[tu ri]] four":    {"one", "[[tu ri]]", "four"},
		"— one — “two” … 😀 six": {"one", "“two”", "six"},
		"x[[y z]]! end":         {"x[[y z]]!", "end"},
	} {
		got := sayWords(t, e, engines.Utterance{Text: text})
		ordered(t, got)
		require.Equal(t, want, texts(got), text)
	}
	got := sayWords(t, e, engines.Utterance{Text: "in 1999 it"})[0].words
	plain := sayWords(t, e, engines.Utterance{Text: "in nin tin nin it"})[0].words
	require.Equal(t, plain[1].Start, got[1].Start)
	require.Equal(t, plain[3].End, got[1].End)
	require.Equal(t, plain[4], got[2])
}

func TestNoWordsWithoutTimes(t *testing.T) {
	e := openAt(t, driver(t), folder(t, "repo"))
	u := engines.Utterance{Text: "Hello, world."}
	got := sayWords(t, e, u)
	require.Equal(t, enginetest.Say(t, e, u), got[0].samples)
	require.Nil(t, got[0].words)
}

// TestPausesInsideABatchMoveTheWords: a longer silence delays the words after it.
func TestPausesInsideABatchMoveTheWords(t *testing.T) {
	samples := make([]float32, 4*sampleRate/10)
	for i := range samples {
		if i < 2400 || i >= 4800 {
			samples[i] = 0.5
		}
	}
	times := []timing{{'a', 0, 0.1}, {'.', 0.1, 0.15}, {' ', 0.15, 0.2}, {'b', 0.2, 0.4}}
	longer, moved := lengthen(samples, times)
	require.Len(t, longer, len(samples)+3600)
	require.InDelta(t, 0.35, moved[3].start, 1e-9)
	require.InDelta(t, 0.1, moved[1].start, 1e-9)
	same, still := lengthen(samples[:2400], times[:1])
	require.Equal(t, samples[:2400], same)
	require.Equal(t, times[:1], still)
	_, pressed := lengthen(samples[:2400], []timing{{'a', 0, 0.05}, {'.', 0.05, 0.06}, {'b', 0.06, 0.1}})
	require.InDelta(t, 0.06, pressed[2].start, 1e-9, "a mark without silence gets none")
}

func TestSpeakWordsStopsAtItsError(t *testing.T) {
	e := openAt(t, driver(t), folder(t, "repo_timestamped"))
	enough, calls := errors.New("enough"), 0
	err := e.SpeakWords(t.Context(), engines.Utterance{Text: strings.Repeat("one two. ", 200)}, func(audio.Buffer, []backend.Word) error {
		calls++
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, calls)
}

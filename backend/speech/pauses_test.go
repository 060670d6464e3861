package speech_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// hushed is a fixture with 0.1 s of near silence before and 0.2 s behind each sentence, as the models have it. It tells the
// time of every sentence as that of one word.
type hushed struct{ *enginetest.Fixture }

func (h hushed) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return h.SpeakWords(ctx, u, func(b audio.Buffer, _ []backend.Word) error { return emit(b) })
}

func (h hushed) SpeakWords(ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error) error {
	u.Voice = ""
	return h.Fixture.Speak(ctx, u, func(b audio.Buffer) error {
		n, tone := b.Rate/10, len(b.Samples)
		noise := func(n int) []float32 { return slices.Repeat([]float32{0.0009, -0.0009}, n/2) }
		b.Samples = slices.Concat(noise(n), b.Samples, noise(2*n))
		return emit(b, []backend.Word{{Text: "word", Start: 0.1, End: 0.1 + float64(tone)/float64(b.Rate)}})
	})
}

// newHushedLab is a lab whose voice is hushed.
func newHushedLab(t *testing.T) *studiotest.Lab {
	t.Helper()
	h := hushed{enginetest.NewFixture(enginetest.FixtureOptions{})}
	l := studiotest.New(t, h)
	l.Models.Speakers[studiotest.BuiltIn] = h
	return l
}

// silences measures the gaps in a file that are longer than 50 ms.
func silences(t *testing.T, path string) (gaps []float64, starts []float64) {
	t.Helper()
	b := studiotest.ReadWAV(t, path)
	last := -1
	for i, x := range b.Samples {
		if x < 0.01 && x > -0.01 {
			continue
		}
		if gap := float64(i-last-1) / float64(b.Rate); gap > 0.05 {
			if last >= 0 {
				gaps = append(gaps, gap)
			}
			starts = append(starts, float64(i)/float64(b.Rate))
		}
		last = i
	}
	return gaps, starts
}

const structured = "Chapter 1\nA Second Witness\n\nHe came in. He sat down.\n\nShe left [pause 0.5s] at once.\n\n* * *\n\nIt was late."

func TestPausesFollowTheStructure(t *testing.T) {
	l := newHushedLab(t)
	g := l.Speak(l.Request(structured))
	gaps, starts := silences(t, g.AudioPath)
	require.InDeltaSlice(t, []float64{1, 1, 0.35, 0.7, 0.5, 1.5}, gaps, 0.003, "what the engine brings is counted in")

	var breaks []string
	var pauses []int64
	for _, c := range g.Receipt.Chunks {
		breaks, pauses = append(breaks, c.Break), append(pauses, c.PauseMS)
	}
	require.Equal(t, []string{"", "heading", "heading", "paragraph", "pause", "scene"}, breaks, "the two sentences are one chunk")
	require.Equal(t, []int64{0, 1000, 1000, 700, 500, 1500}, pauses)
	require.Equal(t, l.Pauses, g.Receipt.Parameters["pauses"])

	var words []float64
	for _, c := range g.Chunks {
		for _, w := range c.Words {
			require.GreaterOrEqual(t, w.Start, c.Start)
			require.LessOrEqual(t, w.End, c.End)
			words = append(words, w.Start)
		}
	}
	require.InDeltaSlice(t, starts, words, 0.003, "the times of words are those of their sound")

	again, err := l.Generations.Regenerate(t.Context(), g.ID, &g.Seed, nil)
	require.NoError(t, err)
	l.Pauses = backend.Pauses{}
	again = l.Becomes(again.ID, backend.StatusComplete)
	require.Equal(t, g.Receipt.AudioSHA256, again.Receipt.AudioSHA256, "the same receipt, the same bytes")
}

func TestAPauseOfNothingIsNoPause(t *testing.T) {
	l := newHushedLab(t)
	g := l.Speak(l.Request("Wait [pause 0s] here. [pause 0] He came.\n\n[pause 0]\n\nShe left."))
	require.Equal(t, []string{"Wait here.", "He came.", "She left."}, chunkTexts(g))
	gaps, _ := silences(t, g.AudioPath)
	require.Empty(t, gaps)
	for _, c := range g.Receipt.Chunks {
		require.Zero(t, c.PauseMS)
	}
}

func TestPausesAreSettable(t *testing.T) {
	l := newHushedLab(t)
	l.Pauses = backend.Pauses{Sentence: 0.1, Paragraph: 0.2, Heading: 0.3, Scene: 0.4}
	gaps, _ := silences(t, l.Speak(l.Request(structured)).AudioPath)
	require.InDeltaSlice(t, []float64{0.3, 0.3, 0.1, 0.2, 0.5, 0.4}, gaps, 0.003, "also shorter than the engine's own")

	r := l.Request(structured)
	r.Pauses = backend.PauseOptions{Paragraph: new(1.0)}
	gaps, _ = silences(t, l.Speak(r).AudioPath)
	require.InDeltaSlice(t, []float64{0.3, 0.3, 0.1, 1, 0.5, 0.4}, gaps, 0.003, "the others are those of the settings")

	r = l.Request(structured)
	r.Pauses = backend.PauseOptions{Sentence: new(2.0), Paragraph: new(3.0), Heading: new(4.0), Scene: new(5.0)}
	r.Speed = new(2.0)
	gaps, _ = silences(t, l.Speak(r).AudioPath)
	require.InDeltaSlice(t, []float64{2, 2, 1, 1.5, 0.5, 2.5}, gaps, 0.003, "they go with the speed, and markup does not")
}

func TestCrossfadeKeepsThePausesOfTheStructure(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.Request("One is here. Two is here.\n\nThree is here. [pause 2s] Four is here.")
	r.CrossfadeMS = new(100)
	g := l.Speak(r)
	gap := func(n int) float64 { return g.Chunks[n].Start - g.Chunks[n-1].End }
	require.InDelta(t, -0.1, gap(1), 0.001)
	require.InDelta(t, 0.7, gap(2), 0.001)
	require.InDelta(t, 2, gap(3), 0.001)
}

// TestOldGenerationsKeepTheirPauses makes a generation again that was made before pauses followed the structure.
func TestOldGenerationsKeepTheirPauses(t *testing.T) {
	l := newHushedLab(t)
	g := l.Speak(l.Request("One is here.\n\nTwo is here. Three is here.\n\n* * *\n\nFour."))
	_, err := l.DB.UpdateGeneration(t.Context(), g.ID, func(g *backend.Generation) error {
		g.Request.Pauses = nil
		return nil
	})
	require.NoError(t, err)
	again, err := l.Generations.Regenerate(t.Context(), g.ID, &g.Seed, nil)
	require.NoError(t, err)
	again = l.Becomes(again.ID, backend.StatusComplete)
	require.Equal(t, []string{"One is here.", "Two is here. Three is here.\n\n* * *\n\nFour."}, chunkTexts(again))
	require.InDelta(t, again.Chunks[0].End, again.Chunks[1].Start, 1e-9)
	gaps, _ := silences(t, again.AudioPath)
	require.InDeltaSlice(t, []float64{0.3, 0.3, 0.3}, gaps, 0.003, "nothing but the engine's own silence")
	require.NotContains(t, again.Receipt.Parameters, "pauses")
}

func chunkTexts(g backend.Generation) []string {
	var all []string
	for _, c := range g.Chunks {
		all = append(all, c.Text)
	}
	return all
}

// TestTakesKeepThePauses puts takes into a file whose pauses count in what the engine brings, and back.
func TestTakesKeepThePauses(t *testing.T) {
	for name, voice := range map[string]engines.Speaker{
		"with silence of its own": hushed{enginetest.NewFixture(enginetest.FixtureOptions{})},
		"without":                 studiotest.AnyVoice{Speaker: enginetest.NewFixture(enginetest.FixtureOptions{})},
	} {
		t.Run(name, func(t *testing.T) {
			l := studiotest.New(t, voice)
			l.Models.Speakers[studiotest.BuiltIn] = voice
			g := l.Speak(l.Request(structured))
			first, _ := silences(t, g.AudioPath)
			for n := range g.Chunks {
				again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, n, nil, true)
				require.NoError(t, err)
				gaps, _ := silences(t, again.AudioPath)
				require.InDeltaSlice(t, first, gaps, 0.003)
				require.InDelta(t, g.Duration, again.Duration, 0.003)
				for _, c := range again.Chunks {
					for _, w := range c.Words {
						require.GreaterOrEqual(t, w.Start, c.Start-1e-9)
						require.LessOrEqual(t, w.End, c.End+1e-9)
					}
				}
				back, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{n: 0})
				require.NoError(t, err)
				require.Equal(t, g.Receipt.AudioSHA256, back.Receipt.AudioSHA256, "bit by bit")
			}
		})
	}
}

func TestPreviewOfPauses(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.Request("[pause 1,5s] Chapter 1\n\nHe came in. [pause 61s] He sat.\n\n---\n\nShe left. [pause]")
	s, err := l.Generations.Previews.TextPreview(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []string{"Chapter 1", "He came in.", "He sat.", "She left."}, s.Chunks)
	require.Equal(t, []generations.Pause{
		{Chunk: 0, Seconds: 1.5, Break: "pause"},
		{Chunk: 1, Seconds: 1, Break: "heading"},
		{Chunk: 2, Seconds: 60, Break: "pause"},
		{Chunk: 3, Seconds: 1.5, Break: "scene"},
		{Chunk: 4, Seconds: 0.5, Break: "pause"},
	}, s.Pauses)
	require.Equal(t, []string{"[pause 61s]"}, s.Shortened)
	require.Empty(t, s.Dropped)
	g := l.Speak(r)
	require.Equal(t, []string{"[pause 61s]"}, g.Receipt.Shortened)
	require.InDelta(t, 1.5, g.Chunks[0].Start, 0.001)

	s, err = l.Generations.Previews.TextPreview(t.Context(), l.Request("He came [pause for effect] in."))
	require.NoError(t, err)
	require.Equal(t, "He came in.", s.Spoken)
	require.Equal(t, []string{"[pause for effect]"}, s.Dropped)
}

// TestPreviewOfUnsupportedCharacters names characters beside marks, and so does the receipt.
func TestPreviewOfUnsupportedCharacters(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.Request("Five ★ and 字. [sigh] More ★.\n\nПривет.")
	s, err := l.Generations.Previews.TextPreview(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []string{"★", "字", "[sigh]"}, s.Dropped)
	require.Equal(t, s.Dropped, l.Speak(r).Receipt.DroppedTags)
}

// TestPreviewOfSignsThatAreSpoken names only the signs for which nothing is said where they are.
func TestPreviewOfSignsThatAreSpoken(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	for written, want := range map[string][]string{
		"It is −5 °C, 10⁸ or ¥1000, 20 ℃ and 5 m².":     {},
		"5 × 3 ≠ 14, ½ of €20 → £3 and x³, ① Ⅳ ﬁne.":    {},
		"The end.³ As he said¹² “so”.":                  {},
		"A ★ for −5 ✓ men.":                             {"★", "✓"},
		"See [the docs](https://example.com/★) &mdash;": {},
		"&euro;5 &copy; 2020 &times; 3":                 {},
	} {
		s, err := l.Generations.Previews.TextPreview(t.Context(), l.Request(written))
		require.NoError(t, err)
		require.Equal(t, want, s.Dropped, written)
	}
}

// TestStreamHasThePauses hears the same silences while a text is made.
func TestStreamHasThePauses(t *testing.T) {
	l := newHushedLab(t)
	st, err := l.Generations.Player.Stream(t.Context(), l.Request(structured))
	require.NoError(t, err)
	var pcm strings.Builder
	require.NoError(t, st.WriteTo(t.Context(), &pcm))
	require.NoError(t, st.Close())
	done := l.Becomes(st.Generation.ID, backend.StatusComplete)
	raw, err := os.ReadFile(done.AudioPath)
	require.NoError(t, err)
	require.Len(t, raw, pcm.Len()+44)
}

// TestQuietSentencesAreKept speaks sentences that are as quiet as the silence around others: none of them is left out.
func TestQuietSentencesAreKept(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return f.Speak(ctx, u, func(b audio.Buffer) error {
			for i := range b.Samples {
				if strings.HasPrefix(u.Text, "Quiet") {
					b.Samples[i] *= 0.001
				}
			}
			return emit(b)
		})
	}})
	g := l.Speak(l.Request("Quiet one. [pause 0.2s] Quiet two. [pause 0.2s] Loud one. [pause 0.2s] Quiet three. [pause 0.2s]"))
	require.Len(t, g.Chunks, 4)
}

// restful is a fixture that wants silence between its pieces.
type restful struct{ *enginetest.Fixture }

func (r restful) Info() engines.Info {
	info := r.Fixture.Info()
	info.Pauses = engines.Pauses{Sentence: 250 * time.Millisecond, Clause: 100 * time.Millisecond}
	return info
}

// TestEnginesOwnPauses puts the engine's silence between the parts of a sentence, unless the text or a crossfade says
// otherwise.
func TestEnginesOwnPauses(t *testing.T) {
	l := studiotest.New(t, restful{enginetest.NewFixture(enginetest.FixtureOptions{})})
	gap := func(text string, change func(*generations.Request)) float64 {
		r := l.Request(text)
		r.MaxChunkChars = new(50)
		change(&r)
		g := l.Speak(r)
		require.InDelta(t, g.Duration, g.Chunks[len(g.Chunks)-1].End, 1e-9, "nothing stands after the last chunk")
		return g.Chunks[1].Start - g.Chunks[0].End
	}
	same := func(*generations.Request) {}
	require.InDelta(t, 0.35, gap(studiotest.ThreeSentences, same), 0.001)
	require.InDelta(t, 0.1, gap("This sentence goes on and on for a good while now, until it has its end.", same), 0.001)
	require.InDelta(t, 0, gap(strings.Repeat("and on ", 14), same), 0.001)
	require.InDelta(t, 2, gap("One is here. [pause 2s] The other comes later.", same), 0.001)
	require.LessOrEqual(t, gap(studiotest.ThreeSentences, func(r *generations.Request) { r.CrossfadeMS = new(20) }), 0.0)
}

func TestPausesAreInTheSound(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Request("First part here. [pause 0.5s] Second part here."))
	require.Len(t, g.Chunks, 2)
	require.InDelta(t, 0.5, g.Chunks[1].Start-g.Chunks[0].End, 0.001)
	b := studiotest.ReadWAV(t, g.AudioPath)
	from, to := int((g.Chunks[0].End+0.01)*float64(b.Rate)), int((g.Chunks[1].Start-0.01)*float64(b.Rate))
	for _, x := range b.Samples[from:to] {
		require.Zero(t, x)
	}
	require.NotContains(t, g.Receipt.Chunks[0].Text+g.Receipt.Chunks[1].Text, "pause")
}

func TestCrossfadeOverlapsChunks(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	plain := l.Speak(l.Request(studiotest.ThreeSentences))
	r := l.Request(studiotest.ThreeSentences)
	r.CrossfadeMS = new(100)
	faded := l.Speak(r)
	require.Len(t, faded.Chunks, 2, "the first sentence alone, the others together")
	require.InDelta(t, 0.1, faded.Chunks[0].End-faded.Chunks[1].Start, 0.001)
	require.InDelta(t, 0.1+0.35, plain.Duration-faded.Duration, 0.001, "the crossfade stands for the pause")
}

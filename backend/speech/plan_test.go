package speech_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// lettersOf keeps what must be spoken.
func lettersOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func TestNothingOfTheTextIsLost(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 8000}))
	word := rapid.StringMatching(`[a-zA-Zäöüéßñ0-9日本語кот']{1,12}`)
	gap := rapid.SampledFrom([]string{" ", ", ", ". ", "! ", "\n", "\n\n", " - ", "... ", "。", " (", ") ", "? ", "; ", " Dr. "})
	rapid.Check(t, func(rt *rapid.T) {
		var b strings.Builder
		b.WriteString("a")
		for range rapid.IntRange(0, 30).Draw(rt, "words") {
			b.WriteString(gap.Draw(rt, "gap"))
			b.WriteString(word.Draw(rt, "word"))
		}
		r := l.Request(b.String())
		r.MaxChunkChars = new(rapid.IntRange(50, 200).Draw(rt, "max_chunk_chars"))
		r.CrossfadeMS = new(rapid.SampledFrom([]int{0, 0, 20, 500}).Draw(rt, "crossfade_ms"))
		r.Speed = new(rapid.SampledFrom([]float64{0.3, 1, 1.7, 4}).Draw(rt, "speed"))
		g, err := l.Generations.Generate(t.Context(), r)
		require.NoError(rt, err)

		var said strings.Builder
		last := backend.Chunk{}
		for i, c := range g.Chunks {
			said.WriteString(c.Text)
			require.Greater(rt, c.End, c.Start, "chunk %d has sound", i)
			require.GreaterOrEqual(rt, c.Start, last.Start)
			require.GreaterOrEqual(rt, c.End, last.End)
			if *r.CrossfadeMS == 0 {
				require.GreaterOrEqual(rt, c.Start, last.End-1e-9)
			}
			last = c
		}
		require.Equal(rt, lettersOf(r.Text), lettersOf(said.String()), "every letter, in order")
		require.InDelta(rt, g.Duration, last.End, 1e-9)
		info := studiotest.ReadWAV(t, g.AudioPath)
		require.InDelta(rt, g.Duration, info.Duration().Seconds(), 1e-6)
	})
}

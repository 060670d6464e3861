package speakers

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
)

// slowlyHeard is Heard as it is said: one segment after the other takes its time.
func slowlyHeard(segments []backend.Segment, turns []backend.SpeakerTurn) []backend.SpeakerTurn {
	out := slices.Clone(turns)
	for _, s := range segments {
		if s.Speaker == "" || s.End <= s.Start || len(turns) > 0 && s.SpeakerFound {
			continue
		}
		var others []backend.SpeakerTurn
		for _, t := range out {
			if t.End <= s.Start || t.Start >= s.End {
				others = append(others, t)
				continue
			}
			if t.Start < s.Start {
				others = append(others, backend.SpeakerTurn{Start: t.Start, End: s.Start, Speaker: t.Speaker})
			}
			if t.End > s.End {
				others = append(others, backend.SpeakerTurn{Start: s.End, End: t.End, Speaker: t.Speaker})
			}
		}
		out = append(others, backend.SpeakerTurn{Start: s.Start, End: s.End, Speaker: s.Speaker})
	}
	slices.SortStableFunc(out, func(a, b backend.SpeakerTurn) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// slowlyGiven is given with a search for each pair of a name and a speaker. A second that a person set counts more than all others.
func slowlyGiven(before []backend.Segment, turns []Turn) []string {
	seconds := func(name string, speaker int) (sum float64) {
		for _, s := range before {
			for _, t := range turns {
				if s.Speaker == name && t.Speaker == speaker && (!s.SpeakerFound || !IsAutomatic(name)) {
					overlap := max(0, min(s.End, t.End)-max(s.Start, t.Start))
					if sum += overlap; !s.SpeakerFound {
						sum += overlap * (1 << 13)
					}
				}
			}
		}
		return sum
	}
	names := make([]string, count(turns))
	for {
		longest, name, speaker := 0.0, "", 0
		for _, s := range before {
			for i := range names {
				if names[i] != "" || slices.Contains(names, s.Speaker) || s.Speaker == "" {
					continue
				}
				if sum := seconds(s.Speaker, i); sum > longest {
					longest, name, speaker = sum, s.Speaker, i
				}
			}
		}
		if longest == 0 {
			return names
		}
		names[speaker] = name
	}
}

// drawSegments draws lines that may overlap, in any order, at whole seconds so that many begin or end together.
func drawSegments(t *rapid.T) []backend.Segment {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) backend.Segment {
		start := float64(rapid.IntRange(0, 30).Draw(t, "start"))
		return backend.Segment{
			Start: start, End: start + float64(rapid.IntRange(0, 12).Draw(t, "length")),
			Speaker:      rapid.SampledFrom([]string{"", "Anna", "Ben", "Clara", "Speaker 1"}).Draw(t, "speaker"),
			SpeakerFound: rapid.Bool().Draw(t, "found"),
		}
	}), 0, 12).Draw(t, "segments")
}

func TestHeardIsThatOfTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segments := drawSegments(t)
		var turns []backend.SpeakerTurn
		for i := range rapid.IntRange(0, 12).Draw(t, "turns") {
			start := float64(rapid.IntRange(0, 30).Draw(t, "start"))
			length := float64(rapid.IntRange(0, 12).Draw(t, "length"))
			turns = append(turns, backend.SpeakerTurn{Start: start, End: start + length, Speaker: fmt.Sprint("Found ", i)})
		}
		before := slices.Clone(turns)
		require.Equal(t, slowlyHeard(segments, turns), append([]backend.SpeakerTurn(nil), Heard(segments, turns)...))
		require.Equal(t, before, turns, "changed")
	})
}

// The lengths of turns are powers of two, so that no two sums are equal.
func TestNamesAreThoseOfTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var turns []Turn
		var segments []backend.Segment
		at := 0.0
		for i := range rapid.IntRange(0, 12).Draw(t, "turns") {
			length := float64(int(1) << i)
			turns = append(turns, Turn{Start: at, End: at + length, Speaker: rapid.IntRange(0, 4).Draw(t, "speaker")})
			segments = append(segments, backend.Segment{
				Start: at, End: at + length,
				Speaker:      rapid.SampledFrom([]string{"", "Anna", "Ben", "Clara", "Speaker 1"}).Draw(t, "name"),
				SpeakerFound: rapid.Bool().Draw(t, "found"),
			})
			at += length
		}
		require.Equal(t, slowlyGiven(segments, turns), given(segments, newTimeline(turns)))
	})
}

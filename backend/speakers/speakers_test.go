package speakers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speakers"
)

// said returns a segment whose words each take a time in seconds, one after the other.
func said(id int, start, each float64, text string) backend.Segment {
	s := backend.Segment{ID: id, Start: start, Text: " " + text, Words: []backend.HeardWord{}}
	for i, w := range strings.Fields(text) {
		at := start + float64(i)*each
		s.Words = append(s.Words, backend.HeardWord{Word: " " + w, Start: at, End: at + each})
		s.End = at + each
	}
	return s
}

// lines returns segments as lines of text with their speakers.
func lines(segments []backend.Segment) []string {
	var out []string
	for _, s := range segments {
		out = append(out, strings.TrimSpace(s.Speaker+": "+strings.TrimSpace(s.Text)))
	}
	return out
}

func turn(start, end float64, speaker int) speakers.Turn {
	return speakers.Turn{Start: start, End: end, Speaker: speaker}
}

func TestWordsGetTheSpeakerOfTheirTime(t *testing.T) {
	untimed := backend.Segment{ID: 1, Start: 0, End: 10, Text: " All of this."}
	for _, c := range []struct {
		name     string
		segments []backend.Segment
		turns    []speakers.Turn
		want     []string
	}{
		{"nobody is heard", []backend.Segment{said(1, 0, 1, "Hello there.")}, nil, []string{": Hello there."}},
		{
			"cut between sentences",
			[]backend.Segment{said(1, 0, 1, "How are you? Fine, thank you.")},
			[]speakers.Turn{turn(0, 3, 0), turn(3, 6, 1)},
			[]string{"Speaker 1: How are you?", "Speaker 2: Fine, thank you."},
		},
		{
			"numbered by first words",
			[]backend.Segment{said(1, 3, 1, "I begin. You end.")},
			[]speakers.Turn{turn(0, 1, 0), turn(3, 5, 2), turn(5, 7, 1)},
			[]string{"Speaker 1: I begin.", "Speaker 2: You end."},
		},
		{
			"a short answer is a sentence",
			[]backend.Segment{said(1, 0, 0.4, "You are sure? Yes. Then we go.")},
			[]speakers.Turn{turn(0, 1.2, 0), turn(1.2, 1.6, 1), turn(1.6, 3, 0)},
			[]string{"Speaker 1: You are sure?", "Speaker 2: Yes.", "Speaker 1: Then we go."},
		},
		{
			"most of a sentence is one speaker's",
			[]backend.Segment{said(1, 0, 1, "One two three four five six seven eight nine ten.")},
			[]speakers.Turn{turn(0, 8, 0), turn(8, 10, 1)},
			[]string{"Speaker 1: One two three four five six seven eight nine ten."},
		},
		{
			"less than most is not",
			[]backend.Segment{said(1, 0, 1, "One two three four five six seven eight nine ten.")},
			[]speakers.Turn{turn(0, 7, 0), turn(7, 10, 1)},
			[]string{"Speaker 1: One two three four five six seven", "Speaker 2: eight nine ten."},
		},
		{
			"no short switch within a sentence",
			[]backend.Segment{said(1, 0, 0.4, "a b c d e f.")},
			[]speakers.Turn{turn(0, 0.8, 0), turn(0.8, 1.2, 1), turn(1.2, 1.6, 0), turn(1.6, 2.4, 1)},
			[]string{"Speaker 1: a b c d", "Speaker 2: e f."},
		},
		{
			"words between turns",
			[]backend.Segment{said(1, 0, 1, "one two three four five six")},
			[]speakers.Turn{turn(0, 1, 0), turn(5, 6, 1)},
			[]string{"Speaker 1: one two three", "Speaker 2: four five six"},
		},
		{
			"without times of words",
			[]backend.Segment{untimed},
			[]speakers.Turn{turn(0, 4, 0), turn(4, 10, 1)},
			[]string{"Speaker 1: All of this."},
		},
		{
			"without spaces",
			[]backend.Segment{{ID: 1, End: 4, Text: "元気ですか。はい。", Words: []backend.HeardWord{
				{Word: "元気", Start: 0, End: 1}, {Word: "ですか。", Start: 1, End: 2}, {Word: "はい。", Start: 2, End: 4},
			}}},
			[]speakers.Turn{turn(0, 2, 0), turn(2, 4, 1)},
			[]string{"Speaker 1: 元気ですか。", "Speaker 2: はい。"},
		},
		{
			"never within a word",
			[]backend.Segment{{ID: 1, End: 4, Text: " well-known things", Words: []backend.HeardWord{
				{Word: " well", Start: 0, End: 1}, {Word: "-known", Start: 1, End: 2}, {Word: " things", Start: 2, End: 4},
			}}},
			[]speakers.Turn{turn(0, 1, 0), turn(1, 4, 1)},
			[]string{"Speaker 1: well-known", "Speaker 2: things"},
		},
		{
			"words that are not the text",
			[]backend.Segment{{ID: 1, End: 4, Text: " Hello", Words: []backend.HeardWord{{Word: " Bye", End: 4}}}},
			[]speakers.Turn{turn(0, 1, 1), turn(1, 4, 0)},
			[]string{"Speaker 1: Hello"},
		},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, lines(speakers.Assign(c.segments, c.turns).Segments)) })
	}
}

// What a person set stays, and the speaker who was named gets the name again.
func TestWhatAPersonSetStays(t *testing.T) {
	first := speakers.Assign([]backend.Segment{
		said(1, 0, 1, "I am Anna."), said(2, 3, 1, "I am Ben."), said(3, 6, 1, "Who is this?"), said(4, 9, 1, "Me again."),
	}, []speakers.Turn{turn(0, 3, 0), turn(3, 6, 1), turn(6, 9, 0), turn(9, 11, 1)})
	require.Equal(t, []string{"Speaker 1: I am Anna.", "Speaker 2: I am Ben.", "Speaker 1: Who is this?", "Speaker 2: Me again."}, lines(first.Segments))

	require.Equal(t, "Nobody", speakers.Rename(first.Segments, first.Turns, map[string]string{"Nobody": "x", "Speaker 1": "Anna"}))
	require.Empty(t, speakers.Rename(first.Segments, first.Turns, map[string]string{"Speaker 1": "Anna"}))
	first.Segments[2].Speaker, first.Segments[2].SpeakerFound = "Clara", false // set by a person

	again := speakers.Assign(first.Segments, []speakers.Turn{turn(0, 3, 1), turn(3, 6, 0), turn(6, 9, 0), turn(9, 11, 2)})
	require.Equal(t, []string{"Anna: I am Anna.", "Clara: I am Ben.", "Clara: Who is this?", "Speaker 3: Me again."}, lines(again.Segments))
	require.Equal(t, "Anna", again.Turns[0].Speaker)

	removed := speakers.Remove(again.Segments)
	require.Equal(t, []string{": I am Anna.", ": I am Ben.", "Clara: Who is this?", ": Me again."}, lines(removed))
}

// Two people whom a search took for one are told apart again by the line that a person set, however little it is.
func TestALineThatAPersonSetNamesItsVoice(t *testing.T) {
	one := speakers.Assign([]backend.Segment{
		{ID: 1, Start: 0, End: 1, Text: " I am Anna.", Speaker: "Anna"}, said(2, 2, 1, "I am Ben."), said(3, 4, 1, "Still me."),
	}, []speakers.Turn{turn(0, 5, 0)})
	require.Equal(t, []string{"Anna: I am Anna.", "Anna: I am Ben.", "Anna: Still me."}, lines(one.Segments))
	two := speakers.Assign(one.Segments, []speakers.Turn{turn(0, 1, 0), turn(2, 5, 1)})
	require.Equal(t, []string{"Anna: I am Anna.", "Speaker 1: I am Ben.", "Speaker 1: Still me."}, lines(two.Segments))
	require.Equal(t, "Anna", two.Turns[0].Speaker)
}

func TestRenameSwapsAndMerges(t *testing.T) {
	r := speakers.Assign([]backend.Segment{said(1, 0, 1, "One."), said(2, 1, 1, "Two."), said(3, 2, 1, "Three.")},
		[]speakers.Turn{turn(0, 1, 0), turn(1, 2, 1), turn(2, 3, 2)})
	require.Empty(t, speakers.Rename(r.Segments, r.Turns, map[string]string{"Speaker 1": "Speaker 2", "Speaker 2": "Speaker 1"}))
	require.Equal(t, []string{"Speaker 2: One.", "Speaker 1: Two.", "Speaker 3: Three."}, lines(r.Segments))
	require.Empty(t, speakers.Rename(r.Segments, r.Turns, map[string]string{"Speaker 3": "Speaker 2"}))
	require.Equal(t, []backend.Speaker{{Name: "Speaker 2", Seconds: 2, Lines: 2}, {Name: "Speaker 1", Seconds: 1, Lines: 1}}, speakers.Shares(r.Segments))
}

func TestRenameMatches(t *testing.T) {
	match := func(speaker, known string, cosine float64) backend.SpeakerMatch {
		return backend.SpeakerMatch{Speaker: speaker, Known: known, Cosine: cosine}
	}
	matches := []backend.SpeakerMatch{match("Speaker 1", "anna", 0.6), match("Speaker 2", "ben", 0.8), match("Speaker 4", "carl", 0.7)}
	for name, c := range map[string]struct {
		names map[string]string
		want  []backend.SpeakerMatch
	}{
		"swap": {
			map[string]string{"Speaker 1": "Speaker 2", "Speaker 2": "Speaker 1"},
			[]backend.SpeakerMatch{match("Speaker 2", "anna", 0.6), match("Speaker 1", "ben", 0.8), match("Speaker 4", "carl", 0.7)},
		},
		"into a better match": {map[string]string{"Speaker 1": "Speaker 2"}, matches[1:]},
		"into a worse match": {
			map[string]string{"Speaker 2": "Speaker 1"},
			[]backend.SpeakerMatch{match("Speaker 1", "ben", 0.8), match("Speaker 4", "carl", 0.7)},
		},
		"into no match": {
			map[string]string{"Speaker 4": "Speaker 3"},
			[]backend.SpeakerMatch{matches[0], matches[1], match("Speaker 3", "carl", 0.7)},
		},
		"of no match":  {map[string]string{"Speaker 3": "Speaker 1"}, matches},
		"named":        {map[string]string{"Speaker 1": "Anna"}, matches[1:]},
		"all are done": {map[string]string{"Speaker 1": "Anna", "Speaker 2": "Anna", "Speaker 4": "Carl"}, []backend.SpeakerMatch{}},
	} {
		require.Equal(t, c.want, speakers.RenameMatches(matches, c.names), name)
	}
	require.Equal(t, match("Speaker 1", "anna", 0.6), matches[0], "those given stay")
}

func TestSplit(t *testing.T) {
	s := said(7, 10, 1, "one two three")
	s.Speaker, s.SpeakerFound = "Anna", true
	parts, ok := speakers.Split(s, 3)
	require.True(t, ok)
	require.Equal(t, []string{"Anna: one two", "Anna: three"}, lines(parts[:]))
	require.Equal(t, []float64{10, 12, 12, 13}, []float64{parts[0].Start, parts[0].End, parts[1].Start, parts[1].End})
	for _, n := range []int{-1, 0, 1, 4} {
		_, ok = speakers.Split(s, n)
		require.False(t, ok, n)
	}
	s.Words = nil
	parts, ok = speakers.Split(s, 2)
	require.True(t, ok)
	require.Equal(t, []string{"Anna: one", "Anna: two three"}, lines(parts[:]))
	require.Greater(t, parts[1].Start, 10.0)
	require.Equal(t, parts[0].End, parts[1].Start)
	for _, n := range []int{1, 4} {
		_, ok = speakers.Split(s, n)
		require.False(t, ok, n)
	}
}

func TestTurnsWithWhatAPersonSet(t *testing.T) {
	found := []backend.SpeakerTurn{{Start: 0, End: 10, Speaker: "A"}, {Start: 8, End: 12, Speaker: "B"}}
	set := backend.Segment{Start: 2, End: 4, Speaker: "C"}
	require.Equal(t, []backend.SpeakerTurn{
		{Start: 0, End: 2, Speaker: "A"}, {Start: 2, End: 4, Speaker: "C"}, {Start: 4, End: 10, Speaker: "A"}, {Start: 8, End: 12, Speaker: "B"},
	}, speakers.Heard([]backend.Segment{{Start: 0, End: 2, Speaker: "A", SpeakerFound: true}, set}, found))
	require.Equal(t, []backend.SpeakerTurn{{Start: 2, End: 4, Speaker: "C"}}, speakers.Heard([]backend.Segment{set}, nil))
}

func TestTextThatIsTranscribedAgain(t *testing.T) {
	new := []backend.Segment{said(1, 0, 1, "Mine again."), said(2, 2, 1, "Yours again.")}
	speakers.KeepSet([]backend.Segment{{Start: 0, End: 1.9, Speaker: "Anna"}, {Start: 2, End: 4, Speaker: "Ben", SpeakerFound: true}}, new)
	turns := []backend.SpeakerTurn{{Start: 0, End: 2, Speaker: "Clara"}, {Start: 2, End: 4, Speaker: "Ben"}}
	require.Equal(t, []string{"Anna: Mine again.", "Ben: Yours again."}, lines(speakers.Follow(new, turns)))
}

// Words, their order, times and IDs are kept whatever was heard, and another run finds the same.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := 0.0
		var segments []backend.Segment
		for i := range rapid.IntRange(0, 8).Draw(t, "segments") {
			words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "word", "ends.", "why?", "x-ray"}), 1, 30).Draw(t, "words")
			s := said(i+1, at, rapid.Float64Range(0, 1).Draw(t, "each"), strings.Join(words, " "))
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				s.Words = nil
			case 1:
				s.Speaker = "Set"
			}
			segments = append(segments, s)
			at = s.End + rapid.SampledFrom([]float64{0, 0.3, 2}).Draw(t, "pause")
		}
		var turns []speakers.Turn
		for from := 0.0; from < at; {
			length := rapid.Float64Range(0.1, 5).Draw(t, "length")
			turns = append(turns, turn(from, from+length, rapid.IntRange(0, 3).Draw(t, "speaker")))
			from += rapid.Float64Range(0.1, 5).Draw(t, "step")
		}
		got := speakers.Assign(segments, turns).Segments
		require.Equal(t, flat(segments), flat(got))
		ids := map[int]bool{}
		for _, s := range got {
			require.False(t, ids[s.ID], "two segments with one ID")
			ids[s.ID] = true
			require.LessOrEqual(t, s.Start, s.End)
			require.False(t, len(turns) > 0 && s.Speaker == "")
		}
		again := speakers.Assign(got, turns).Segments
		require.Equal(t, lines(got), lines(again))
		require.Equal(t, flat(segments), flat(speakers.Remove(got)))
		require.Len(t, speakers.Remove(got), len(segments))
	})
}

// flat returns the words of segments with their times, and what a person set.
func flat(segments []backend.Segment) string {
	var text, out strings.Builder
	for _, s := range segments {
		text.WriteString(s.Text)
		for _, w := range s.Words {
			fmt.Fprintf(&out, "%v", w)
		}
		if speakers.IsSet(s) {
			out.WriteString(s.Speaker)
		}
	}
	return text.String() + out.String()
}

// Twelve hours with a hundred thousand words need no noticeable time.
func TestManyWords(t *testing.T) {
	var segments []backend.Segment
	var turns []speakers.Turn
	for i := range 10_000 {
		segments = append(segments, said(i+1, float64(i)*4, 0.4, "ten words are said here in each of these phrases."))
		turns = append(turns, turn(float64(i)*4, float64(i)*4+4, i%5))
	}
	got := speakers.Assign(segments, turns)
	require.Len(t, got.Segments, len(segments))
	require.Len(t, speakers.Shares(got.Segments), 5)
	require.True(t, slices.IsSortedFunc(got.Turns, func(a, b backend.SpeakerTurn) int { return int(a.Start - b.Start) }))
}

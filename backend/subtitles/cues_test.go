package subtitles_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subtitles"
)

func without(s string) string { return strings.Join(strings.Fields(s), "") }

func drawSegment(t *rapid.T, at float64, i int, script string) backend.Segment {
	vocabulary := map[string][]string{
		"latin": {"a", "of", "and", "word,", "sentence.", "country;", "don't", "(well-known)", "Straße", "3.5", "x-ray:", "why?", "“So.”"},
		"wide":  {"木曜日", "、", "停戦", "会談は", "何の", "進展も", "ない。", "「ありがとう」", "カー", "Go", "한국어 "},
	}[script]
	words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 40).Draw(t, "words")
	space := map[string]string{"latin": " ", "wide": ""}[script]
	length := rapid.Float64Range(0, 20).Draw(t, "length")
	s := backend.Segment{ID: i, Start: at, End: at + length, Text: space + strings.Join(words, space)}
	if rapid.Bool().Draw(t, "timed") {
		step := length / float64(max(1, len(words)))
		for n, w := range words {
			s.Words = append(s.Words, backend.HeardWord{Word: w, Start: at + float64(n)*step, End: at + (float64(n)+0.9)*step})
		}
	}
	return s
}

func drawTranscript(t *rapid.T) backend.Transcript {
	script := rapid.SampledFrom([]string{"latin", "wide"}).Draw(t, "script")
	at := 0.0
	var out backend.Transcript
	for i := range rapid.IntRange(0, 12).Draw(t, "segments") {
		s := drawSegment(t, at, i, script)
		out.Segments = append(out.Segments, s)
		at = s.End + rapid.SampledFrom([]float64{0, 0, 0.05, 1, 5}).Draw(t, "pause")
	}
	out.Duration = max(at, 0.1) // 0 is unknown
	return out
}

// Subtitles have all words in order, within the audio, without overlap, in at most two lines.
func TestSubtitlesKeepWordsAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transcript := drawTranscript(t)
		var want, got strings.Builder
		for _, s := range transcript.Segments {
			want.WriteString(without(s.Text))
		}
		var last time.Duration
		for _, c := range subtitles.Cues(transcript.Segments, transcript.Duration, false) {
			got.WriteString(without(c.Text))
			require.GreaterOrEqual(t, c.Start, last, "overlap at %q", c.Text)
			require.GreaterOrEqual(t, c.End, c.Start)
			require.LessOrEqual(t, c.End.Seconds(), transcript.Duration+0.001, "beyond the audio")
			last = c.End
			requireReadable(t, c)
		}
		require.Equal(t, want.String(), got.String())
	})
}

func requireReadable(t require.TestingT, c subtitles.Cue) {
	lines := strings.Split(c.Text, "\n")
	require.LessOrEqual(t, len(lines), 2, "%q", c.Text)
	for _, line := range lines {
		require.Equal(t, strings.Join(strings.Fields(line), " "), strings.TrimSpace(line))
		n := utf8.RuneCountInString(strings.TrimSpace(line))
		require.LessOrEqual(t, n, 42, "%q", line)
	}
}

// With times of words a cue lasts at most 7 s, and a cue that has the time at least 1 s.
func TestSubtitlesLastLongEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		transcript := drawTranscript(t)
		for i := range transcript.Segments {
			s := &transcript.Segments[i]
			if s.Words == nil && without(s.Text) != "" {
				s.Words = []backend.HeardWord{{Word: s.Text, Start: s.Start, End: s.End}}
			}
		}
		cues := subtitles.Cues(transcript.Segments, transcript.Duration, false)
		for i, c := range cues {
			require.LessOrEqual(t, (c.End - c.Start).Seconds(), 7.001, "%q", c.Text)
			alone := i == 0 || c.Start-cues[i-1].End > 1200*time.Millisecond
			alone = alone && (i == len(cues)-1 && transcript.Duration-c.Start.Seconds() > 1.2 ||
				i < len(cues)-1 && cues[i+1].Start-c.Start > 1200*time.Millisecond)
			if alone {
				require.GreaterOrEqual(t, (c.End - c.Start).Seconds(), 0.999, "%q", c.Text)
			}
		}
	})
}

func segment(start, end float64, s string) backend.Segment {
	return backend.Segment{Start: start, End: end, Text: s}
}

func cuesOf(duration float64, segments ...backend.Segment) []string {
	var out []string
	for _, c := range subtitles.Cues(segments, duration, false) {
		out = append(out, fmt.Sprintf("%.2f-%.2f %s", c.Start.Seconds(), c.End.Seconds(), strings.ReplaceAll(c.Text, "\n", "|")))
	}
	return out
}

func TestSubtitleRules(t *testing.T) {
	words := backend.Segment{Start: 0, End: 12, Text: "One two. Three four", Words: []backend.HeardWord{
		{Word: "One", Start: 0.5, End: 1}, {Word: " two.", Start: 1, End: 2}, {Word: " Three", Start: 9, End: 10}, {Word: " four", Start: 10, End: 11},
	}}
	tests := []struct {
		name     string
		duration float64
		segments []backend.Segment
		want     []string
	}{
		{"as it is", 10, []backend.Segment{segment(1, 3, " Hello.")}, []string{"1.00-3.00 Hello."}},
		{"short ones last a second", 10, []backend.Segment{segment(1, 1.2, "Yes."), segment(5, 6, "No.")}, []string{"1.00-2.00 Yes.", "5.00-6.00 No."}},
		{"fast ones last longer", 20, []backend.Segment{segment(1, 2, "This sentence is spoken too fast to read.")}, []string{"1.00-3.41 This sentence is spoken too fast to read."}},
		{"short ones are joined", 10, []backend.Segment{segment(0, 2, "Well,"), segment(2, 2.3, "yes,"), segment(2.3, 4, "I do.")}, []string{"0.00-2.30 Well, yes,", "2.30-4.00 I do."}},
		{"silence ends at the audio", 1.5, []backend.Segment{segment(1.4, 1.5, "Bye.")}, []string{"0.50-1.50 Bye."}},
		{"overlaps are cut", 9, []backend.Segment{segment(0, 4, "One."), segment(3, 6, "Two.")}, []string{"0.00-3.00 One.", "3.00-6.00 Two."}},
		{"times of words", 12, []backend.Segment{words}, []string{"0.00-2.00 One two.", "9.00-12.00 Three four"}},
		{"a long phrase without times of words", 12, []backend.Segment{segment(0, 12, "a slow phrase")}, []string{"0.00-12.00 a slow phrase"}},
		{"lines end after phrases", 9, []backend.Segment{segment(0, 5, "When the sun had set, the three of them went to the harbour.")}, []string{"0.00-5.00 When the sun had set,|the three of them went to the harbour."}},
		{"wide characters", 9, []backend.Segment{segment(0, 6, "木曜日の停戦会談は、昨日と同じく何の進展もない。")}, []string{"0.00-6.00 木曜日の停戦会談は、|昨日と同じく何の進展もない。"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, cuesOf(test.duration, test.segments...)) })
	}
}

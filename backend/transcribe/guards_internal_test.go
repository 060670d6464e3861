package transcribe

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// spoken returns segments of the texts, a second each; those of the texts in untimed have no time.
func spoken(texts ...string) []backend.Segment {
	var out []backend.Segment
	at := 0.0
	for i, text := range texts {
		s := backend.Segment{ID: i + 1, Start: at, End: at + 1, Text: " " + strings.TrimPrefix(text, "0:")}
		if strings.HasPrefix(text, "0:") {
			s.End = s.Start
		}
		at = s.End
		out = append(out, s)
	}
	return out
}

func times(n int, texts ...string) []string {
	var out []string
	for range n {
		out = append(out, texts...)
	}
	return out
}

func TestLoopsAreRemoved(t *testing.T) {
	for name, c := range map[string]struct {
		segments []string
		want     []string
		warned   bool
	}{
		"nothing":                   {nil, nil, false},
		"different":                 {[]string{"One.", "Two.", "Three."}, []string{"One.", "Two.", "Three."}, false},
		"a chorus, three times":     {times(3, "We will, we will rock you."), times(3, "We will, we will rock you."), false},
		"short words said often":    {times(6, "No."), times(6, "No."), false},
		"a sentence in a loop":      {append([]string{"Begin."}, times(8, "Thank you for watching.")...), []string{"Begin.", "Thank you for watching."}, true},
		"two sentences in a loop":   {times(6, "Thank you for watching.", "See you next time!"), []string{"Thank you for watching.", "See you next time!"}, true},
		"other punctuation":         {times(4, "Thank you for watching!", "thank you for watching"), []string{"Thank you for watching!"}, true},
		"again without time":        {[]string{"So it ends.", "0:So it ends.", "After."}, []string{"So it ends.", "After."}, true},
		"a phrase within a segment": {[]string{"And then " + strings.Repeat("I was going to the store and ", 9) + "left."}, []string{"And then I was going to the store and left."}, true},
		"a script without spaces":   {[]string{strings.Repeat("ありがとう", 12)}, []string{"ありがとう"}, true},
		"laughter":                  {[]string{"Ha ha ha ha ha ha!"}, []string{"Ha ha ha ha ha ha!"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, warnings := removeLoops(spoken(c.segments...))
			var texts []string
			for _, s := range got {
				texts = append(texts, strings.TrimSpace(s.Text))
			}
			require.Equal(t, c.want, texts)
			require.Equal(t, c.warned, len(warnings) > 0)
			for _, w := range warnings {
				require.LessOrEqual(t, w.Start, w.End)
			}
		})
	}
}

func TestWordsFollowTheirTextWhenALoopIsRemoved(t *testing.T) {
	s := backend.Segment{Text: " " + strings.TrimSpace(strings.Repeat("going to the store again ", 8))}
	for i, w := range strings.Fields(s.Text) {
		s.Words = append(s.Words, backend.HeardWord{Word: w, Start: float64(i), End: float64(i + 1)})
	}
	got, _ := removeLoops([]backend.Segment{s})
	require.Equal(t, " going to the store again", got[0].Text)
	require.Len(t, got[0].Words, 5)
}

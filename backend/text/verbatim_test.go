package text_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

func TestVerbatimTakesOurMarkupOut(t *testing.T) {
	dictionary := []backend.Pronunciation{{Word: "nginx", Respelling: "engine ex"}, {Word: "Worcester", Respelling: "/ˈwʊstə/"}}
	o := text.VerbatimOptions{
		SpeakOptions: text.SpeakOptions{Language: "en", Pronunciations: text.NewPronunciations(dictionary, "en")}, AnyTag: true,
	}
	for _, c := range []struct {
		name, in string
		want     []text.Part
		dropped  []string
	}{
		{"as written", "Call 555-1234, $5 on May 3rd — “ok”?", []text.Part{{Text: "Call 555-1234, $5 on May 3rd — “ok”?"}}, nil},
		{"white space within", " One.\n\nTwo\r\nthree. ", []text.Part{{Text: "One.\n\nTwo\r\nthree."}}, nil},
		{"pauses", "[pause 1s]One. [pause 0.5s] [pause 2s] Two.[pause 3s]", []text.Part{{"One.", time.Second}, {"Two.", 2500 * time.Millisecond}}, nil},
		{"a pause of nothing", "One [pause 0] two.", []text.Part{{Text: "One two."}}, nil},
		{"nothing between pauses", "One.[pause 1s]...[pause 1s]Two.", []text.Part{{Text: "One."}, {"Two.", 2 * time.Second}}, nil},
		{"tags", "[laughs] Ha! <whisper>So [clear_throat] it is [mischievous grin], [don't you-know].", []text.Part{
			{Text: "[laughs] Ha! [whisper]So [clear throat] it is [mischievous grin], [don't you-know]."},
		}, nil},
		{"pause as a tag", "Well [pause] yes.", []text.Part{{Text: "Well [pause] yes."}}, nil},
		{"headings and scenes", "# One\n\nThe lamp.\n\n* * *\n\n## Two ##\r\nIt is #1 - or # 2.\n\nThree\n=====\nEnd.", []text.Part{
			{Text: "One\n\nThe lamp.\n\n\n\nTwo\r\nIt is #1 - or # 2.\n\nThree\n\nEnd."},
		}, nil},
		{"elements", "<p>One <b>two</b>.</p><p>Three<br/>four.</p>", []text.Part{{Text: "One two.\n\n\n\nThree\nfour."}}, nil},
		{"words", "Run nginx in Worcester, a [[GIF|jif]] of [[Oslo|/ˈʊʂlʊ/]].", []text.Part{
			{Text: "Run engine ex in Worcester, a jif of Oslo."},
		}, []string{"[[Oslo|/ˈʊʂlʊ/]]", "[[Worcester|/ˈwʊstə/]]"}},
		{"raw", "Say [[h@l@U]] to [all 3].", []text.Part{{Text: "Say to [all 3]."}}, []string{"[[h@l@U]]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := text.Verbatim(c.in, o)
			require.Equal(t, c.want, got.Parts)
			require.Equal(t, c.dropped, got.Dropped)
		})
	}
	require.Equal(t, map[string]string{"nginx": "engine ex"}, text.Verbatim("nginx", o).Used)
	require.Equal(t, 3*time.Second, text.Verbatim("One.[pause 3s]", o).End)
	require.Equal(t, []string{"[pause 5min]"}, text.Verbatim("One.[pause 5min] Two.", o).Shortened)
}

func TestVerbatimLeavesTagsOutThatTheModelDoesNotPlay(t *testing.T) {
	got := text.Verbatim("[laughs] Well [mischievous grin], so be it [pause] now [1].", text.VerbatimOptions{})
	require.Equal(t, []text.Part{{Text: "Well, so be it"}, {"now [1].", 500 * time.Millisecond}}, got.Parts)
	require.Equal(t, []string{"[mischievous grin]", "[laughs]"}, got.Dropped)
}

func TestVerbatimFitsTheLimit(t *testing.T) {
	o := text.VerbatimOptions{Limit: 30}
	got := text.Verbatim("One sentence. Another sentence. A third one, which is by far too long for the limit.", o)
	require.Equal(t, []text.Part{
		{Text: "One sentence."}, {Text: "Another sentence."}, {Text: "A third one,"}, {Text: "which is by far too long for"}, {Text: "the limit."},
	}, got.Parts)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("ab1.,! \n[]é字")), 1, 300, -1).Draw(t, "text")
		limit := rapid.IntRange(5, 40).Draw(t, "limit")
		var all strings.Builder
		for _, p := range text.Verbatim(s, text.VerbatimOptions{Limit: limit}).Parts {
			require.LessOrEqual(t, utf8.RuneCountInString(p.Text), limit)
			all.WriteString(p.Text)
		}
		if !strings.ContainsAny(s, "[") {
			require.Equal(t, spokenOnly(s), spokenOnly(all.String()), "no letter is lost")
		}
	})
}

// TestVerbatimKeepsFormerParts cuts a changed text where it was cut, so that one changed sentence changes one part.
func TestVerbatimKeepsFormerParts(t *testing.T) {
	const long = "One sentence. Another sentence. A third sentence. The fourth one. A fifth one is last."
	parts := func(s string, former []string) (out []string) {
		for _, p := range text.Verbatim(s, text.VerbatimOptions{Limit: 32, Former: former}).Parts {
			out = append(out, p.Text)
		}
		return out
	}
	before := parts(long, nil)
	require.Equal(t, []string{"One sentence. Another sentence.", "A third sentence.", "The fourth one.", "A fifth one is last."}, before)
	require.Equal(t, before, parts(long, before))
	require.Equal(t, slices.Concat([]string{"A new beginning."}, before), parts("A new beginning. "+long, before))
	require.Equal(t, []string{"One. Another sentence.", "A third sentence.", "The fourth one.", "A fifth one is last."},
		parts(strings.Replace(long, "One sentence", "One", 1), before))
	require.Equal(t, []string{"The fourth one.", "A third sentence."}, parts("The fourth one. A third sentence.", before))
}

// spokenOnly returns the letters and digits of a text.
func spokenOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if text.Speakable(string(r)) {
			return r
		}
		return -1
	}, s)
}

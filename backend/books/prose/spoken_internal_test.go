package prose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
)

func paragraphBlock(s string) backend.Block {
	return backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: s}}}
}

// TestTitleIsSpokenOnce: the title is in the text, or is spoken before it.
func TestTitleIsSpokenOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		title  string
		blocks []backend.Block
		want   string
	}{
		{"One", []backend.Block{paragraphBlock("It begins.")}, "# One\n\nIt begins."},
		{
			"Chapter 1: Loomings",
			[]backend.Block{paragraphBlock("CHAPTER 1"), paragraphBlock("Loomings."), paragraphBlock("Call me.")},
			"CHAPTER 1\n\nLoomings.\n\nCall me.",
		},
		{
			"One",
			[]backend.Block{{Kind: backend.BlockHeading, Spans: []backend.Span{{Text: "I"}}}, paragraphBlock("It begins.")},
			"# I\n\nIt begins.",
		},
		{"One", []backend.Block{{Kind: backend.BlockScene}, {Kind: backend.BlockImage, Spans: []backend.Span{{Text: "x", Class: backend.ClassCaptions}}}}, ""},
		{"A [pause 1s] title", []backend.Block{paragraphBlock("It begins.")}, "# A (pause 1s) title\n\nIt begins."},
	} {
		require.Equal(t, test.want, strings.Join(Speak(test.title, test.blocks, backend.BookOptions{}).Parts(), "|"))
	}
}

// TestLeftOut: what is left out leaves no blanks, and none before punctuation.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	span := func(s string) backend.Span { return backend.Span{Text: s} }
	note := func(s string) backend.Span { return backend.Span{Text: s, Class: backend.ClassNoteMarks} }
	for want, spans := range map[string][]backend.Span{
		"He said, and left.": {span("He said"), note(" 1 "), span(", and left.")},
		"He said so.":        {span("He said "), note("[2]"), span(" so"), note("3"), span(".")},
		"one two":            {span("one"), note(" x "), span("two")},
		"onetwo":             {span("one"), note("x"), span("two")},
		"begins":             {note("1 "), span(" begins")},
		"It ended. ’Twas night. He said ’tis late.": {
			span("It ended."), note("[1]"), span(" ’Twas night. He said "), note("[12]"), span(" ’tis late."),
		},
		"“He said so.” ”Ja” (yes)": {span("“He said so."), note(" 1"), span(" ” "), note("2"), span(" ”Ja” (yes"), note(" 3"), span(" )")},
		"(laughs) at [it":          {span("[lau"), span("ghs] at [it")},
	} {
		require.Equal(t, want, speakBlock(backend.Block{Spans: spans}, backend.BookOptions{}))
	}
}

// TestPartsHaveAllWords: parts are short enough, and have every word in order.
func TestPartsHaveAllWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var s Spoken
		var words []string
		for range rapid.IntRange(1, 3).Draw(t, "paragraphs") {
			sentence := rapid.SampledFrom([]string{"A short one. ", "word ", "Ünïcödé 字. "}).Draw(t, "sentence")
			p := strings.TrimSpace(strings.Repeat(sentence, rapid.IntRange(1, 12_000).Draw(t, "times")))
			s.paragraphs = append(s.paragraphs, paragraph{text: p})
			words = append(words, strings.Fields(p)...)
		}
		var have []string
		for _, part := range s.Parts() {
			require.LessOrEqual(t, len([]rune(part)), maxPart)
			have = append(have, strings.Fields(part)...)
		}
		require.Equal(t, strings.Join(words, ""), strings.Join(have, ""))
	})
}

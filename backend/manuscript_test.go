package backend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// Every word counts once, also one whose characters have several classes.
func TestCountWords(t *testing.T) {
	total, classes := backend.CountWords([]backend.Block{
		{Spans: []backend.Span{
			{Text: "Once upon a word"}, {Text: "1", Class: backend.ClassNoteMarks}, {Text: ", don’t"}, {Text: " 2", Class: backend.ClassNoteMarks},
		}},
		{Kind: backend.BlockScene},
		{Spans: []backend.Span{{Text: "before"}, {Say: "A map"}, {Text: "after"}, {Text: "漢", Say: "kan"}, {Text: "字"}}},
		{Spans: []backend.Span{{Text: strings.Repeat("note\n", 50), Class: backend.ClassNotes}}},
	})
	require.Equal(t, 58, total)
	require.Equal(t, []backend.WordCount{
		{Words: 7, Sample: "Once upon a word , don’t before after 漢 字"},
		{Class: backend.ClassNotes, Words: 50, Sample: strings.TrimSpace(strings.Repeat("note ", 16))},
		{Class: backend.ClassNoteMarks, Words: 1, Sample: "1 2"},
	}, classes)
}

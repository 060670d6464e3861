package pdf_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/extract/internal/pdf"
)

// placed returns a page as pdftotext writes it: lines of one word each, 14 points high, at places.
func placed(n int, word string, at func(i int) (x, y int)) string {
	var out strings.Builder
	out.WriteString("<page width=\"612\" height=\"792\">\n")
	for i := range n {
		x, y := at(i)
		fmt.Fprintf(&out, "<line>\n<word xMin=\"%d\" yMin=\"%d\" xMax=\"%d\" yMax=\"%d\">%s</word>\n</line>\n", x, y, x+2, y+12, word)
	}
	return out.String() + "</page>\n"
}

func stairs(i int) (x, y int) { return 10 * i, 14 * i }

func row(i int) (x, y int) { return 3 * i, 300 }

// Pages whose lines are placed so that their layout would take hours are read all the same, with all of their words.
func TestPDFOfHostilePages(t *testing.T) {
	const word = "Some-words-as-long-as-a-line."
	line := placed(1, word, stairs)
	for name, page := range map[string]struct {
		output string
		words  int
	}{
		"stairs":   {placed(2_900, word, stairs), 2_900},
		"one row":  {placed(20_000, word, row), 20_000},
		"one line": {strings.Replace(line, "</line>", strings.Repeat("<word xMin=\"1\" yMin=\"0\" xMax=\"9\" yMax=\"12\">"+word+"</word>\n", 50_000)+"</line>", 1), 50_001},
		"letters":  {placed(20_000, "a", func(i int) (x, y int) { return 5 * (i % 2), 14 * i }), 20_000},
	} {
		text, err := pdf.LayOut(t.Context(), []byte(page.output))
		require.NoError(t, err, name)
		require.Len(t, strings.Fields(text), page.words, name)
	}
	entries := placed(10_000, "Storm.........5", stairs)
	text, err := pdf.LayOut(t.Context(), []byte(strings.TrimSuffix(entries, "</page>\n")+placed(10_000, word, stairs)))
	require.NoError(t, err)
	require.Len(t, strings.Fields(text), 10_000)
}

// The layout of a file ends when nobody waits for it.
func TestPDFLayoutIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pages := strings.Repeat(placed(2_900, "Some-words-as-long-as-a-line.", stairs), 4)
	text, err := pdf.LayOut(ctx, []byte(pages))
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, text)
}

package prose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
)

// drawBlocks returns the text of a chapter, some of which is left out.
func drawBlocks(t *rapid.T) []backend.Block {
	blocks := []backend.Block{{
		Kind: backend.BlockHeading, Level: 1, Begins: []backend.Section{{Title: "One", Level: 1}}, Spans: []backend.Span{{Text: "One"}},
	}}
	for i := range rapid.IntRange(1, 8).Draw(t, "blocks") {
		b := backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: fmt.Sprintf("Paragraph %d of the text.", i)}}}
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			b = backend.Block{Kind: backend.BlockScene}
		case 1:
			b.Spans[0].Class = backend.ClassNotes
		case 2:
			b.Spans = append(b.Spans, backend.Span{Text: "12", Class: backend.ClassNoteMarks})
		case 3:
			b.Begins = []backend.Section{{Title: "Deeper", Level: 2}}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// TestRewrite: whatever is changed in the Studio is the text of the chapter then, and no word that is left out is lost.
func TestRewrite(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		blocks := drawBlocks(t)
		c := &backend.BookChapter{Title: "One"}
		old := Speak(c.Title, blocks, backend.BookOptions{})
		written := strings.Split(strings.Join(old.Parts(), "\n\n"), "\n\n")
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			at := rapid.IntRange(0, len(written)-1).Draw(t, "at")
			switch rapid.IntRange(0, 3).Draw(t, "edit") {
			case 0:
				written[at] = fmt.Sprintf("Rewritten %d.", at)
			case 1:
				written = slices.Insert(written, at, "A new one.")
			case 2:
				if len(written) > 1 {
					written = slices.Delete(written, at, at+1)
				}
			case 3:
				written[0], written[at] = written[at], written[0]
			}
		}
		now := Rewrite(c, backend.BookOptions{}, blocks, old, []string{strings.Join(written, "\n\n")})
		spoken := strings.Split(strings.Join(Speak(c.Title, now, backend.BookOptions{}).Parts(), "\n\n"), "\n\n")
		require.Equal(t, withoutScenes(written), withoutScenes(spoken))
		require.Equal(t, leftOut(blocks), leftOut(now))
		require.Contains(t, now[0].Begins, backend.Section{Title: "One", Level: 1}, "the chapter begins where it did")
	})
}

// withoutScenes leaves out breaks between scenes, which count between texts only, and the title.
func withoutScenes(paragraphs []string) []string {
	return slices.DeleteFunc(slices.Clone(paragraphs), func(p string) bool { return p == "" || p == sceneBreak || p == headingMark+"One" })
}

// leftOut returns how many words of each class are left out.
func leftOut(blocks []backend.Block) []backend.BookCount {
	return slices.DeleteFunc(Count(blocks, "en"), func(n backend.BookCount) bool { return n.Class == "" })
}

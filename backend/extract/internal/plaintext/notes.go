package plaintext

import (
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/pattern"
)

var (
	noteText = pattern.New(`^\[(\d{1,3})\]\s*\S`)
	noteMark = pattern.New(`\[(\d{1,3})\]`)
)

// setNotes makes paragraphs that begin with a number in brackets notes if the text before has the number, and gives these numbers in
// the text the class of marks. Other numbers in brackets cite works.
func setNotes(all []backend.Block) {
	mentioned, explained := map[string]bool{}, map[string]bool{}
	isWork := func(b backend.Block) bool {
		return len(b.Spans) == 1 && b.Spans[0].Class == "" && b.Kind != backend.BlockHeading
	}
	for i := range all {
		if !isWork(all[i]) {
			continue
		}
		span := &all[i].Spans[0]
		if m := noteText.FindStringSubmatch(span.Text); m != nil && mentioned[m[1]] {
			explained[m[1]] = true
			all[i].Kind, span.Class = backend.BlockNote, backend.ClassNotes
			continue
		}
		for _, m := range noteMark.FindAllStringSubmatch(span.Text, -1) {
			mentioned[m[1]] = true
		}
	}
	if len(explained) == 0 {
		return
	}
	for i := range all {
		if !isWork(all[i]) || !noteMark.MatchString(all[i].Spans[0].Text) {
			continue
		}
		all[i].Spans = blocks.Spans(noteMark.ReplaceAllStringFunc(blocks.Unmarked(all[i].Spans[0].Text), func(s string) string {
			if explained[s[1:len(s)-1]] {
				return blocks.Marked(backend.ClassNoteMarks, s)
			}
			return s
		}))
	}
}

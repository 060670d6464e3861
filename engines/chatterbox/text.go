package chatterbox

import (
	"strings"

	"github.com/voicewright/voicewright/engines/python"
)

// marksOf is how an edition tidies the punctuation of a text: what is replaced, in order, and the marks that may end it.
type marksOf struct {
	replaced []string // pairs
	ends     []string
}

// turboMarks are those of Turbo and Nano (tts_turbo.py).
var turboMarks = marksOf{
	replaced: []string{"…", ", ", ":", ",", "—", "-", "–", "-", " ,", ",", "“", `"`, "”", `"`, "‘", "'", "’", "'"},
	ends:     []string{".", "!", "?", "-", ","},
}

// multilingualMarks are those of Multilingual (mtl_tts.py).
var multilingualMarks = marksOf{
	replaced: []string{
		"...", ", ", "…", ", ", ":", ",", " - ", ", ", ";", ", ", "—", "-", "–", "-", " ,", ",", "“", `"`, "”", `"`, "‘", "'", "’", "'",
	},
	ends: []string{".", "!", "?", "-", ",", "、", "，", "。", "？", "！"},
}

// tidy returns the text as the models were trained on: beginning with a capital letter, with single spaces and plain
// punctuation, and ending with a mark.
func (m marksOf) tidy(text string) string {
	if text == "" {
		return "You need to add some text for me to talk."
	}
	text = strings.Join(python.Fields(python.Capitalize(text)), " ")
	for i := 0; i < len(m.replaced); i += 2 { // one after another: later ones see what earlier ones made
		text = strings.ReplaceAll(text, m.replaced[i], m.replaced[i+1])
	}
	text = strings.TrimRight(text, " ")
	for _, end := range m.ends {
		if strings.HasSuffix(text, end) {
			return text
		}
	}
	return text + "."
}

// punctuate returns a text as Turbo and Nano take it.
func punctuate(text string) string { return turboMarks.tidy(text) }

package openai

import (
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/text"
)

// maxInput is the length of a text that OpenAI accepts, in code points. Our longest text is longer.
const maxInput = 4096

// split returns turns of up to maxInput code points: a longer one becomes several, cut between sentences.
func split(turns []service.Turn) []service.Turn {
	var parts []service.Turn
	for _, turn := range turns {
		if utf8.RuneCountInString(turn.Text) <= maxInput {
			parts = append(parts, turn)
			continue
		}
		for _, part := range pack(text.Sentences(turn.Text)) {
			parts = append(parts, service.Turn{Voice: turn.Voice, Text: part})
		}
	}
	return parts
}

// pack returns texts of as many sentences as fit into maxInput each. A longer sentence is cut at white space, or where it
// must be.
func pack(sentences []string) []string {
	var parts []string
	part, length := "", 0
	for _, sentence := range sentences {
		for sentence = strings.TrimSpace(sentence); sentence != ""; {
			n := utf8.RuneCountInString(sentence)
			if part != "" && length+1+n <= maxInput {
				part, length, sentence = part+" "+sentence, length+1+n, ""
				continue
			}
			if part != "" {
				parts = append(parts, part)
			}
			part, sentence = cut(sentence)
			length = utf8.RuneCountInString(part)
		}
	}
	if part != "" {
		parts = append(parts, part)
	}
	return parts
}

// cut returns the first up to maxInput code points of s, and the remainder.
func cut(s string) (head, tail string) {
	runes := []rune(s)
	if len(runes) <= maxInput {
		return s, ""
	}
	head = string(runes[:maxInput])
	if space := strings.LastIndexAny(head, " \t\n"); space > 0 {
		head = head[:space]
	}
	return strings.TrimSpace(head), strings.TrimSpace(s[len(head):])
}

package providers

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// TurnPause is the silence between two turns of a dialogue.
const TurnPause = 300 * time.Millisecond

// tags are audio tags, such as [laughs] or [strong French accent], with the space around them. Brackets with digits or signs
// are text, such as [1].
var tags = regexp.MustCompile(`[ \t]*(?:\[\p{L}[\p{L}\p{M} '’-]{0,59}\][ \t]*)+`)

// oneTag is one of tags.
var oneTag = regexp.MustCompile(`\[[^\]]+\]`)

// DropTags returns s without its audio tags. Words beside a tag stay apart.
func DropTags(s string) string { return DropTagsExcept(s, func(string) bool { return false }) }

// DropTagsExcept is DropTags that keeps the tags for which keep returns true, such as [laughs], with their brackets.
func DropTagsExcept(s string, keep func(tag string) bool) string {
	var out strings.Builder
	at := 0
	for _, m := range tags.FindAllStringIndex(s, -1) {
		out.WriteString(s[at:m[0]])
		at = m[1]
		kept := slices.DeleteFunc(oneTag.FindAllString(s[m[0]:at], -1), func(tag string) bool { return !keep(tag) })
		starts := m[0] == 0 || s[m[0]-1] == '\n' || s[m[0]] == '[' && opens(s[:m[0]])
		next, _ := utf8.DecodeRuneInString(s[at:])
		ends := at == len(s) || strings.ContainsRune("\r\n.,;:!?…)]}”’", next)
		if len(kept) > 0 {
			out.WriteString(gap(!starts) + strings.Join(kept, " ") + gap(!ends))
		} else {
			out.WriteString(gap(!starts && !ends))
		}
	}
	out.WriteString(s[at:])
	return out.String()
}

// gap returns a space where one is needed.
func gap(needed bool) string {
	if needed {
		return " "
	}
	return ""
}

// opens reports whether s ends with an opening quotation mark or bracket.
func opens(s string) bool {
	last, size := utf8.DecodeLastRuneInString(s)
	if last != '"' && last != '\'' {
		return strings.ContainsRune("“‘„«‹([{¿¡", last)
	}
	s = s[:len(s)-size]
	before, _ := utf8.DecodeLastRuneInString(s)
	return s == "" || unicode.IsSpace(before) || opens(s)
}

// mayBeSpoken reports whether a voice may speak r alone: many speak emoji and other symbols, of which some are newer than our
// tables of Unicode.
func mayBeSpoken(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsPunct(r) }

// Spoken returns the turns of s without audio tags, for voices that do not support them. Turns without anything to speak are
// left out. Error: 400 when that leaves none.
func Spoken(s service.Speech) ([]service.Turn, error) {
	var spoken []service.Turn
	for _, turn := range s.Turns {
		turn.Text = DropTags(turn.Text)
		if strings.ContainsFunc(turn.Text, mayBeSpoken) {
			spoken = append(spoken, turn)
		}
	}
	if len(spoken) == 0 {
		return nil, &service.Error{
			Status:   http.StatusBadRequest,
			Sentence: "There is nothing to speak in the text: it has only audio tags and punctuation. Add some words.",
		}
	}
	return spoken, nil
}

// Join returns the sounds of turns as one channel at the highest of their rates, with TurnPause between them.
func Join(turns []audio.Buffer) (audio.Buffer, error) {
	joined := audio.Buffer{Channels: 1}
	for _, turn := range turns {
		joined.Rate = max(joined.Rate, turn.Rate)
	}
	j := audio.NewJoiner(joined.Rate, 1, 0, func(samples []float32) error {
		joined.Samples = append(joined.Samples, samples...)
		return nil
	})
	for i, turn := range turns {
		if i > 0 {
			if err := j.Pause(TurnPause); err != nil {
				return audio.Buffer{}, err
			}
		}
		if err := j.Start(); err != nil {
			return audio.Buffer{}, err
		}
		if err := j.Write(turn.Mono().Resampled(joined.Rate).Samples); err != nil {
			return audio.Buffer{}, err
		}
	}
	if err := j.Close(); err != nil {
		return audio.Buffer{}, err
	}
	return joined, nil
}

package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
)

// Mark is a piece of markup that Extract took out of a text.
type Mark struct {
	At       int // byte of the plain text
	Size     int // bytes of the plain text that it replaces: the word of a respelling, else 0
	From, To int // bytes of the text, with the white space that was taken out after it
}

// Extract takes the markup of this program out of a text, so that it can be put back when another program has inserted
// something: pauses, respellings, phonemes, SSML and HTML. Expressions such as [laughs] stay, and so does [pause] without a
// length, which has their form. The words on both sides of a mark stay apart.
func Extract(s string) (plain string, marks []Mark) {
	var out strings.Builder
	out.Grow(len(s))
	whole := len(s)
	for {
		i, m, ok := markup.Next(s)
		if !ok {
			out.WriteString(s)
			return out.String(), marks
		}
		out.WriteString(s[:i])
		source := s[i : i+m.Size]
		s = s[i+m.Size:]
		switch {
		case m.Kind == markup.Expression, m.Kind == markup.Pause && isWordTag(source):
			out.WriteString(source)
		case m.Kind == markup.Respelling:
			to := whole - len(s)
			marks = append(marks, Mark{At: out.Len(), Size: len(m.Word), From: to - m.Size, To: to})
			out.WriteString(m.Word)
		default:
			removed := gap(out.String(), s, m.Kind, &out)
			to := whole - len(s)
			marks = append(marks, Mark{At: out.Len(), From: to - m.Size, To: to + removed})
			s = s[removed:]
		}
	}
}

// isWordTag reports whether markup has the form of a tag of words, such as [pause].
func isWordTag(source string) bool {
	return strings.HasPrefix(source, "[") && !strings.ContainsFunc(strings.Trim(source, "[]"), func(r rune) bool {
		return !unicode.IsLetter(r) && r != ' '
	})
}

// gap returns how many bytes of white space after a mark are taken out with it: all where there is some before it too. Where
// there is none on either side, a space is written.
func gap(before, after string, kind markup.Kind, out *strings.Builder) int {
	last, _ := utf8.DecodeLastRuneInString(before)
	space := len(after) - len(strings.TrimLeftFunc(after, unicode.IsSpace))
	switch {
	case before == "" || unicode.IsSpace(last):
		return space
	case space == 0 && after != "" && kind != markup.Inline:
		out.WriteByte(' ')
	}
	return 0
}

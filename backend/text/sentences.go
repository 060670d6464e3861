package text

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// numbering matches the letter or Roman numeral before a title or an item of a list, as in "I. The Beginning".
var numbering = regexp.MustCompile(`^\s*(?:[A-Za-z]|[IVXLC]{2,8})\.\s+$`)

// Utterances cuts what an engine is given (see Spoken) into sentences that are spoken one at a time, without white space around
// them. Text that cannot be spoken alone is appended to the sentence before. It is at least one, perhaps with nothing to speak.
func Utterances(spoken string) []string {
	var all []string
	for _, sentence := range Sentences(spoken) {
		if len(all) > 0 && (!Speakable(sentence) || !Speakable(all[len(all)-1])) {
			all[len(all)-1] += sentence
			continue
		}
		all = append(all, sentence)
	}
	if len(all) == 0 {
		return []string{spoken}
	}
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// Sentences cuts s into sentences by Unicode UAX #29, with additional rules for abbreviations, initials, ordinals and quoted
// speech of several languages. A line end within a paragraph does not end a sentence, a blank line does. White space belongs
// to the sentence before it. Punctuation within markup is ignored: double brackets are a word, expressions belong to the
// sentence after them, and tags of blocks end a sentence. Joined together the sentences are s, byte for byte.
// After an abbreviation the sentence continues in case of doubt, since a pause that is too short disturbs less.
func Sentences(s string) []string {
	var all []string
	start, at := 0, 0
	blank := true // only white space since start
	masked := mask(s)
	for segments := sentences.FromString(masked); segments.Next(); {
		next := at + len(segments.Value())
		empty := strings.TrimSpace(segments.Value()) == ""
		if !blank && !empty && !joined(masked[start:at], masked[at:next]) && (start > 0 || !numbering.MatchString(masked[:at])) {
			all = append(all, s[start:at])
			start, blank = at, true
		}
		at, blank = next, blank && empty
	}
	if start < len(s) {
		all = append(all, s[start:])
	}
	return all
}

// joined reports whether the segment next continues the sentence before. Neither is only white space.
func joined(before, next string) bool {
	trimmed := strings.TrimRightFunc(before, unicode.IsSpace)
	if strings.ContainsAny(before[len(trimmed):], "\n\r\u0085\u2028\u2029") {
		return false // mask leaves line ends only between paragraphs
	}
	return prose.Continues(trimmed, strings.TrimLeftFunc(next, unicode.IsSpace))
}

// mask returns a text of the same length in bytes for UAX #29: line ends within a paragraph are spaces, an ellipsis at the
// end of a word is a full stop, and markup and web addresses are replaced by characters that have their meaning.
func mask(s string) string {
	if !strings.ContainsAny(s, "\n\r\u0085\u2028…[<@/:?") && !strings.Contains(s, "www.") {
		return s
	}
	var b strings.Builder
	before := ' '
	b.Grow(len(s))
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		m, marked := markup.Read(s[at:])
		length := prose.AddressLength(before, s[at:])
		before = r
		switch {
		case marked:
			b.WriteString(maskMarkup(m))
			size, before = m.Size, ' '
		case length > 0:
			b.WriteString(maskWord(r, length))
			size, before = length, 'x'
		case prose.IsLineEnd(r):
			run := len(s[at:]) - len(strings.TrimLeftFunc(s[at:], unicode.IsSpace))
			if prose.IsBlankLine(s[at : at+run]) {
				b.WriteString(s[at : at+run])
			} else {
				b.WriteString(strings.Map(spaceFor, s[at:at+run]))
			}
			at, before = at+run, ' '
			continue
		case r == '…' && wordEnds(s[at+size:]):
			b.WriteRune('\ufe52') // small full stop: as long in bytes, and a full stop to UAX #29
		default:
			b.WriteString(s[at : at+size])
		}
		at += size
	}
	return b.String()
}

// maskMarkup returns as many bytes as the markup has: a word for double brackets, opening brackets for an expression, line
// ends for a block, spaces for other markup.
func maskMarkup(m markup.Markup) string {
	mark := " "
	switch m.Kind {
	case markup.Expression:
		mark = "("
	case markup.Block:
		mark = "\n"
	case markup.Raw, markup.Respelling:
		return maskWord(prose.FirstRune(m.Word), m.Size)
	case markup.Pause, markup.Inline:
	}
	return strings.Repeat(mark, m.Size)
}

// maskWord returns a word of size bytes, in lower case if first is.
func maskWord(first rune, size int) string {
	if unicode.IsLower(first) {
		return strings.Repeat("x", size)
	}
	return strings.Repeat("X", size)
}

// spaceFor returns a space of as many bytes as a line end.
func spaceFor(r rune) rune {
	switch r {
	case '\n', '\r':
		return ' '
	case '\u0085':
		return '\u00a0'
	case '\u2028':
		return '\u2003'
	}
	return r
}

// wordEnds reports whether after begins with white space or is empty, after closing quotes and brackets.
func wordEnds(after string) bool {
	for _, r := range after {
		if !prose.IsClosing(r) {
			return unicode.IsSpace(r)
		}
	}
	return true
}

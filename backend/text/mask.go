package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// mask returns a text of the same length in bytes for UAX #29: line ends within a paragraph are spaces, an ellipsis at the
// end of a word is a full stop, and markup, signs and web addresses are replaced by characters that have their meaning. All that
// touches the mark at the end of a sentence is closing brackets, and so are the blanks before a closing mark: « Oui ! » dit-il.
func mask(s string) string {
	m := masker{s: s, signs: markup.Signs(s), before: ' '}
	m.out.Grow(len(s))
	for m.at < len(s) {
		m.step()
	}
	return bounded(m.out.String())
}

// longestRun is how many bytes of blanks, brackets and quotes side by side UAX #29 is given: it looks for a lower-case letter from
// each of them on, behind a full stop.
const longestRun = 200

// bounded returns a masked text of the same length, without longer runs of what may be behind the end of a sentence: line ends
// stand for more blanks, commas for more brackets and quotes.
func bounded(masked string) string {
	if len(masked) <= longestRun {
		return masked
	}
	var out strings.Builder
	out.Grow(len(masked))
	run := 0
	for at, r := range masked {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(masked[at:])
		}
		blank := unicode.IsSpace(r)
		if run += size; !blank && !strings.ContainsRune(`"'`, r) && !unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) {
			run = 0
		}
		switch {
		case run <= longestRun:
			out.WriteString(masked[at : at+size])
		case blank:
			out.WriteString(strings.Repeat("\n", size))
		default:
			out.WriteString(strings.Repeat(",", size))
		}
	}
	return out.String()
}

// masker reads a text from left to right.
type masker struct {
	s      string
	at     int
	out    strings.Builder
	signs  []markup.Sign
	before rune
	ended  bool // a sentence may end here: behind a full stop and closing marks
	quoted bool // between straight double quotes
	open   rune // the opening one of typographic quotes
}

// step masks the next character, sign or piece of markup.
func (m *masker) step() {
	r, size := utf8.DecodeRuneInString(m.s[m.at:])
	found, marked := markup.Read(m.s[m.at:])
	length := prose.AddressLength(m.before, m.s[m.at:])
	switch {
	case m.sign():
	case marked:
		m.write(maskMarkup(found), found.Size, ' ')
	case length > 0:
		m.write(maskWord(r, length), length, 'x')
	case prose.IsLineEnd(r):
		m.lineEnd()
	case m.ended && m.closes(r, size):
		m.out.WriteString(strings.Repeat(")", size))
		m.at, m.before = m.at+size, r
	case m.ended && size == len("「") && prose.IsOpening(r) && prose.IsSpaceless(prose.FirstOrSpace(m.s[m.at+size:])):
		m.write("字", size, r) // it begins the next sentence: 好！（是）
	case r == '…' && wordEnds(m.s[m.at+size:]):
		m.write("\ufe52", size, r) // small full stop: as long in bytes, and a full stop to UAX #29
		m.ended = true
	default:
		m.keep(r, size)
	}
}

// keep writes the next character as it is.
func (m *masker) keep(r rune, size int) {
	m.quote(r)
	closing := m.ended && (prose.IsClosing(r) || m.s[m.at:m.at+size] == ")")
	m.write(m.s[m.at:m.at+size], size, r)
	m.ended = closing || endMark(r)
}

// write writes what stands for the next size bytes, the last character of which counts as last.
func (m *masker) write(s string, size int, last rune) {
	m.out.WriteString(s)
	m.at, m.before, m.ended = m.at+size, last, false
}

// quote remembers quotes that are open.
func (m *masker) quote(r rune) {
	switch {
	case r == '"':
		m.quoted = !m.quoted
	case r == '„' || (r == '«' || r == '»') && m.open == 0:
		m.open = r
	case r == '“' || r == '”' || r == '«' || r == '»':
		m.open = 0
	}
}

// lineEnd masks a line end and the white space after it.
func (m *masker) lineEnd() {
	remaining := m.s[m.at:]
	run := len(remaining) - len(strings.TrimLeftFunc(remaining, unicode.IsSpace))
	if prose.IsBlankLine(remaining[:run]) {
		m.write(remaining[:run], run, ' ')
		m.quoted, m.open = false, 0
		return
	}
	m.write(strings.Map(spaceFor, remaining[:run]), run, ' ')
}

// sign masks the sign that begins here, if there is one.
func (m *masker) sign() bool {
	for len(m.signs) > 0 && m.signs[0].At < m.at {
		m.signs = m.signs[1:]
	}
	if len(m.signs) == 0 || m.signs[0].At != m.at {
		return false
	}
	sign := m.signs[0]
	first := prose.FirstOrSpace(sign.Words)
	ended := false
	switch {
	case sign.Words == "" && unicode.IsSpace(m.before):
		m.write(strings.Repeat("(", sign.Size), sign.Size, ' ')
	case sign.Words == "", prose.IsClosing(first):
		ended = m.ended
		m.write(strings.Repeat(")", sign.Size), sign.Size, ' ')
	case unicode.IsSpace(first):
		m.write(strings.Repeat(" ", sign.Size), sign.Size, ' ')
	case endMark(first):
		ended = true
		m.write("."+strings.Repeat(")", sign.Size-1), sign.Size, first)
	case prose.IsWordRune(first):
		m.write(maskWord(first, sign.Size), sign.Size, first)
	default:
		m.write(strings.Repeat(",", sign.Size), sign.Size, first)
	}
	m.ended = ended
	return true
}

// longestTail is how many bytes behind the end of a sentence are looked at.
const longestTail = 40

// closes reports whether r belongs to the end of a sentence before it: a sign such as an asterisk or an emoji that white space
// follows, or a blank before a closing mark.
func (m *masker) closes(r rune, size int) bool {
	remaining := m.s[m.at+size:]
	switch {
	case unicode.IsSpace(r):
		remaining = strings.TrimLeft(start(remaining, longestTail), "\u0020\u00a0\u202f\u2009\u3000")
		mark, length := utf8.DecodeRuneInString(remaining)
		follows := prose.FirstOrSpace(remaining[length:])
		if length == 0 || prose.IsWordRune(follows) && !prose.IsSpaceless(follows) {
			return false
		}
		return m.closing(mark)
	case prose.IsWordRune(r) || endMark(r) || goesOn(r) || prose.IsClosing(r) || prose.IsOpening(r):
		return false
	}
	for _, c := range remaining[:min(len(remaining), longestTail)] {
		if prose.IsWordRune(c) {
			return false
		}
		if unicode.IsSpace(c) {
			return true
		}
	}
	return len(remaining) <= longestTail
}

// start returns the first bytes of s, up to longest and whole characters.
func start(s string, longest int) string {
	for longest < len(s) && !utf8.RuneStart(s[longest]) {
		longest--
	}
	return s[:min(longest, len(s))]
}

// closing reports whether r, between blanks, closes a quote or a bracket.
func (m *masker) closing(r rune) bool {
	switch r {
	case '"':
		return m.quoted
	case '“':
		return m.open == '„'
	case '«':
		return m.open == '»'
	case '»':
		return m.open != '»'
	}
	return unicode.In(r, unicode.Pe, unicode.Pf)
}

// endMark reports whether r ends a sentence.
func endMark(r rune) bool { return strings.ContainsRune(".!?…。！？｡．।", r) }

// goesOn reports whether a sentence goes on behind r.
func goesOn(r rune) bool { return strings.ContainsRune(",:;-–—、，：；", r) }

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

package extract

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/notemark"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/pattern"
)

// longestInline is the length of the longest link or tag that is looked for, in bytes.
const longestInline = 4000

// longestRaised is the length of the longest raised characters that are looked for, in bytes.
const longestRaised = 60

var (
	mdRaised = pattern.New(`(?i)^<sup>([^<>]*)</sup>`)
	mdTag    = pattern.New(`^</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>`)
	mdAuto   = pattern.New(`^<((?:https?://|mailto:)?[^\s<>@]+[@:/.][^\s<>]*)>`)
)

// inline returns the text of a paragraph without its marks.
func (r *reducer) inline(s string) string {
	var out strings.Builder
	for len(s) > 0 {
		plain := strings.IndexAny(s, "\\`![<*_~&")
		if plain < 0 {
			out.WriteString(s)
			break
		}
		out.WriteString(s[:plain])
		before, _ := utf8.DecodeLastRuneInString(out.String()[max(0, out.Len()-utf8.UTFMax):])
		words, size, ok := r.raised(out.String(), s[plain:])
		if !ok {
			words, size = r.mark(s[plain:], before)
		}
		out.WriteString(words)
		s = s[plain+size:]
	}
	return out.String()
}

// raised returns what is read aloud of the raised characters of HTML that s begins with, behind a text.
func (r *reducer) raised(before, s string) (words string, size int, ok bool) {
	m := mdRaised.FindStringSubmatch(s[:min(len(s), longestRaised)])
	if m == nil {
		return "", 0, false
	}
	next, _ := utf8.DecodeRuneInString(s[len(m[0]):])
	words, isNote := notemark.Raised{Words: m[1], Sup: true}.Spoken(before, !strings.HasSuffix(before, " "), next)
	if isNote && r.book != nil {
		words = blocks.Marked(backend.ClassNoteMarks, m[1])
	} else if isNote {
		r.leftOut[parts.Marks]++
	}
	return words, len(m[0]), true
}

// mark returns what is read aloud of the mark that s begins with, and its size. before is the character before it. A
// character that is no mark stays.
func (r *reducer) mark(s string, before rune) (words string, size int) {
	head := s[:min(len(s), longestInline)]
	ok := false
	switch s[0] {
	case '\\':
		words, size, ok = escaped(s)
	case '`':
		return code(head, len(s)-len(strings.TrimLeft(s, "`")))
	case '!':
		words, size, ok = r.link(head[1:])
		size++
		switch {
		case ok && !backend.Speakable(words):
			r.leftOut[parts.Pictures]++
		case ok && r.book != nil:
			words = blocks.Marked(backend.ClassCaptions, blocks.Unmarked(words))
		}
	case '[':
		words, size, ok = r.bracket(head)
	case '<':
		words, size, ok = tag(head)
	case '*', '_', '~':
		return emphasis(s, before)
	case '&':
		words, size, ok = entity(head)
	}
	if !ok {
		return s[:1], 1
	}
	return words, size
}

// escaped returns the character after a backslash.
func escaped(s string) (words string, size int, ok bool) {
	if len(s) < 2 || strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[1]) < 0 {
		return "", 0, false
	}
	return s[1:2], 2, true
}

// maxTicks is the maximum of backticks that are compared at the end of code.
const maxTicks = 20

// code returns the text between backticks. ticks is their number; without an end they are left out.
func code(s string, ticks int) (words string, size int) {
	compared := min(ticks, maxTicks)
	if words, _, ok := strings.Cut(s[min(ticks, len(s)):], strings.Repeat("`", compared)); ok {
		return words, ticks + len(words) + compared
	}
	return "", ticks
}

// bracket returns the words of a link, a note or a pronunciation in double brackets, which stays.
func (r *reducer) bracket(s string) (words string, size int, ok bool) {
	if end := strings.Index(s, "]]"); strings.HasPrefix(s, "[[") && end > 0 {
		return s[:end+2], end + 2, true
	}
	if end := strings.IndexByte(s, ']'); strings.HasPrefix(s, "[^") && end > 0 {
		if r.book != nil {
			return r.book.noteMark(s[len("[^"):end]), end + 1, true
		}
		r.leftOut[parts.Marks]++
		return "", end + 1, true
	}
	return r.link(s)
}

// tag returns the text of a tag of HTML or of an address in angle brackets. A <break/> is a pause and stays.
func tag(s string) (words string, size int, ok bool) {
	if strings.HasPrefix(s, "<break") {
		return "", 0, false
	}
	if m := mdTag.FindString(s); m != "" {
		return betweenTags(m), len(m), true
	}
	if m := mdAuto.FindStringSubmatch(s); m != nil {
		return strings.TrimPrefix(m[1], "mailto:"), len(m[0]), true
	}
	return "", 0, false
}

// betweenTags returns what is between the words around a tag of HTML: the cells of a table and paragraphs are apart.
func betweenTags(tag string) string {
	name := strings.ToLower(strings.TrimLeft(tag, "</"))
	name = name[:strings.IndexFunc(name, func(r rune) bool { return strings.ContainsRune(" \t\n/>", r) })]
	switch {
	case name == "br":
		return "\n"
	case name == "td" || name == "th" || breaks(nethtml.Token{Data: name}) > 0:
		return " "
	}
	return ""
}

// longestEntity is the length of the longest entity of HTML that is looked for, in bytes.
const longestEntity = 40

// entity returns the character of an entity of HTML.
func entity(s string) (words string, size int, ok bool) {
	end := strings.IndexByte(s[:min(len(s), longestEntity)], ';')
	if end < 1 {
		return "", 0, false
	}
	return html.UnescapeString(s[:end+1]), end + 1, true
}

// emphasis returns nothing for a run of asterisks, underscores or tildes that can be a mark, else the run: between spaces, an
// underscore inside a word, a single tilde.
func emphasis(s string, before rune) (words string, size int) {
	size = len(s) - len(strings.TrimLeft(s, s[:1]))
	after, _ := utf8.DecodeRuneInString(s[size:])
	inWord := letter(before) && letter(after)
	alone := (before == utf8.RuneError || unicode.IsSpace(before)) && (size == len(s) || unicode.IsSpace(after))
	if alone || s[0] == '_' && inWord || s[0] == '~' && size == 1 {
		return s[:size], size
	}
	return "", size
}

// letter reports whether r is a letter or a digit.
func letter(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r)) }

// link returns the words of [words](address), [words][name], and [name] if the name is defined.
func (r *reducer) link(s string) (words string, size int, ok bool) {
	words, size, ok = bracketed(s, '[', ']')
	if !ok {
		return "", 0, false
	}
	target := s[size:]
	if _, n, ok := bracketed(target, '(', ')'); ok {
		return r.inside(words), size + n, true
	}
	if name, n, ok := bracketed(target, '[', ']'); ok {
		if name == "" {
			name = words
		}
		if r.defined[strings.ToLower(name)] {
			return r.inside(words), size + n, true
		}
	}
	return r.inside(words), size, r.defined[strings.ToLower(words)]
}

// inside returns the text of the words of a link, which may have a picture but no other link inside.
func (r *reducer) inside(words string) string {
	nested := &reducer{defined: map[string]bool{}, leftOut: r.leftOut, book: r.book}
	if strings.Count(words, "[") > 1 {
		return words
	}
	return nested.inline(words)
}

// maxDepth is the maximum of nested brackets in a link.
const maxDepth = 8

// bracketed returns the text between a bracket at the start of s and its closing one, and the size of both with it.
func bracketed(s string, opening, closing byte) (inner string, size int, ok bool) {
	if s == "" || s[0] != opening {
		return "", 0, false
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case opening:
			if depth++; depth > maxDepth {
				return "", 0, false
			}
		case closing:
			if depth--; depth == 0 {
				return s[1:i], i + 1, true
			}
		}
	}
	return "", 0, false
}

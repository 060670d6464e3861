package extract

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestInline bounds the search for the end of a link or a tag, in bytes.
const longestInline = 4000

var (
	mdTag  = regexp.MustCompile(`^</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>`)
	mdAuto = regexp.MustCompile(`^<((?:https?://|mailto:)?[^\s<>@]+[@:/.][^\s<>]*)>`)
)

// inline leaves the marks inside a paragraph out.
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
		words, size := r.mark(s[plain:], before)
		out.WriteString(words)
		s = s[plain+size:]
	}
	return out.String()
}

// mark reads the mark that s begins with: what is read aloud of it, and how long it is.
func (r *reducer) mark(s string, before rune) (words string, size int) {
	head := s[:min(len(s), longestInline)]
	switch s[0] {
	case '\\':
		if len(s) > 1 && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[1]) >= 0 {
			return s[1:2], 2
		}
	case '`':
		ticks := len(s) - len(strings.TrimLeft(s, "`"))
		if code, _, ok := strings.Cut(head[min(ticks, len(head)):], strings.Repeat("`", min(ticks, 20))); ok {
			return code, len(code) + 2*min(ticks, 20) + max(0, ticks-20)
		}
		return "", ticks
	case '!':
		if words, size, ok := r.link(head[1:]); ok {
			return words, size + 1
		}
	case '[':
		if end := strings.Index(head, "]]"); strings.HasPrefix(head, "[[") && end > 0 {
			return s[:end+2], end + 2 // how a word is said
		}
		if end := strings.IndexByte(head, ']'); strings.HasPrefix(head, "[^") && end > 0 {
			return "", end + 1
		}
		if words, size, ok := r.link(head); ok {
			return words, size
		}
	case '<':
		if strings.HasPrefix(s, "<break") {
			break // a pause
		}
		if m := mdTag.FindString(head); m != "" {
			if strings.HasPrefix(strings.ToLower(m), "<br") {
				return "\n", len(m)
			}
			return "", len(m)
		}
		if m := mdAuto.FindStringSubmatch(head); m != nil {
			return strings.TrimPrefix(m[1], "mailto:"), len(m[0])
		}
	case '*', '_', '~':
		return emphasis(s, before)
	case '&':
		if end := strings.IndexByte(head[:min(len(head), 40)], ';'); end > 0 {
			return html.UnescapeString(s[:end+1]), end + 1
		}
	}
	return s[:1], 1
}

// emphasis leaves a run of stars, underlines or tildes out where it can be a mark: not between spaces, underlines not
// inside a word, and a tilde not alone.
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

func letter(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r)) }

// link reads [words](address), [words][name], and [name] where the name is defined.
func (r *reducer) link(s string) (words string, size int, ok bool) {
	words, size, ok = bracketed(s, '[', ']')
	if !ok {
		return "", 0, false
	}
	rest := s[size:]
	if _, n, ok := bracketed(rest, '(', ')'); ok {
		return r.inside(words), size + n, true
	}
	if name, n, ok := bracketed(rest, '[', ']'); ok {
		if name == "" {
			name = words
		}
		if r.defined[strings.ToLower(name)] {
			return r.inside(words), size + n, true
		}
	}
	return r.inside(words), size, r.defined[strings.ToLower(words)]
}

// inside reads the words of a link, in which a picture may stand but no other link.
func (r *reducer) inside(words string) string {
	nested := &reducer{defined: map[string]bool{}}
	if strings.Count(words, "[") > 1 {
		return words
	}
	return nested.inline(words)
}

// deepest is how many brackets may stand in each other; more are no link.
const deepest = 8

// bracketed gives what stands between a bracket at the start of s and the one that belongs to it.
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
			if depth++; depth > deepest {
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

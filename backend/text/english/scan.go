package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

func digit(c byte) bool { return c >= '0' && c <= '9' }
func lower(c byte) bool { return c >= 'a' && c <= 'z' }
func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// letter reports whether c is a letter of ASCII.
func letter(c byte) bool { return lower(c) || upper(c) }

// apostrophe reports whether r is a straight or a curly apostrophe.
func apostrophe(r rune) bool { return r == '\'' || r == '’' }

// emojiModifier reports whether r is a mark that makes an emoji of the character before it.
func emojiModifier(r rune) bool { return r == '\ufe0f' || r == '\u20e3' }

// ascii reports whether s has no character beyond ASCII.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lowercase reports whether w has nothing but lower case letters of ASCII.
func lowercase(w string) bool {
	for i := range len(w) {
		if !lower(w[i]) {
			return false
		}
	}
	return true
}

// startsUpper reports whether w begins with a capital of ASCII.
func startsUpper(w string) bool { return w != "" && upper(w[0]) }

// firstSize returns the size of the first character in bytes.
func firstSize(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// byteAt returns a byte of s, 0 outside of it.
func (n *reader) byteAt(i int) byte {
	if i < 0 || i >= len(n.s) {
		return 0
	}
	return n.s[i]
}

// runeAt returns the character at i and its size, size 0 at the end.
func (n *reader) runeAt(i int) (r rune, size int) {
	return utf8.DecodeRuneInString(n.s[min(i, len(n.s)):])
}

// before returns the character before i, a space at the beginning.
func (n *reader) before(i int) rune {
	if i == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(n.s[:i])
	return r
}

// after returns the character at i, a space at the end.
func (n *reader) after(i int) rune { return prose.FirstOrSpace(n.s[min(i, len(n.s)):]) }

// ends reports whether a word or a number that reaches i ends there.
func (n *reader) ends(i int) bool {
	r := n.after(i)
	return !prose.IsWordRune(r) || r == '_'
}

// digits returns the end of the digits at i.
func (n *reader) digits(i int) int {
	for i < len(n.s) && digit(n.s[i]) {
		i++
	}
	return i
}

// letters returns the end of the letters at i.
func (n *reader) letters(i int) int {
	for i < len(n.s) {
		c := n.s[i]
		if c < utf8.RuneSelf {
			if !letter(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(n.s[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) || emojiModifier(r) {
			return i
		}
		i += size
	}
	return i
}

// spaces returns the end of the spaces and tabs at i, at most two.
func (n *reader) spaces(i int) int {
	for range 2 {
		r, size := n.runeAt(i)
		if size == 0 || r != ' ' && r != '\t' && !strings.ContainsRune(groupSpaces, r) {
			break
		}
		i += size
	}
	return i
}

// dash returns the size of the hyphen or dash at i, 0 for other characters.
func (n *reader) dash(i int) (size int) {
	r, size := n.runeAt(i)
	if r == '-' || r == '–' || r == '—' || r == '‑' {
		return size
	}
	return 0
}

// wordAt returns the letters of ASCII at i, at most LongestWord of them.
func (n *reader) wordAt(i int) string {
	i = min(i, len(n.s))
	end := i
	for end < len(n.s) && end-i < prose.LongestWord && letter(n.s[end]) {
		end++
	}
	return n.s[i:end]
}

// wordBefore returns the word of ASCII letters before i and where it begins. White space, and a full stop, a comma or a
// hyphen, may stand between it and i.
func (n *reader) wordBefore(i int) (word string, start int) {
	end := i
	for end > 0 && i-end < 3 && (n.s[end-1] == ' ' || n.s[end-1] == '\n') {
		end--
	}
	if end == i && i > 0 && n.s[i-1] != '-' {
		return "", i
	}
	if end > 0 && strings.IndexByte(".,-", n.s[end-1]) >= 0 {
		end--
	}
	start = end
	for start > 0 && end-start < prose.LongestWord && letter(n.s[start-1]) {
		start--
	}
	return n.s[start:end], start
}

// skipSpacesBack returns the start of the spaces before i.
func (n *reader) skipSpacesBack(i int) int {
	for i > 0 && n.s[i-1] == ' ' {
		i--
	}
	return i
}

// capital reports whether the word at i begins with a capital, after opening quotes and brackets.
func (n *reader) capital(i int) bool {
	return unicode.IsUpper(prose.FirstRune(n.s[min(i, len(n.s)):min(i+16, len(n.s))]))
}

// stops reports whether a full stop before i also ends a sentence: at the end of a paragraph, or before a word that
// begins one.
func (n *reader) stops(i int) bool {
	remaining := strings.TrimLeftFunc(n.s[i:min(i+64, len(n.s))], prose.IsClosing)
	trimmed := strings.TrimLeftFunc(remaining, unicode.IsSpace)
	if trimmed == "" {
		return true
	}
	if prose.IsBlankLine(remaining[:len(remaining)-len(trimmed)]) {
		return true
	}
	return len(trimmed) < len(remaining) && unicode.IsUpper(prose.FirstRune(trimmed)) &&
		prose.StartsSentence(strings.ToLower(prose.FirstWord(trimmed)))
}

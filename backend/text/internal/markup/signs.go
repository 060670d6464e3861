package markup

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/pattern"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// Sign is a part of a text that is not read as it is written: a sign of Markdown, an entity of HTML, a reference to a note.
type Sign struct {
	At, Size int    // bytes
	Words    string // what is read in its place
}

// longestPair bounds the search for the second one of two signs, in bytes.
const longestPair = 500

// signBytes are the bytes that signs begin with. Superscripts of notes begin with one of the last two.
const signBytes = "[]!<&*_~=$`\\\xc2\xe2"

// Signs returns the signs of texts as they are copied from web pages and chats, in order, none within another and none within
// Markup: links, pictures, emphasis, highlights, code, formulas, tasks, addresses in angle brackets, entities of HTML,
// references to notes. What only looks like one, such as 2 * 3, x == y and AT&T, is none. They are found within s alone.
func Signs(s string) []Sign {
	if !strings.ContainsAny(s, "[]<&*_~=$`\\¹²³⁰⁴⁵⁶⁷⁸⁹") {
		return nil
	}
	r := signReader{s: s}
	for r.at < len(s) {
		i := r.nextSign()
		if i < 0 {
			break
		}
		r.at = i
		if m, ok := Read(s[i:]); ok {
			r.at += m.Size
			continue
		}
		if end := r.addressEnd(i); end > i {
			r.at = end
			continue
		}
		if size := r.sign(); size > 0 {
			r.at += size
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		r.at += size
	}
	slices.SortStableFunc(r.signs, func(a, b Sign) int { return a.At - b.At })
	end := 0
	return slices.DeleteFunc(r.signs, func(sign Sign) bool {
		overlaps := sign.At < end
		end = max(end, sign.At+sign.Size)
		return overlaps
	})
}

// Spans divides s into words, which it passes to text with what is read of them, and Markup, which it passes to mark.
func Spans(s string, text func(written, read string), mark func(m Markup, source string)) {
	signs := Signs(s)
	words := func(from, to int) {
		for from < to {
			for len(signs) > 0 && signs[0].At < from {
				signs = signs[1:]
			}
			if len(signs) == 0 || signs[0].At >= to {
				text(s[from:to], s[from:to])
				return
			}
			sign := signs[0]
			if sign.At+sign.Size > to { // the address of a link with markup in it
				signs = signs[1:]
				continue
			}
			if sign.At > from {
				text(s[from:sign.At], s[from:sign.At])
			}
			from = sign.At + sign.Size
			text(s[sign.At:from], sign.Words)
		}
	}
	for at := 0; ; {
		i, m, ok := Next(s[at:])
		if !ok {
			words(at, len(s))
			return
		}
		words(at, at+i)
		at += i + m.Size
		mark(m, s[at-m.Size:at])
	}
}

// signReader finds the signs of a text.
type signReader struct {
	s       string
	at      int
	signs   []Sign
	literal int // where an address ends
	plain   int // where something ends that is no address
}

// nextSign returns where the next byte is that a sign begins with, -1 if there is none.
func (r *signReader) nextSign() int {
	for i := r.at; i < len(r.s); i++ {
		if strings.IndexByte(signBytes, r.s[i]) >= 0 {
			return i
		}
	}
	return -1
}

// addressEnd returns the end of the web or mail address around i, 0 if there is none.
func (r *signReader) addressEnd(i int) int {
	if i < r.literal {
		return r.literal
	}
	if i < r.plain || strings.IndexByte("_~=&*$", r.s[i]) < 0 {
		return 0
	}
	inside := func(c rune) bool { return !unicode.IsSpace(c) && !strings.ContainsRune(`<>"[]|(`, c) }
	before, after := r.s[max(0, i-farthest):i], r.s[i:min(len(r.s), i+farthest)]
	token := before[len(strings.TrimRightFunc(before, inside)):]
	start := i - len(strings.TrimLeft(token, "*~=_"))
	if end := start + prose.AddressLength(' ', r.s[start:]); end > i {
		r.literal = end
		return end
	}
	r.plain = i + len(after) - len(strings.TrimLeftFunc(after, inside))
	return 0
}

// farthest is how far back the beginning of an address is looked for, in bytes.
const farthest = 300

// add adds a sign at an index.
func (r *signReader) add(at, size int, words string) {
	r.signs = append(r.signs, Sign{at, size, words})
}

// sign reads the sign at r.at, which may be a pair, and returns how many bytes are read; 0 = there is none.
func (r *signReader) sign() int {
	remaining := r.s[r.at:]
	switch remaining[0] {
	case '[':
		return r.opening(remaining)
	case ']':
		return r.closing(remaining)
	case '!':
		return r.picture(remaining)
	case '<':
		return r.autolink(remaining)
	case '&':
		return r.entity(remaining)
	case '*', '_', '~':
		return r.emphasis(remaining)
	case '=':
		return r.highlight(remaining)
	case '$':
		return r.formula(remaining)
	case '`':
		return r.code(remaining)
	case '\\':
		return r.backslash(remaining)
	}
	return r.superscript(remaining)
}

// whole adds a sign of size bytes at r.at.
func (r *signReader) whole(size int, words string) int {
	r.add(r.at, size, words)
	return size
}

// before returns the character before r.at, a line end at the beginning.
func (r *signReader) before() rune {
	if r.at == 0 {
		return '\n'
	}
	c, _ := utf8.DecodeLastRuneInString(r.s[:r.at])
	return c
}

var (
	// target is the address of a link or a picture, perhaps with a title: ](cat.png "A cat").
	target = pattern.New(`^\]\(\s*(?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:\s+(?:"[^"\n]*"|` +
		`'[^'\n]*'|\([^()\n]*\)))?\s*\)`)
	// reference is the name of an address that is given elsewhere: ][1].
	reference = pattern.New(`^\]\[[^\]\[\n]{0,100}\]`)
	// definition is the address of a name: [1]: https://example.com "Title".
	definition = pattern.New(`^\[[^\]\[\n^][^\]\[\n]{0,100}\]:[ \t]*(?:<\S+>|(?:https?://|ftp://|mailto:|www\.|[./#])\S*)(?:[ ` +
		`\t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\r?\n|$)`)
	footnote   = pattern.New(`^\[\^[^\]\[\s]{1,60}\]`)
	task       = pattern.New(`^\[[ xX]\][ \t]+`)
	listMarker = pattern.New(`(?:^|\n)[ \t>]*(?:[-*+•‣◦–]|[0-9]{1,3}[.)])[ \t]+$`)
	fence      = pattern.New("^(?:`{3,}|~{3,})[ \\t]*[\\pL\\pN_+#.-]*[ \\t]*(?:\\r?\\n|$)")
	entityForm = pattern.New(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
)

// IsDefinition reports whether a line only gives the address of a name: [1]: https://example.com.
func IsDefinition(line string) bool {
	return len(line) <= 2*Longest && len(definition.FindString(line)) == len(line) && line != ""
}

// Target returns the length of the address of a link that s begins with, from the bracket behind the words; 0 = there is none.
func Target(s string) int {
	if !strings.HasPrefix(s, "](") {
		return 0
	}
	return len(target.FindString(s[:min(len(s), 2*Longest)]))
}

// lineStart reports whether only blanks are between the beginning of the line and r.at.
func (r *signReader) lineStart() bool {
	before := strings.TrimRight(r.s[:r.at], " \t>")
	return before == "" || strings.HasSuffix(before, "\n")
}

// opening reads what begins with a square bracket.
func (r *signReader) opening(remaining string) int {
	if m := footnote.FindString(remaining); m != "" {
		if strings.HasPrefix(remaining[len(m):], ":") && r.lineStart() {
			return r.whole(len(m)+1, "")
		}
		return r.whole(len(m), "")
	}
	if m := definition.FindString(remaining[:min(len(remaining), 2*Longest)]); m != "" && r.lineStart() {
		return r.whole(len(strings.TrimRight(m, "\r\n")), "")
	}
	line := r.s[max(0, r.at-40):r.at]
	if m := task.FindString(remaining); m != "" && (listMarker.MatchString(line) || remaining[1] == ' ' && r.lineStart()) {
		return r.whole(len(m), "")
	}
	if size := r.note(remaining); size > 0 {
		return r.whole(size, "")
	}
	if i := strings.IndexAny(remaining[1:min(len(remaining), longestPair)], "]\n"); i >= 0 &&
		(Target(remaining[1+i:]) > 0 || r.referenceAt(r.at+1+i)) {
		return r.whole(1, "")
	}
	return 0
}

// referenceAt reports whether the name of an address is at i, behind words in brackets that are no index.
func (r *signReader) referenceAt(i int) bool {
	if !reference.MatchString(r.s[i:]) {
		return false
	}
	start := strings.LastIndexByte(r.s[max(0, i-longestPair):i], '[')
	if start < 0 {
		return false
	}
	start += max(0, i-longestPair)
	before, _ := utf8.DecodeLastRuneInString(r.s[:start])
	return start == 0 || !prose.IsWordRune(before) && before != ']'
}

// closing reads what is behind the words of a link.
func (r *signReader) closing(remaining string) int {
	if size := Target(remaining); size > 0 {
		return r.whole(size, "")
	}
	if r.referenceAt(r.at) {
		return r.whole(len(reference.FindString(remaining)), "")
	}
	return 0
}

// picture reads the beginning of a picture.
func (r *signReader) picture(remaining string) int {
	if !strings.HasPrefix(remaining, "![") {
		return 0
	}
	inside, _, closed := strings.Cut(remaining[2:min(len(remaining), longestPair)], "](")
	if !closed || strings.ContainsAny(inside, "\n[") || Target(remaining[2+len(inside):]) == 0 {
		return 0
	}
	return r.whole(2, "")
}

// autolink reads an address in angle brackets.
func (r *signReader) autolink(remaining string) int {
	end := strings.IndexAny(remaining[:min(len(remaining), Longest)], "> \n")
	if end < 0 || remaining[end] != '>' {
		return 0
	}
	address := remaining[1:end]
	bare := strings.TrimSuffix(address, "/")
	if n := prose.AddressLength(' ', bare); n == 0 || n < len(bare) && strings.TrimRight(bare[n:], `.,;:!?'")}*`) != "" {
		return 0
	}
	for _, scheme := range [...]string{"https://", "http://", "ftp://", "mailto:"} {
		if len(bare) > len(scheme) && strings.EqualFold(bare[:len(scheme)], scheme) {
			bare = bare[len(scheme):]
		}
	}
	return r.whole(end+1, bare)
}

// entity reads a character of HTML.
func (r *signReader) entity(remaining string) int {
	form := entityForm.FindString(remaining)
	words := html.UnescapeString(form)
	if words == form {
		return 0
	}
	return r.whole(len(form), strings.Map(func(c rune) rune {
		if c == '\u00ad' || c == '\u200b' || unicode.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, words))
}

// backslash reads the formula in \( \) or \[ \], or the mark after a backslash.
func (r *signReader) backslash(remaining string) int {
	if len(remaining) < 2 || strings.IndexByte("*_#[]()~`$|<>!&=+-.", remaining[1]) < 0 {
		return 0
	}
	if end := map[byte]string{'(': `\)`, '[': `\]`}[remaining[1]]; end != "" {
		if i := strings.Index(remaining[2:min(len(remaining), longestPair)], end); i > 0 && !prose.IsBlankLine(blanks(remaining[2:2+i])) {
			r.add(r.at, 2, "")
			r.add(r.at+2+i, 2, "")
			return i + 4
		}
	}
	r.add(r.at, 1, "")
	return 2
}

// blanks returns the white space of s with the most lines.
func blanks(s string) string {
	if i := strings.Index(s, "\n\n"); i >= 0 {
		return s[i : i+2]
	}
	return ""
}

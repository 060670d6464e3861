package plaintext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// spaceless are the scripts without blanks between words.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// IsSpaceless reports whether no blank follows or precedes a character at a line end.
func IsSpaceless(r rune) bool {
	return unicode.In(r, spaceless...) || r >= 0x3001 && r <= 0x303f || r >= 0xff01 && r <= 0xff60
}

// JoinsWithoutBlank reports whether two lines are joined without a blank.
func JoinsWithoutBlank(before, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return IsSpaceless(lastRune(before)) && IsSpaceless(next)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// joinLines returns the lines of a paragraph as one.
func joinLines(lines []string) string {
	var out strings.Builder
	for i, line := range lines {
		if i > 0 && !JoinsWithoutBlank(lines[i-1], line) {
			out.WriteByte(' ')
		}
		out.WriteString(backend.OneLine(line))
	}
	return out.String()
}

// endsSentence reports whether a line ends with the punctuation that ends a sentence.
func endsSentence(s string) bool {
	return strings.ContainsRune(".?!…。！？:：", lastRune(strings.TrimRight(s, `"'”’»“)_*]」』 `)))
}

const (
	longLine = 100 // characters of a line that is a paragraph of its own
	slack    = 8   // characters that a line may be shorter than it could be
)

// usualWidth returns the width in characters at which the lines of a text are wrapped, 0 where they are not.
func usualWidth(paragraphs []Paragraph) int {
	var widths []int
	for _, p := range paragraphs {
		for _, line := range p.Lines[:max(0, len(p.Lines)-1)] {
			widths = append(widths, utf8.RuneCountInString(line))
		}
	}
	if len(widths) == 0 {
		return 0
	}
	slices.Sort(widths)
	if width := widths[len(widths)*9/10]; width <= longLine {
		return width
	}
	return 0
}

// breaks reports whether a line ends although the next word had room.
func breaks(line, next string, width int) bool {
	word, _, _ := strings.Cut(next, " ")
	return utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width-slack
}

// paragraphsOf divides lines without blank lines between them: at each line where lines are not wrapped, before a line that is
// indented, and behind a short line that ends a sentence.
func paragraphsOf(lines []string, width int) [][]string {
	if width == 0 {
		var out [][]string
		for _, line := range lines {
			out = append(out, []string{strings.TrimSpace(line)})
		}
		return out
	}
	if isVerse(lines, width) {
		return [][]string{trimmed(lines)}
	}
	var out [][]string
	from := 0
	for i := 1; i < len(lines); i++ {
		indented := indent(lines[i]) >= 2 && indent(lines[i-1]) == 0
		if indented || endsSentence(lines[i-1]) && breaks(lines[i-1], strings.TrimSpace(lines[i]), width) {
			out = append(out, trimmed(lines[from:i]))
			from = i
		}
	}
	return append(out, trimmed(lines[from:]))
}

// indent returns how many characters a line is indented.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t\u3000")) }

func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimSpace(line)
	}
	return out
}

// isVerse reports whether lines are those of a poem: all of them end before the edge, and begin with capitals or indented.
func isVerse(lines []string, width int) bool {
	if len(lines) < 2 {
		return false
	}
	short := 0
	for i, line := range lines[:len(lines)-1] {
		if breaks(line, strings.TrimSpace(lines[i+1]), width) {
			short++
		}
	}
	capitals := 0
	for _, line := range lines {
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, " \t_\"'“‘„«"))
		if unicode.IsUpper(first) || indent(line) > 0 {
			capitals++
		}
	}
	return 10*short >= 9*(len(lines)-1) && 10*capitals >= 8*len(lines)
}

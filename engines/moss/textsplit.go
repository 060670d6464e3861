package moss

import (
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/python"
)

// The marks at which a text is split, and those that stay with the mark before them.
const (
	sentenceEnds = ".!?。！？；;"
	clauseEnds   = ",，、；;：:"
	closingMarks = "\"'”’)]}）】》」』"
)

// The silence after a part of a text in seconds, as the makers' script has it.
const (
	pauseAfterFew  = 0.40 // words
	pauseAfterMany = 0.24
	fewWords       = 4
)

// pauseAfter returns the seconds of silence after a part of a text if another follows.
func pauseAfter(part string) float64 {
	if len(python.Fields(part)) <= fewWords {
		return pauseAfterFew
	}
	return pauseAfterMany
}

// splitter splits texts into parts with at most limit ids; count returns the number of ids of a text.
type splitter struct {
	limit int
	count func(string) int
}

// split returns the parts of a text: sentences, joined as far as they fit; of longer ones clauses, and of longer ones words. A
// text that fits stays as it is.
func (s splitter) split(text string) []string {
	text = python.TrimSpace(text)
	if text == "" {
		return nil
	}
	var parts []string
	for _, sentence := range splitAfter(prepare(text), sentenceEnds) {
		if s.fits(sentence) {
			parts = append(parts, sentence)
			continue
		}
		for _, clause := range splitAfter(sentence, clauseEnds) {
			parts = append(parts, s.words(clause)...)
		}
	}
	if parts = s.join(parts); len(parts) > 1 {
		return parts
	}
	return []string{text}
}

func (s splitter) fits(text string) bool { return s.count(text) <= s.limit }

// prepare returns a text in one line, with a mark at its end and a capital letter at its start.
func prepare(text string) string {
	text = strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	for strings.Contains(text, "  ") {
		text = strings.ReplaceAll(text, "  ", " ")
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	if isEastAsian(text) {
		if !strings.ContainsRune(sentenceEnds, last) {
			text += "。"
		}
		return text
	}
	if python.IsAlphanumeric(last) {
		text += "."
	}
	return python.Capitalize(text)
}

// isEastAsian reports whether a text has Chinese, Japanese or Korean characters.
func isEastAsian(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return isHan(r) || r >= 0xac00 && r <= 0xd7af })
}

// splitAfter splits a text after each of the marks, which keep the closing marks behind them.
func splitAfter(text, marks string) []string {
	var parts []string
	add := func(part string) {
		if part = python.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	for text != "" {
		at := strings.IndexAny(text, marks)
		if at < 0 {
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		following := strings.TrimLeft(text[at+size:], closingMarks)
		add(text[:len(text)-len(following)])
		text = strings.TrimLeftFunc(following, python.IsSpace)
	}
	add(text)
	return parts
}

// join joins neighbouring parts as far as they fit.
func (s splitter) join(parts []string) []string {
	var joined []string
	current, size := "", 0
	for _, part := range parts {
		n := s.count(part)
		switch {
		case current == "":
			current, size = part, n
		case size+n > s.limit:
			joined = append(joined, current)
			current, size = part, n
		default:
			current = joinTwo(current, part)
			size = s.count(current)
		}
	}
	if current != "" {
		joined = append(joined, current)
	}
	return joined
}

func joinTwo(left, right string) string {
	if isEastAsian(left) || isEastAsian(right) {
		return left + right
	}
	return left + " " + right
}

// charactersPerID is more characters than an id stands for on average. Longer texts are not measured to learn that they do
// not fit.
const charactersPerID = 40

// words splits a text that has no better place, near the end of what fits: after a space or a mark, else anywhere.
func (s splitter) words(text string) []string {
	var parts []string
	remaining := []rune(text)
	for len(remaining) > 0 {
		high := min(len(remaining), charactersPerID*s.limit)
		if high == len(remaining) && s.fits(string(remaining)) {
			return append(parts, string(remaining))
		}
		cut := boundary(remaining[:s.longest(remaining, high)])
		parts = append(parts, python.TrimSpace(string(remaining[:cut])))
		for remaining = remaining[cut:]; len(remaining) > 0 && python.IsSpace(remaining[0]); {
			remaining = remaining[1:]
		}
	}
	return parts
}

// longest returns how many characters, up to high, the longest beginning that fits has; 1 if none fits.
func (s splitter) longest(text []rune, high int) int {
	best := 1
	for low := 1; low <= high; {
		middle := (low + high) / 2
		if s.fits(python.TrimSpace(string(text[:middle]))) {
			best, low = middle, middle+1
		} else {
			high = middle - 1
		}
	}
	return best
}

// boundary returns the length of a text up to the last space or mark among its last 24 characters, or all of it.
func boundary(text []rune) int {
	for i := len(text) - 1; i >= 0 && i > len(text)-25; i-- {
		if strings.ContainsRune(" "+sentenceEnds+clauseEnds, text[i]) {
			return i + 1
		}
	}
	return len(text)
}

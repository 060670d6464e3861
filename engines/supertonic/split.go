package supertonic

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest pieces of text, in code points (supertonic 1.3.1). Korean letters become two or three jamo each.
const (
	longestPiece  = 300
	longestKorean = 120
)

// longestSentence is the most code points of one piece: more than a minute of speech. The reference
// has no such bound, but the memory that the model takes grows with the square of the length.
const longestSentence = 1000

// blankLine ends a paragraph. The class is what space reports.
var blankLine = regexp.MustCompile(
	`\n[\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*\n`)

// split cuts text into the pieces that are spoken one by one (supertonic 1.3.1, chunk_text): as many whole sentences
// of one paragraph as fit into longest code points. A longer sentence stays whole.
func split(text string, longest int) []string {
	var out []string
	for _, paragraph := range blankLine.Split(text, -1) {
		piece, length := "", 0
		for _, sentence := range sentences(strings.TrimFunc(paragraph, space)) {
			n := utf8.RuneCountInString(sentence)
			switch {
			case n == 0:
			case length+n+1 > longest:
				if piece != "" {
					out = append(out, piece)
				}
				piece, length = sentence, n
			case piece == "":
				piece, length = sentence, n
			default:
				piece, length = piece+" "+sentence, length+1+n
			}
		}
		if piece != "" {
			out = append(out, piece)
		}
	}
	return out
}

// sentences cuts a paragraph at the white space after the end of each sentence.
func sentences(paragraph string) []string {
	var out []string
	start, inside := 0, true
	for i, r := range paragraph {
		switch {
		case !space(r):
			if !inside {
				start, inside = i, true
			}
		case inside && ends(paragraph[:i]):
			out, inside = append(out, paragraph[start:i]), false
		}
	}
	if inside {
		out = append(out, paragraph[start:])
	}
	return out
}

// bounded cuts a piece that is too long at white space, or anywhere if it has none.
func bounded(piece string) []string {
	var out []string
	start, gap, n := 0, 0, 0 // gap is the last white space, 0 for none since start
	for i, r := range piece {
		if n++; n > longestSentence {
			end := i
			if gap > start {
				end = gap
			}
			out = append(out, piece[start:end])
			start, n = end, utf8.RuneCountInString(piece[end:i])+1
		}
		if space(r) {
			gap = i
		}
	}
	return append(out, piece[start:])
}

// unfinished are the abbreviations after which a sentence goes on, also as the end of a longer word.
var unfinished = [...]string{
	"Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "Sr.", "Jr.", "Ph.D.", "etc.", "e.g.", "i.e.", "vs.", "Inc.", "Ltd.", "Co.",
	"Corp.", "St.", "Ave.", "Blvd.",
}

// ends reports whether a sentence ends with before.
func ends(before string) bool {
	switch {
	case strings.HasSuffix(before, "!"), strings.HasSuffix(before, "?"):
		return true
	case !strings.HasSuffix(before, "."):
		return false
	}
	for _, word := range unfinished {
		if strings.HasSuffix(before, word) {
			return false
		}
	}
	return !initial(before)
}

// initial reports whether before ends with a single capital letter and a point, such as J. in J. R. R. Tolkien.
func initial(before string) bool {
	at := len(before) - 2
	if at < 0 || before[at] < 'A' || before[at] > 'Z' {
		return false
	}
	r, size := utf8.DecodeLastRuneInString(before[:at])
	return size == 0 || r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

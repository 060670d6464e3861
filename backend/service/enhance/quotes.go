package enhance

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// closingQuotes are the marks that close a quotation, by the mark that opens it. An apostrophe opens none: it is found within words.
var closingQuotes = map[rune]string{'“': "”“", '"': `"`, '«': "»", '„': "“”", '»': "«", '「': "」", '『': "』", '‘': "’"}

// quotations returns what is said between quotation marks, without them. A quotation ends with its paragraph; one without a mark
// of a sentence in it, such as a title, is not speech.
func quotations(s string) []span {
	var all []span
	start, closers := -1, ""
	previous := ' '
	for i, r := range s {
		switch {
		case start < 0 && closingQuotes[r] != "" && (r != '‘' || !isWordRune(previous)):
			start, closers = i+utf8.RuneLen(r), closingQuotes[r]
		case start >= 0 && r == '\n' && strings.HasPrefix(strings.TrimLeft(s[i+1:min(len(s), i+3)], "\r"), "\n"):
			start = -1
		case start >= 0 && strings.ContainsRune(closers, r) && (r != '’' || !apostrophe(previous, s[i:])):
			if isSpoken(s[start:i]) {
				all = append(all, span{start, i})
			}
			start = -1
		}
		previous = r
	}
	return all
}

// apostrophe reports whether the mark with which s begins is within a word or leaves out its end.
func apostrophe(previous rune, s string) bool {
	next, _ := utf8.DecodeRuneInString(s[utf8.RuneLen('’'):])
	return isWordRune(previous) || isWordRune(next)
}

// isSpoken reports whether a quotation ends like speech.
func isSpoken(quotation string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(quotation))
	return strings.ContainsRune(".,!?…—–-。！？؟；", last)
}

// attributionReach is the number of words in which the verb of a quotation is looked for.
const attributionReach = 6

// attribution returns how a quotation is spoken by the words beside it: behind it up to the end of the clause, or before it up to
// a comma or colon, or in a short sentence of its own (He laughed. "You?").
func (p script) attribution(q span) tag {
	_, size := utf8.DecodeRuneInString(p.text[q.end:]) // the closing mark
	if t := manner(p.clause(p.wordAt(q.end), q.end+size)); t != none {
		return t
	}
	before := strings.TrimRightFunc(p.text[:q.start], func(r rune) bool { return unicode.IsSpace(r) || closingQuotes[r] != "" })
	last := p.wordAt(len(before))
	from := last
	between := func(i int) string { return p.text[p.words[i-1].end:p.words[i].start] }
	for from > max(0, last-attributionReach) && (from == last || !strings.ContainsAny(between(from), clauseMarks)) {
		from--
	}
	if strings.HasSuffix(before, ",") || strings.HasSuffix(before, ":") || strings.HasSuffix(before, ".") && last-from <= beatWords {
		return manner(p.words[from:last])
	}
	return none
}

// beatWords is the length of a sentence that only says how the next quotation is spoken.
const beatWords = 4

// clauseMarks end a clause.
const clauseMarks = ".!?;:\"“”«»„\n…"

// clause returns the first words from offset on, up to a mark that ends the clause or opens the next quotation.
func (p script) clause(first, offset int) []word {
	n := first
	for n < len(p.words) && n < first+attributionReach && !strings.ContainsAny(p.text[offset:p.words[n].start], clauseMarks) {
		offset = p.words[n].end
		n++
	}
	return p.words[first:n]
}

// manner returns the tag of the first verb of speech, else of an adverb.
func manner(words []word) tag {
	for _, list := range []map[string]tag{speechVerbs, speechAdverbs} {
		for _, w := range words {
			if t := list[w.lower]; t != none {
				return t
			}
		}
	}
	return none
}

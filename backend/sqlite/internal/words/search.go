package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTerms is the maximum number of words of a search; the others are ignored.
const maxTerms = 32

// Term is one word of a search as folded pieces, which must follow each other; the last one may be the start
// of a word.
type Term struct {
	Pieces []string
	Prefix bool
}

// Parse returns the words that a user typed; there is no syntax. some is false if there is no letter or digit, which
// matches nothing.
func Parse(typed string) (terms []Term, some bool) {
	for field := range strings.FieldsSeq(typed) {
		var t Term
		for sp := range spans(field) {
			t.Pieces = append(t.Pieces, sp.folded...)
		}
		if len(t.Pieces) == 0 || len(terms) == maxTerms {
			continue
		}
		_, single := nextWord(t.Pieces[len(t.Pieces)-1])
		t.Prefix = !single
		terms = append(terms, t)
	}
	return terms, len(terms) > 0
}

// The size of a highlight in code points: about how much in all, and how much before the first hit.
const (
	highlightSize = 160
	highlightLead = 50
)

// Highlight returns the part of the text (else of the title) around the first hit, HTML-escaped, with <mark>
// around every hit in it. It is empty without terms and without a hit.
func Highlight(title, text string, terms []Term) string {
	if len(terms) == 0 {
		return ""
	}
	if s := excerpt(text, terms); s != "" {
		return s
	}
	return excerpt(title, terms)
}

func excerpt(s string, terms []Term) string {
	hits, from, to := findHits(s, terms)
	if len(hits) == 0 {
		return ""
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	at := from
	for _, h := range hits {
		b.WriteString(html.Replace(s[at:h.start]))
		b.WriteString("<mark>" + html.Replace(s[h.start:h.end]) + "</mark>")
		at = h.end
	}
	b.WriteString(html.Replace(s[at:to]))
	if to < len(s) {
		b.WriteString("…")
	}
	return b.String()
}

// html escapes HTML characters.
var html = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// hit is a found range of bytes.
type hit struct{ start, end int }

// findHits returns the hits around the first one and the range [from, to) of s to show. It reads s no further
// than necessary.
func findHits(s string, terms []Term) (hits []hit, from, to int) {
	f := finder{terms: terms}
	to = len(s)
	for sp := range spans(s) {
		if len(hits) > 0 && sp.end > to {
			break
		}
		start, ok := f.next(sp)
		if !ok {
			continue
		}
		if len(hits) == 0 {
			from, to = window(s, start, sp.end)
		}
		h := hit{start: max(start, from), end: sp.end}
		for len(hits) > 0 && hits[len(hits)-1].end > h.start { // a longer phrase around an earlier hit
			h.start = min(h.start, hits[len(hits)-1].start)
			hits = hits[:len(hits)-1]
		}
		hits = append(hits, h)
	}
	return hits, from, to
}

// finder finds the terms in the words of a text, which are passed one after another.
type finder struct {
	terms  []Term
	recent []piece
}

// piece is a folded piece and the byte where its word starts.
type piece struct {
	start  int
	folded string
}

// next processes one word and returns the start of the longest term that ends with it.
func (f *finder) next(sp span) (start int, ok bool) {
	start = sp.end
	for _, folded := range sp.folded {
		f.recent = append(f.recent, piece{sp.start, folded})
		for _, t := range f.terms {
			if at, hit := t.endsAt(f.recent); hit {
				start, ok = min(start, at), true
			}
		}
	}
	if n := len(f.recent) - longest(f.terms); n > 1024 {
		f.recent = slices.Delete(f.recent, 0, n)
	}
	return start, ok
}

// endsAt reports whether the last pieces are the term, and where they start.
func (t Term) endsAt(recent []piece) (start int, ok bool) {
	n := len(t.Pieces)
	if n > len(recent) {
		return 0, false
	}
	tail := recent[len(recent)-n:]
	for i, p := range t.Pieces {
		same := tail[i].folded == p
		if i == n-1 && t.Prefix {
			same = strings.HasPrefix(tail[i].folded, p)
		}
		if !same {
			return 0, false
		}
	}
	return tail[0].start, true
}

// longest returns the number of pieces of the longest term.
func longest(terms []Term) int {
	n := 0
	for _, t := range terms {
		n = max(n, len(t.Pieces))
	}
	return n
}

// window returns the range of s to show around a first hit, cut between words where there are spaces.
func window(s string, start, end int) (from, to int) {
	from = start
	for range highlightLead {
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from -= size
	}
	if space := strings.IndexFunc(s[from:start], unicode.IsSpace); from > 0 && space >= 0 {
		from += space + 1
	}
	to = from
	for range highlightSize {
		_, size := utf8.DecodeRuneInString(s[to:])
		to += size
	}
	to = max(to, end)
	if space := strings.LastIndexFunc(s[end:to], unicode.IsSpace); to < len(s) && space >= 0 {
		to = end + space
	}
	return from, to
}

package classes

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/pattern"
)

// The patterns of what refers to other works in a text.
const (
	surname = `(?:(?:van|von|der|den|de|du|di|da|la|le|del|zu|al-)[ ])*\p{Lu}[\p{L}’'-]*\p{Ll}[\p{L}’'-]*`
	initial = `(?:,?[ ](?:\p{Lu}\.[ ]?)+)?`
	year    = `(?:1[5-9]|20)\d\d`
	pages   = `(?:[,:]?[ ](?:(?:pp?|S|Bd|vol|ch|Kap|cap)\.[ ]?)?\d+(?:[–-]\d+)?f{0,2}\.?)?`
	signal  = `(?:(?:see|see also|cf\.|e\.[ ]?g\.,?|vgl\.|siehe|z\.[ ]?B\.|voir)[ ])?`
	others  = `(?:[ ]et[ ]al\.|[ ]u\.[ ]?a\.)`
	joined  = `(?:(?:,[ ]|,?[ ](?:&|and|und|et|y|e)[ ])` + surname + initial + `)`
	one     = surname + initial + `(?:` + others + `|` + joined + `{1,5})?,?[ ]` + year + `[a-h]?` + pages
	several = signal + one + `(?:;[ ]` + signal + one + `){0,9}`
)

var (
	webAddress = pattern.New(`(?i)\b(?:(?:https?|ftp)://|www\.)[^\s<>"“”«»]+|\bdoi:\s?10\.\d{4,9}/[^\s<>"“”«»]+`)
	numbered   = pattern.New(`\[\d{1,3}(?:(?:[,;]\s?|[–-])\d{1,3}){0,9}\]`)
	authored   = pattern.New(`\(` + several + `\)`)

	// A single author with a comma and a year may be a place with a year, as in (Paris, 1940).
	single = pattern.New(`^\((` + surname + `),[ ](` + year + `)\)$`)
)

// notAuthors are words before a year in brackets that are no authors.
var notAuthors = strings.Fields("January February March April May June July August September October November December " +
	"Spring Summer Autumn Fall Winter Januar Februar März Mai Juni Juli Oktober Dezember Frühling Sommer Herbst " +
	"London Paris Berlin Vienna Wien Rome Madrid Moscow Boston Chicago Philadelphia Dublin Edinburgh Oxford Cambridge Leipzig München " +
	"Munich Hamburg Amsterdam Brussels Geneva Venice Florence Vietnam Normandy Hiroshima America England France Germany Italy Spain " +
	"Russia China Japan India")

// wordsPerCitation is the least density of citations by author and year of a book that cites so. One of a story is a remark in
// brackets, as in "She read it twice (Melville, 1851)".
const wordsPerCitation = 5_000

// reference is a part of a text that refers to another work.
type reference struct {
	start, end int // bytes
	class      backend.TextClass
}

// References sets the classes of the citations and addresses in the text of the work.
func References(blocks []backend.Block) {
	words, authors := 0, 0
	for _, b := range blocks {
		text := workText(b)
		words += len(strings.Fields(text))
		for _, r := range references(text, true) {
			if r.class == backend.ClassCitations && text[r.start] == '(' {
				authors++
			}
		}
	}
	cites := authors > 0 && authors*wordsPerCitation >= words
	for i := range blocks {
		b := &blocks[i]
		if found := references(workText(*b), cites); len(found) > 0 {
			b.Spans = divideSpans(b.Spans, found)
		}
	}
}

// workText returns the text of a block with other characters in place of what is not text of the work, at the same places.
func workText(b backend.Block) string {
	var out strings.Builder
	for _, span := range b.Spans {
		if span.Class != "" || span.Say != "" {
			out.WriteString(strings.Repeat("\x00", len(span.Text)))
			continue
		}
		out.WriteString(span.Text)
	}
	return out.String()
}

// references returns the parts of a text that refer to other works, in order: addresses of the web, numbers in square brackets, and
// where authors is set (Smith, 2020). A year alone, a title with a year, and the name of a month or a place with one are text.
func references(text string, authors bool) []reference {
	var out []reference
	add := func(start, end int, class backend.TextClass) {
		if !slices.ContainsFunc(out, func(r reference) bool { return start < r.end && end > r.start }) {
			out = append(out, reference{start, end, class})
		}
	}
	for _, at := range webAddress.FindAllStringIndex(text, -1) {
		end := at[0] + len(withoutMarks(text[at[0]:at[1]]))
		add(at[0], end, backend.ClassURLs)
	}
	for _, at := range numbered.FindAllStringIndex(text, -1) {
		add(at[0], at[1], backend.ClassCitations)
	}
	if authors {
		for _, at := range authored.FindAllStringIndex(text, -1) {
			if m := single.FindStringSubmatch(text[at[0]:at[1]]); m == nil || m[2] >= "1900" && !slices.Contains(notAuthors, m[1]) {
				add(at[0], at[1], backend.ClassCitations)
			}
		}
	}
	slices.SortFunc(out, func(a, b reference) int { return a.start - b.start })
	return out
}

// withoutMarks returns an address without the punctuation of the sentence behind it.
func withoutMarks(address string) string {
	for {
		last, size := utf8.DecodeLastRuneInString(address)
		closes := last == ')' && strings.Count(address, "(") < strings.Count(address, ")")
		if !closes && !strings.ContainsRune(".,;:!?…'’]}", last) {
			return address
		}
		address = address[:len(address)-size]
	}
}

// divideSpans returns spans with the classes of references in their text. The blank before one belongs to it, so that leaving it out
// leaves no two.
func divideSpans(spans []backend.Span, found []reference) []backend.Span {
	var out []backend.Span
	start := 0
	for _, span := range spans {
		end, at := start+len(span.Text), start
		for _, r := range found {
			if span.Class != "" || span.Say != "" || r.start < at || r.end > end {
				continue // the text of a reference is in one span, or it stays
			}
			from := r.start
			if from > at && span.Text[from-start-1] == ' ' {
				from--
			}
			if from > at {
				out = append(out, backend.Span{Text: span.Text[at-start : from-start]})
			}
			out = append(out, backend.Span{Text: span.Text[from-start : r.end-start], Class: r.class})
			at = r.end
		}
		if span.Text = span.Text[at-start:]; span.Text != "" || at == start {
			out = append(out, span)
		}
		start = end
	}
	return out
}

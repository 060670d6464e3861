package pdf

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/pattern"
)

const (
	marginRows  = 3   // rows of a header or footer at most
	sameHeight  = 4.0 // points by which the same row may move from page to page
	titleSize   = 1.2 // times the size of the text, of titles
	marginShare = 0.3 // of the height of a page, in which headers and footers are
)

// row is what stands side by side at one height of a page.
type row struct {
	y0, y1, size float64
	lines        []*textLine
	text         string
	numbers      []int // page numbers that may be in it
	only         bool  // it has nothing but a page number
	out          bool
}

// withoutMargins takes headers, footers and page numbers out of pages. A row at the edge is one if other pages have it too, at the
// same height, or with a number that counts the pages, or if most rows at its height are.
func withoutMargins(ctx context.Context, pages []*page, body float64, left parts.Counts, kept *kept) {
	all := make([][]*row, len(pages))
	for i, p := range pages {
		if ctx.Err() != nil {
			return
		}
		for _, l := range p.withoutVertical(left) {
			kept.addAside(backend.ClassAside, l)
		}
		all[i] = p.rows()
	}
	for _, fromEnd := range []bool{false, true} {
		for rank := range marginRows {
			edge := make([]*row, len(pages)) // nil where there is none
			for i, rows := range all {
				edge[i] = edgeRow(rows, rank, fromEnd, pages[i].height)
			}
			markMargins(ctx, edge, all, body, fromEnd)
		}
	}
	for i, p := range pages {
		dropRows(p, all[i], left, kept)
	}
}

// dropRows takes the marked rows out of a page.
func dropRows(p *page, rows []*row, left parts.Counts, kept *kept) {
	out := map[*textLine]bool{}
	for _, r := range rows {
		class, part := backend.ClassPageHeaders, parts.Headers
		switch {
		case !r.out:
			continue
		case r.only:
			class, part = backend.ClassPageNumbers, parts.Numbers
		}
		left[part]++
		for _, l := range r.lines {
			out[l] = true
		}
		kept.addAside(class, r.lines...)
	}
	p.lines = slices.DeleteFunc(p.lines, func(l *textLine) bool { return out[l] })
}

// withoutVertical takes text along the edge of a page out of it, such as the stamp of an archive. A page whose text is vertical
// keeps it.
func (p *page) withoutVertical(left parts.Counts) (taken []*textLine) {
	vertical := func(l *textLine) bool { return len(l.text) >= 8 && l.y1-l.y0 > 1.5*(l.x1-l.x0) }
	n := 0
	for _, l := range p.lines {
		if vertical(l) {
			n++
		}
	}
	if n > 0 && 5*n < len(p.lines) {
		left[parts.Vertical] += n
		taken, p.lines = divide(p.lines, vertical)
	}
	return taken
}

// rows returns the rows of a page from top to bottom.
func (p *page) rows() []*row {
	lines := slices.Clone(p.lines)
	slices.SortStableFunc(lines, func(a, b *textLine) int { return cmp.Compare(a.y0+a.y1, b.y0+b.y1) })
	var rows []*row
	for _, l := range lines {
		if n := len(rows); n > 0 && (l.y0+l.y1)/2 < rows[n-1].y1-0.2*l.size && l.y0 < rows[n-1].y1 {
			r := rows[n-1]
			r.lines = append(r.lines, l)
			r.y1 = max(r.y1, min(l.y1, r.y0+1.5*r.size))
			continue
		}
		rows = append(rows, &row{y0: l.y0, y1: l.y1, size: l.size, lines: []*textLine{l}})
	}
	for _, r := range rows {
		slices.SortStableFunc(r.lines, func(a, b *textLine) int { return cmp.Compare(a.x0, b.x0) })
		var parts []string
		for _, l := range r.lines {
			parts = append(parts, l.text)
		}
		r.text = strings.ToLower(strings.Join(parts, " "))
		r.numbers, r.only = pageNumbers(r.text)
	}
	return rows
}

// edgeRow returns the row at a distance from the edge of a page if it is in the margin and all rows outside of it are left out.
func edgeRow(rows []*row, rank int, fromEnd bool, height float64) *row {
	if rank >= len(rows) {
		return nil
	}
	at := func(i int) *row {
		if fromEnd {
			return rows[len(rows)-1-i]
		}
		return rows[i]
	}
	for i := range rank {
		if !at(i).out {
			return nil
		}
	}
	r := at(rank)
	if inMargin := fromEnd && r.y0 > height*(1-marginShare) || !fromEnd && r.y1 < height*marginShare; !inMargin && !r.only {
		return nil
	}
	return r
}

// markMargins marks the rows at one distance from the edge, a row a page, that are no text.
func markMargins(ctx context.Context, edge []*row, all [][]*row, body float64, fromEnd bool) {
	numbered := numberedRows(edge, body)
	recurring := markRecurring(ctx, edge)
	for i := range titledRows(ctx, edge, all, body, fromEnd) {
		numbered[i] = true
	}
	for i, r := range edge {
		if r == nil {
			continue
		}
		r.out = r.out || numbered[i]
		recurring[r] = recurring[r] || numbered[i]
	}
	for i, r := range edge {
		if ctx.Err() != nil {
			return
		}
		if r != nil && !r.out && r.size <= titleSize*body && apart(r, all[i], fromEnd) && mostRecur(r, edge, recurring) {
			r.out = true
		}
	}
}

// markRecurring marks the rows whose text is at the same height on enough pages, and returns those that are on another page too.
// It ends early when ctx does.
func markRecurring(ctx context.Context, edge []*row) map[*row]bool {
	recurring := map[*row]bool{}
	byText := map[string][]*row{}
	for _, r := range edge {
		if r != nil {
			byText[r.text] = append(byText[r.text], r)
		}
	}
	for _, same := range byText {
		for _, r := range same {
			if ctx.Err() != nil {
				return recurring
			}
			n := 0
			for _, other := range same {
				if math.Abs(other.y0-r.y0) <= sameHeight {
					n++
				}
			}
			recurring[r] = n >= 2 && !r.only
			r.out = !r.only && (n >= 3 || n >= 2 && len(edge) <= 5)
		}
	}
	return recurring
}

// mostRecur reports whether most rows at the height of a row are on other pages too: then so is the row, though its text is not,
// such as the title of a chapter of one page.
func mostRecur(r *row, edge []*row, recurring map[*row]bool) bool {
	n, recur := 0, 0
	for _, other := range edge {
		if other != nil && other != r && math.Abs(other.y0-r.y0) <= sameHeight && math.Abs(other.size-r.size) < 0.5 {
			n++
			if recurring[other] {
				recur++
			}
		}
	}
	return recur >= 2 && 2*recur >= n
}

// apart reports whether a row at the edge of a page stands further from the text than lines stand from each other.
func apart(r *row, rows []*row, fromEnd bool) bool {
	i := slices.Index(rows, r)
	if fromEnd {
		return i > 0 && r.y0-rows[i-1].y1 > 0.4*r.size
	}
	return i+1 < len(rows) && rows[i+1].y0-r.y1 > 0.4*r.size
}

// numberedRows reports which rows have a number that counts the pages: its distance to the number of the page is that of another row
// with the same words. A page by itself may have a 1. Larger letters are titles: "Chapter 1" on page 1.
func numberedRows(edge []*row, body float64) map[int]bool {
	type counter struct {
		words    string
		distance int
	}
	count := map[counter][]int{}
	for i, r := range edge {
		if r == nil || r.size > titleSize*body {
			continue
		}
		words := digits.ReplaceAllString(r.text, "#")
		if r.only {
			words = "#"
		}
		for _, n := range r.numbers {
			c := counter{words, n - i}
			count[c] = append(count[c], i)
		}
	}
	out := map[int]bool{}
	for c, rows := range count {
		near := len(edge) == 1 && c.words == "#" && c.distance == 1
		for k := 1; k < len(rows); k++ {
			near = near || rows[k] > rows[k-1] && rows[k]-rows[k-1] <= 4 // both numbers of a spread, or of a chapter with pictures
		}
		for _, i := range rows {
			out[i] = out[i] || near
		}
	}
	return out
}

// titledRows reports which rows are the title of a part that changes from page to page, beside a number that counts the pages: at
// least three at one height, apart from the text.
func titledRows(ctx context.Context, edge []*row, all [][]*row, body float64, fromEnd bool) map[int]bool {
	const mostWords = 10
	byDistance := map[int][]int{}
	for i, r := range edge {
		if r == nil || r.only || r.size > titleSize*body || len(strings.Fields(r.text)) > mostWords || !apart(r, all[i], fromEnd) {
			continue
		}
		for _, n := range slices.Compact(r.numbers) {
			byDistance[n-i] = append(byDistance[n-i], i)
		}
	}
	out := map[int]bool{}
	for _, rows := range byDistance {
		for _, i := range rows {
			if ctx.Err() != nil {
				return nil
			}
			same := 0
			for _, k := range rows {
				if math.Abs(edge[k].y0-edge[i].y0) <= sameHeight {
					same++
				}
			}
			out[i] = out[i] || same >= 3
		}
	}
	maps.DeleteFunc(out, func(_ int, is bool) bool { return !is })
	return out
}

var (
	digits   = pattern.New(`\d+|\b[ivxlcdm]+\b`)
	onlyPage = pattern.New(`^\W*(?:(?:page|seite|p|pg|s|pag|pagina|página|blz|side|sida|strona|стр|c)?[.:]?\s*)?(?:(\d{1,4})|` +
		`([ivxlcdm]{1,9}))(?:\s*(?:of|von|de|di|van|av|z|из|/|\|)\s*(?:page\s*)?\d{1,4})?\W*$`)
)

// pageNumbers returns the numbers in a row in lower case that may be those of pages, and whether it has nothing else.
func pageNumbers(text string) (numbers []int, only bool) {
	if m := onlyPage.FindStringSubmatch(text); m != nil {
		if n := valueOf(m[1] + m[2]); n > 0 {
			return []int{n}, true
		}
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if i != 0 && i != len(words)-1 && len(words) > 6 {
			continue
		}
		if n := valueOf(w); n > 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers, false
}

// valueOf returns the value of a number in digits or Roman numerals, 0 for other words.
func valueOf(word string) int {
	if n, err := strconv.Atoi(word); err == nil && len(word) <= 4 {
		return n
	}
	values := map[rune]int{'i': 1, 'v': 5, 'x': 10, 'l': 50, 'c': 100, 'd': 500, 'm': 1000}
	n, last := 0, 1000
	for _, r := range word {
		v := values[r]
		if v == 0 {
			return 0
		}
		if n += v; v > last {
			n -= 2 * last
		}
		last = v
	}
	return n
}

package pdf

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/plaintext"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/hyphen"
	"github.com/voicewright/voicewright/backend/pattern"
)

// What follows a line: the same paragraph, a line of its own in it, or the next paragraph.
type lineBreak int

const (
	wrapped lineBreak = iota
	ownLine
	newParagraph
)

// ownLineMark stands for the end of a line that is kept, until the words divided at other line ends are joined.
const ownLineMark = "\x1e"

// paragraph is a paragraph of a PDF file.
type paragraph struct {
	lines  []*textLine
	text   string // with \n only at the ends of lines that are kept
	marked string // text with the marks of notes
}

// paragraphs joins lines to the paragraphs of a text.
func paragraphs(lines []*textLine, body float64) string {
	var text strings.Builder
	for _, p := range joinedLines(lines, body, func(l *textLine) string { return l.text }) {
		text.WriteString(p.text + "\n\n")
	}
	return text.String()
}

// joinedLines joins lines to paragraphs of the text that textOf returns for each line.
func joinedLines(lines []*textLine, body float64, textOf func(*textLine) string) []paragraph {
	l := layout{body: body, pitch: usualPitch(lines)}
	l.indent = l.usualIndent(lines)
	var out strings.Builder
	from := 0 // the first line of the current paragraph
	var all []paragraph
	for i, line := range lines {
		if i > 0 {
			between := l.between(lines[i-1], line)
			if between == newParagraph {
				all = append(all, paragraph{lines: lines[from:i]})
				from = i
			}
			out.WriteString(separator(between, lines[i-1].text, line.text))
		}
		out.WriteString(textOf(line))
	}
	all = append(all, paragraph{lines: lines[from:]})
	for i, text := range strings.Split(hyphen.Join(out.String(), ""), "\n\n") {
		var kept []string
		for line := range strings.SplitSeq(text, ownLineMark) {
			kept = append(kept, backend.OneLine(line))
		}
		if i == len(all) {
			all = append(all, paragraph{})
		}
		all[i].marked = strings.Join(kept, "\n")
		all[i].text = blocks.Work(all[i].marked)
	}
	return all
}

// separator returns what is written between two lines. A dash without blanks around it has none at a line end either.
func separator(b lineBreak, before, after string) string {
	const dash = "—"
	switch {
	case b == newParagraph:
		return "\n\n"
	case b == ownLine:
		return ownLineMark
	case plaintext.JoinsWithoutBlank(before, after):
		return ""
	case strings.HasSuffix(before, dash) && !strings.HasSuffix(before, " "+dash),
		strings.HasPrefix(after, dash) && !strings.HasPrefix(after, dash+" "):
		return ""
	}
	return "\n"
}

// layout is how the paragraphs of a document are set.
type layout struct {
	body   float64 // height of its text
	pitch  float64 // from line to line, as a part of the height
	indent float64 // of the first line of a paragraph; 0 = none
}

// usualPitch returns the distance from line to line as a part of the height of lines.
func usualPitch(lines []*textLine) float64 {
	var all []float64
	for i := 1; i < len(lines); i++ {
		a, b := lines[i-1], lines[i]
		if distance := b.y0 - a.y0; a.column == b.column && distance > 0 && similar(a.size, b.size) {
			all = append(all, distance/b.size)
		}
	}
	if len(all) == 0 {
		return 1
	}
	slices.Sort(all)
	return all[len(all)*2/5] // distances within paragraphs are the smaller ones
}

func similar(a, b float64) bool { return math.Abs(a-b) <= 0.1*max(a, b) }

// usualIndent returns how far the first lines of paragraphs begin to the right of the others.
func (l *layout) usualIndent(lines []*textLine) float64 {
	count := map[int]int{}
	for i, line := range lines {
		offset := line.x0 - line.left
		if offset < 0.4*line.size || offset > 5*line.size || !similar(line.size, l.body) {
			continue
		}
		if i+1 < len(lines) && lines[i+1].column == line.column && math.Abs(lines[i+1].x0-line.left) < 0.3*line.size {
			count[int(math.Round(offset))]++
		}
	}
	best, highest := 0, 1
	for _, offset := range slices.Sorted(maps.Keys(count)) {
		n := count[offset]
		if near := n + count[offset-1] + count[offset+1]; near > highest || near == highest && n > count[best] {
			best, highest = offset, near
		}
	}
	return float64(best)
}

// between returns what is between two lines.
func (l *layout) between(a, b *textLine) lineBreak {
	below := a.page == b.page && b.y0 > a.y0 && b.x0 < a.x1 && a.x0 < b.x1
	title := a.size > 1.12*l.body && similar(a.size, b.size)
	short := a.right-a.x1 > b.firstWord+0.4*b.size
	switch {
	case !similar(a.size, b.size), below && b.y0-a.y0 > 1.25*l.pitch*max(a.size, b.size)+0.5:
		return newParagraph
	case title:
		if a.page == b.page && below {
			return wrapped
		}
		return newParagraph
	case l.firstLine(a, b, short):
		return newParagraph
	case bullet.MatchString(b.text):
		return ownLine
	case !short:
		return wrapped
	default:
		return afterShort(a, b)
	}
}

// afterShort returns what is between a line that ends before the edge and the next one.
func afterShort(a, b *textLine) lineBreak {
	switch {
	case prose.EndsSentence(a.text) || strings.HasSuffix(a.text, ":"):
		return newParagraph
	case unicode.IsLower(firstLetter(b.text)) || endsHyphen(a.text):
		return wrapped
	default:
		return ownLine
	}
}

// firstLine reports whether a line is indented as the first one of a paragraph. Several full lines with the same indent are a
// quotation.
func (l *layout) firstLine(a, b *textLine, short bool) bool {
	offset := b.x0 - b.left
	before := a.x0 - a.left
	if bullet.MatchString(a.text) && b.x0 > a.x0 {
		return false // the second line of an item
	}
	if l.indent > 0 && math.Abs(offset-l.indent) <= 2 {
		return math.Abs(before-offset) > 2 || short || prose.EndsSentence(a.text) || b.column != a.column
	}
	return offset > 0.8*b.size && before < 0.3*a.size && (short || prose.EndsSentence(a.text))
}

// bullet matches the start of an item of a list.
var bullet = pattern.New(`^(?:[•‣◦▪●○■□►–]|\*)\s+\S`)

func endsHyphen(s string) bool { return strings.HasSuffix(s, "-") || strings.HasSuffix(s, "\u2010") }

// firstLetter returns the first character of a text that is no opening quote or bracket.
func firstLetter(s string) rune {
	s = strings.TrimLeft(s, `"'“‘„«»‚([`)
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

package extract

import (
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/pattern"
)

var (
	mdFence    = pattern.New("^ {0,3}(`{3,}|~{3,})")
	mdHeading  = pattern.New(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$`)
	mdSetext   = pattern.New(`^ {0,3}(?:=+|-+)[ \t]*$`)
	mdRule     = pattern.New(`^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	mdList     = pattern.New(`^\s*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)`)
	mdTask     = pattern.New(`^\[[ xX]\][ \t]+`)
	mdQuote    = pattern.New(`^ {0,3}(?:>[ \t]?)+`)
	mdTableRow = pattern.New(`^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$`)
	mdDefined  = pattern.New(`^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*\S`)
	mdNote     = pattern.New(`^ {0,3}\[\^[^\]\n]{1,200}\]:`)
	mdComment  = pattern.New(`(?s)<!--.*?-->`)
	mdSetting  = pattern.New(`^\s*(?:#.*\n\s*)*[A-Za-z0-9_-]+[ \t]*[:=]`)
	mdTitle    = pattern.New(`(?m)^title[ \t]*[:=][ \t]*(.+)$`)
)

// reducer turns Markdown into plain text, line by line.
type reducer struct {
	out       strings.Builder
	paragraph []string        // lines of the current paragraph
	defined   map[string]bool // names of links, in lower case
	title     string
	note      bool // in the text of a footnote
	leftOut   parts.Counts
	book      *markdownBook // what is collected for a manuscript; nil for the text alone
}

// markdown returns a text without the marks of Markdown (CommonMark, tables and footnotes of GitHub), and its title: that of
// the front matter or the first heading of the first level, else the given one. What is left out is counted.
func markdown(text, title string, counts parts.Counts) (plain, name string) {
	r := &reducer{defined: map[string]bool{}, leftOut: counts}
	if head, body := frontMatter(text); head != "" {
		if m := mdTitle.FindStringSubmatch(head); m != nil {
			r.title = backend.OneLine(strings.Trim(strings.TrimSpace(m[1]), `"'`))
		}
		text = body
	}
	r.read(mdComment.ReplaceAllString(text, ""))
	if r.title == "" {
		r.title = title
	}
	return r.out.String(), r.title
}

// read reads a text line by line.
func (r *reducer) read(text string) {
	lines := strings.Split(text, "\n")
	for _, line := range lines {
		if m := mdDefined.FindStringSubmatch(line); m != nil {
			r.defined[strings.ToLower(m[1])] = true
		}
	}
	fence := ""
	for _, line := range lines {
		if fence != "" {
			if strings.HasPrefix(strings.TrimSpace(line), fence) {
				fence = ""
				r.end()
				continue
			}
			if r.book != nil {
				r.book.code = append(r.book.code, line)
			}
			r.out.WriteString(line + "\n")
			continue
		}
		if m := mdFence.FindStringSubmatch(line); m != nil {
			fence = m[1]
			r.end()
			continue
		}
		r.line(line)
	}
	r.end()
}

// frontMatter returns the settings at the beginning of a text, and the text behind them; no settings where there are none.
func frontMatter(text string) (head, body string) {
	for _, mark := range []string{"---", "+++"} {
		after, ok := strings.CutPrefix(text, mark+"\n")
		if !ok {
			continue
		}
		head, body, ok := strings.Cut("\n"+after, "\n"+mark+"\n")
		if !ok {
			if head, ok = strings.CutSuffix("\n"+after, "\n"+mark); !ok {
				continue
			}
			body = ""
		}
		if !mdSetting.MatchString(head) {
			continue // text between two rules
		}
		return head, body
	}
	return "", text
}

// line adds a line outside of code.
func (r *reducer) line(line string) {
	if strings.TrimSpace(line) == "" {
		r.end()
		return
	}
	if r.book == nil && r.inNote(line) {
		r.end()
		return
	}
	if mdDefined.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "[[") {
		return
	}
	line = r.withoutQuote(line)
	if r.bookLine(line) {
		return
	}
	switch m := mdHeading.FindStringSubmatch(line); {
	case m != nil:
		r.end()
		r.heading(m[2], len(m[1]))
	case len(r.paragraph) > 0 && mdSetext.MatchString(line):
		r.underlined(line)
	case mdRule.MatchString(line):
		r.end()
		r.scene()
	case mdTableRow.MatchString(line) && strings.Contains(line, "|"):
	default:
		r.words(line)
	}
}

// inNote reports whether a line belongs to a footnote, and counts the notes.
func (r *reducer) inNote(line string) bool {
	begins := mdNote.MatchString(line)
	if begins {
		r.leftOut[parts.Footnotes]++
	}
	r.note = begins || r.note && len(r.paragraph) == 0 && (line[0] == ' ' || line[0] == '\t')
	return r.note
}

// underlined makes the paragraph a heading, because the line below it is = or -.
func (r *reducer) underlined(line string) {
	words := strings.Join(r.paragraph, " ")
	r.paragraph = nil
	level := 2
	if strings.Contains(line, "=") {
		level = 1
	}
	r.heading(words, level)
}

// words adds a line of a paragraph, of an item of a list or of a table.
func (r *reducer) words(line string) {
	if item := mdList.FindString(line); item != "" {
		r.flush()
		line = mdTask.ReplaceAllString(line[len(item):], "")
		if r.book != nil {
			r.book.kind, r.book.number, r.book.broken = backend.BlockList, listNumber(item), false
		}
	}
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "|") {
		r.flush()
		line = cells(trimmed)
	}
	r.paragraph = append(r.paragraph, strings.TrimLeft(line, " \t"))
	if strings.HasSuffix(line, "  ") || strings.HasSuffix(line, `\`) { // a hard line break
		last := len(r.paragraph) - 1
		r.paragraph[last] = strings.TrimRight(r.paragraph[last], ` \`)
		r.flush()
		if r.book != nil {
			r.book.broken = true
		}
	}
}

// cells returns the cells of a row of a table with commas between them.
func cells(row string) string {
	var words []string
	for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		if cell = strings.TrimSpace(cell); cell != "" {
			words = append(words, cell)
		}
	}
	return strings.Join(words, ", ")
}

// heading writes a heading.
func (r *reducer) heading(words string, level int) {
	words = r.inline(strings.TrimSpace(words))
	if r.title == "" && level == 1 {
		r.title = backend.OneLine(blocks.Unmarked(words))
	}
	if r.book != nil {
		if spans := blocks.Spans(backend.OneLine(words)); len(spans) > 0 {
			r.book.blocks = append(r.book.blocks, backend.Block{Kind: backend.BlockHeading, Level: level, Spans: spans})
		}
		r.endBlock()
		return
	}
	r.out.WriteString("\n" + words + "\n\n")
}

// flush writes the current paragraph as a line.
func (r *reducer) flush() {
	if len(r.paragraph) == 0 {
		return
	}
	text := r.inline(strings.Join(r.paragraph, " "))
	r.paragraph = nil
	if r.book != nil {
		r.addBlock(text)
		return
	}
	r.out.WriteString(text + "\n")
}

// end ends the current paragraph.
func (r *reducer) end() {
	r.flush()
	if r.book != nil {
		r.endBlock()
	}
	r.out.WriteByte('\n')
}

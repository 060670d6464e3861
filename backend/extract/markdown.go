package extract

import (
	"regexp"
	"strings"
)

var (
	mdFence    = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
	mdHeading  = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$`)
	mdSetext   = regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`)
	mdRule     = regexp.MustCompile(`^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	mdList     = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)`)
	mdTask     = regexp.MustCompile(`^\[[ xX]\][ \t]+`)
	mdQuote    = regexp.MustCompile(`^ {0,3}(?:>[ \t]?)+`)
	mdTableRow = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$`)
	mdDefined  = regexp.MustCompile(`^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*\S`)
	mdNote     = regexp.MustCompile(`^ {0,3}\[\^[^\]\n]{1,200}\]:`)
	mdComment  = regexp.MustCompile(`(?s)<!--.*?-->`)
	mdSetting  = regexp.MustCompile(`^\s*(?:#.*\n\s*)*[A-Za-z0-9_-]+[ \t]*[:=]`)
	mdTitle    = regexp.MustCompile(`(?m)^title[ \t]*[:=][ \t]*(.+)$`)
)

// reducer turns Markdown into what is read aloud, line by line.
type reducer struct {
	out       strings.Builder
	paragraph []string // lines that are one paragraph
	defined   map[string]bool
	title     string
	note      bool // inside the text of a note
}

// markdown leaves the marks of Markdown (CommonMark, tables and notes of GitHub) out of a text. The title is that of the
// front matter or of the first heading of the first level, else the given one.
func markdown(text, title string) (plain, name string) {
	r := &reducer{defined: map[string]bool{}}
	text = r.frontMatter(text)
	text = mdComment.ReplaceAllString(text, "")
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
	if r.title == "" {
		r.title = title
	}
	return r.out.String(), r.title
}

// frontMatter cuts the settings at the head of a file off and takes the title from them.
func (r *reducer) frontMatter(text string) string {
	for _, mark := range []string{"---", "+++"} {
		rest, ok := strings.CutPrefix(text, mark+"\n")
		if !ok {
			continue
		}
		head, body, ok := strings.Cut("\n"+rest, "\n"+mark+"\n")
		if !ok {
			if head, ok = strings.CutSuffix("\n"+rest, "\n"+mark); !ok {
				continue
			}
			body = ""
		}
		if !mdSetting.MatchString(head) {
			continue // lines of the text between two rules
		}
		if m := mdTitle.FindStringSubmatch(head); m != nil {
			r.title = oneLine(strings.Trim(strings.TrimSpace(m[1]), `"'`))
		}
		return body
	}
	return text
}

func (r *reducer) line(line string) {
	if strings.TrimSpace(line) == "" {
		r.end()
		return
	}
	if r.note = mdNote.MatchString(line) || r.note && len(r.paragraph) == 0 && (line[0] == ' ' || line[0] == '\t'); r.note {
		r.end()
		return
	}
	if mdDefined.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "[[") {
		return
	}
	line = mdQuote.ReplaceAllString(line, "")
	if m := mdHeading.FindStringSubmatch(line); m != nil {
		r.end()
		r.heading(m[2], len(m[1]))
		return
	}
	if len(r.paragraph) > 0 && mdSetext.MatchString(line) {
		words := strings.Join(r.paragraph, " ")
		r.paragraph = nil
		level := 2
		if strings.Contains(line, "=") {
			level = 1
		}
		r.heading(words, level)
		return
	}
	if mdRule.MatchString(line) {
		r.end()
		return
	}
	if mdTableRow.MatchString(line) && strings.Contains(line, "|") {
		return
	}
	if item := mdList.FindString(line); item != "" {
		r.flush()
		line = mdTask.ReplaceAllString(line[len(item):], "")
	}
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "|") {
		r.flush()
		line = cells(trimmed)
	}
	r.paragraph = append(r.paragraph, strings.TrimLeft(line, " \t"))
	if strings.HasSuffix(line, "  ") || strings.HasSuffix(line, `\`) {
		last := len(r.paragraph) - 1
		r.paragraph[last] = strings.TrimRight(r.paragraph[last], ` \`)
		r.flush()
	}
}

// cells reads a row of a table as a list.
func cells(row string) string {
	var words []string
	for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		if cell = strings.TrimSpace(cell); cell != "" {
			words = append(words, cell)
		}
	}
	return strings.Join(words, ", ")
}

func (r *reducer) heading(words string, level int) {
	words = r.inline(strings.TrimSpace(words))
	if r.title == "" && level == 1 {
		r.title = oneLine(words)
	}
	r.out.WriteString("\n" + words + "\n\n")
}

// flush ends a line; end ends a paragraph.
func (r *reducer) flush() {
	if len(r.paragraph) > 0 {
		r.out.WriteString(r.inline(strings.Join(r.paragraph, " ")) + "\n")
		r.paragraph = nil
	}
}

func (r *reducer) end() {
	r.flush()
	r.out.WriteByte('\n')
}

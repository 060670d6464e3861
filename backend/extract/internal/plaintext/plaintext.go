// Package plaintext divides plain texts and screenplays into chapters and blocks, and finds chapters in documents that mark none.
package plaintext

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
	"github.com/voicewright/voicewright/backend/pattern"
)

// Read returns the manuscript of a text whose lines end with \n: its chapters, paragraphs and verses, with what Project Gutenberg
// puts around a book as front and back matter. The title is empty where the text does not begin with one.
func Read(text string) backend.Manuscript {
	var m backend.Manuscript
	all := paragraphs(text)
	start, end := boilerplate(all)
	setClass(all[:start], backend.ClassFrontMatter)
	setClass(all[end:], backend.ClassBackMatter)
	m.ManuscriptMeta = header(all, start)
	titles := 0
	if m.Title == "" {
		m.Title, m.Authors, titles = firstLines(all[start:end])
	}
	m.Blocks = Divide(all)
	setNotes(m.Blocks)
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if titles > 0 && b.Kind == backend.BlockParagraph && b.Spans[0].Class == "" && len(b.Begins) == 0 {
			if b.Spans[0].Text == m.Title {
				b.Kind, b.Level = backend.BlockHeading, 1
			}
			break
		}
	}
	return m
}

// paragraphs returns what stands between blank lines. Breaks between scenes are paragraphs.
func paragraphs(text string) []Paragraph {
	var out []Paragraph
	var lines []string
	blanks, before := 0, 0
	end := func() {
		if len(lines) > 0 {
			out = append(out, Paragraph{Lines: lines, Blanks: before})
			lines, blanks = nil, 0
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\u2060")
		switch {
		case strings.TrimSpace(line) == "":
			end()
			blanks++
			continue
		case chapter.IsScene(line):
			end()
			out = append(out, Paragraph{Lines: []string{line}, Blanks: blanks})
			blanks = 0
			continue
		}
		if len(lines) == 0 {
			before = blanks
		}
		lines = append(lines, line)
	}
	end()
	return out
}

var (
	gutenbergStart = pattern.New(`(?i)^\s*\*{3}\s*START OF (?:THE|THIS) PROJECT GUTENBERG`)
	gutenbergEnd   = pattern.New(`(?i)^\s*\*{3}\s*END OF (?:THE|THIS) PROJECT GUTENBERG`)
	producers      = pattern.New(`(?i)^\s*(?:produced by|e-text prepared by|this etext was|transcribed from|\[?transcriber.s note)`)
	endOfBook      = pattern.New(`(?i)^\s*(?:\*{3}\s*)?end of (?:the |this )?project gutenberg`)
	field          = pattern.New(`(?i)^\s*(title|author|language|translator|editor|illustrator|release date|posting date|credits|` +
		`character set encoding|publisher|isbn|year|series):\s*(\S.*)$`)
)

// boilerplate returns the paragraph behind the header of Project Gutenberg or another one of fields, and the one where the licence
// begins.
func boilerplate(all []Paragraph) (start, end int) {
	end = len(all)
	has := func(p Paragraph, e *pattern.Pattern) bool { return slices.ContainsFunc(p.Lines, e.MatchString) }
	for i, p := range all {
		if has(p, gutenbergStart) {
			start = i + 1
			break
		}
	}
	if start == 0 {
		for start < len(all) && allFields(all[start].Lines) {
			start++
		}
	} else if start < len(all) && has(all[start], producers) {
		start++
	}
	for i := start; i < len(all); i++ {
		if has(all[i], gutenbergEnd) {
			end = i
			break
		}
	}
	if end > start && end < len(all) && has(all[end-1], endOfBook) {
		end--
	}
	return start, end
}

// allFields reports whether lines are fields such as "Title: Alice", or go on with one.
func allFields(lines []string) bool {
	for i, line := range lines {
		if !field.MatchString(line) && (i == 0 || indent(line) == 0) {
			return false
		}
	}
	return len(lines) > 0
}

func setClass(all []Paragraph, class backend.TextClass) {
	for i := range all {
		all[i].Class = class
	}
}

// languages are the names of languages in the headers of Project Gutenberg.
var languages = map[string]string{
	"english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "portuguese": "pt", "dutch": "nl", "russian": "ru",
	"polish": "pl", "swedish": "sv", "danish": "da", "norwegian": "nb", "finnish": "fi", "czech": "cs", "greek": "el", "hungarian": "hu",
	"chinese": "zh", "japanese": "ja", "latin": "la", "esperanto": "eo", "catalan": "ca", "turkish": "tr", "ukrainian": "uk",
}

// header returns what the fields before paragraph start say.
func header(all []Paragraph, start int) backend.ManuscriptMeta {
	var m backend.ManuscriptMeta
	for _, p := range all[:start] {
		last := ""
		for _, line := range p.Lines {
			found := field.FindStringSubmatch(line)
			switch {
			case found != nil:
				last = strings.ToLower(found[1])
				setField(&m, last, backend.OneLine(found[2]))
			case last == "title" && indent(line) > 0:
				m.Title += " " + backend.OneLine(line)
			default:
				last = ""
			}
		}
	}
	return m
}

// setField sets a field of the header.
func setField(m *backend.ManuscriptMeta, name, value string) {
	switch name {
	case "title":
		m.Title = value
	case "author":
		m.Authors = append(m.Authors, value)
	case "language":
		m.Language = languages[strings.ToLower(value)]
		if m.Language == "" && backend.KnownLanguage(value) {
			m.Language, _ = backend.CanonicalLanguage(value)
		}
	case "publisher":
		m.Publisher = value
	case "isbn":
		m.ISBN = value
	case "series":
		m.Series = value
	case "year":
		if len(value) == 4 && strings.Trim(value, "0123456789") == "" {
			m.Year = value
		}
	}
}

var (
	byLine  = pattern.New(`(?i)^(?:by|von|par|por|di|door|de|автор:?)\s+(\p{Lu}[\p{L}.'’ -]{2,60})$`)
	byAlone = pattern.New(`(?i)^(?:by|von|par|por|di|door|written by)$`)
)

// firstLines returns the title with which a text begins and the author below it, and how many paragraphs they are: a short line alone,
// or with "by" and a name below it.
func firstLines(all []Paragraph) (title string, authors []string, count int) {
	if len(all) < 2 || len(all[0].Lines) > 3 {
		return "", nil, 0
	}
	lines := slices.Clone(all[0].Lines)
	for _, p := range all[1:min(len(all), 3)] {
		if len(p.Lines) > 2 {
			break
		}
		lines = append(lines, p.Lines...)
	}
	for i, line := range lines {
		lines[i] = plain(line)
	}
	first := lines[0]
	if !chapter.IsTitle(first) || isEntry(first) || chapter.IsScene(first) {
		return "", nil, 0
	}
	for i, line := range lines[1:] {
		if m := byLine.FindStringSubmatch(line); m != nil {
			return first, []string{strings.TrimRight(m[1], ".")}, 1
		}
		if byAlone.MatchString(line) && i+2 < len(lines) && chapter.IsTitle(lines[i+2]) {
			return first, []string{lines[i+2]}, 1
		}
	}
	if len(all[0].Lines) > 1 {
		return "", nil, 0
	}
	return first, nil, 1
}

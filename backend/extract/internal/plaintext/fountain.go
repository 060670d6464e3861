package plaintext

import (
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/pattern"
)

var (
	blankLine  = pattern.New(`\n[ \t]?\n`) // two blanks are none
	titleKey   = pattern.New(`^([A-Za-z][A-Za-z ]{1,30}):\s*(.*)$`)
	sceneLine  = pattern.New(`(?i)^(?:int|ext|est|int\./ext|int/ext|i/e|i\./e)[. ]`)
	sceneMark  = pattern.New(`\s*#[\w.-]{1,12}#$`) // its number
	section    = pattern.New(`^(#{1,6})\s*(\S.*)$`)
	transition = pattern.New(`^[^\p{Ll}]*TO:$`)
	emphasis   = pattern.New(`\*{1,3}([^\s*](?:[^*]*[^\s*])?)\*{1,3}`)
	underlined = pattern.New(`_([^\s_](?:[^_]*[^\s_])?)_`)
	pageBreak  = pattern.New(`^={3,}\s*$`)
	cue        = pattern.New(`^[^\p{Ll}]*\p{Lu}[^\p{Ll}]*(?:\([^)]*\)\s*)*\^?$`)
)

// screenplay is a screenplay in Fountain (fountain.io) that is being read.
type screenplay struct {
	m     backend.Manuscript
	depth int // of the sections that are open
	left  int // words that are left out
}

// Fountain returns the manuscript of a screenplay: scenes and sections begin entries of the table of contents, a speech is a
// paragraph. Notes, synopses and what is commented out are no words of it; left is how many words these have. The title page is
// front matter.
func Fountain(text string) (_ backend.Manuscript, left int) {
	s := &screenplay{}
	text = s.leaveOut(text, "/*", "*/", func(string) bool { return true })
	text = s.leaveOut(text, "[[", "]]", func(note string) bool { return !blankLine.MatchString(note) })
	parts := blankLine.Split(strings.TrimLeft(text, "\n"), -1)
	if len(parts) > 0 && s.titlePage(strings.Split(parts[0], "\n")) {
		parts = parts[1:]
	}
	for _, part := range parts {
		s.part(strings.Split(strings.Trim(part, "\n"), "\n"))
	}
	return s.m, s.left
}

// leaveOut returns a text without what is between marks, where it is allowed there. A mark without the other one is text.
func (s *screenplay) leaveOut(text, begin, end string, allowed func(string) bool) string {
	var out []byte
	var begins []int // where marks that are not closed are in out
	for len(text) > 0 {
		n := 1
		switch last := len(begins) - 1; {
		case strings.HasPrefix(text, begin):
			begins, n = append(begins, len(out)), len(begin)
		case last >= 0 && strings.HasPrefix(text, end):
			between := string(out[begins[last]:])
			if !allowed(between) {
				begins = nil
				break
			}
			s.left += len(backend.Words(between))
			out, text, begins, n = out[:begins[last]], text[len(end):], begins[:last], 0
		}
		out, text = append(out, text[:n]...), text[n:]
	}
	return string(out)
}

// titlePage reads the title page, and reports whether lines are one.
func (s *screenplay) titlePage(lines []string) bool {
	if !titleKey.MatchString(lines[0]) || transition.MatchString(lines[0]) {
		return false
	}
	var meta backend.ManuscriptMeta
	var blocks []backend.Block
	key := ""
	for _, line := range lines {
		value := line
		if m := titleKey.FindStringSubmatch(line); m != nil && indent(line) == 0 {
			key, value = strings.ToLower(m[1]), m[2]
		} else if indent(line) == 0 {
			return false
		}
		value = backend.OneLine(withoutEmphasis(value))
		switch {
		case value == "":
		case key == "title":
			meta.Title = strings.TrimSpace(meta.Title + " " + value)
		case key == "author" || key == "authors":
			meta.Authors = append(meta.Authors, value)
		}
		text := []backend.Span{{Text: backend.OneLine(withoutEmphasis(line)), Class: backend.ClassFrontMatter}}
		blocks = append(blocks, backend.Block{Kind: backend.BlockParagraph, Spans: text})
	}
	s.m.ManuscriptMeta, s.m.Blocks = meta, blocks
	return true
}

// part reads what stands between blank lines.
func (s *screenplay) part(lines []string) {
	for len(lines) > 0 {
		line := strings.TrimSpace(lines[0])
		following := lines[1:]
		switch m := section.FindStringSubmatch(line); {
		case line == "", pageBreak.MatchString(line):
		case strings.HasPrefix(line, "="):
			s.left += len(backend.Words(line))
		case m != nil:
			s.depth = len(m[1])
			s.heading(m[2], s.depth)
		case sceneLine.MatchString(line), strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".."):
			s.heading(sceneMark.ReplaceAllString(strings.TrimPrefix(line, "."), ""), min(mostLevels, s.depth+1))
		case strings.HasPrefix(line, ">"):
			s.paragraph(strings.TrimSpace(strings.Trim(line, "<>")))
		case len(following) > 0 && (strings.HasPrefix(line, "@") || cue.MatchString(line)) && !strings.HasPrefix(line, "!"):
			s.speech(line, following)
			return
		default:
			n := 1
			for n < len(lines) && !special(lines[n]) {
				n++
			}
			s.paragraph(strings.TrimPrefix(joinLines(lines[:n]), "!"))
			following = lines[n:]
		}
		lines = following
	}
}

// special reports whether a line is none of the action above it.
func special(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "=") || strings.HasPrefix(line, ">") || section.MatchString(line)
}

// heading begins a scene or a section.
func (s *screenplay) heading(text string, level int) {
	text = backend.OneLine(withoutEmphasis(text))
	s.m.Blocks = append(s.m.Blocks, backend.Block{
		Kind: backend.BlockHeading, Level: level, Spans: []backend.Span{{Text: text}}, Begins: []backend.Section{{Title: text, Level: level}},
	})
}

// speech adds the words of a character.
func (s *screenplay) speech(name string, lines []string) {
	name = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(name, "@"), "^"))
	var words []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "=") {
			s.left += len(backend.Words(line))
		} else {
			words = append(words, strings.TrimPrefix(line, "~"))
		}
	}
	if len(words) == 0 {
		s.paragraph(name)
		return
	}
	s.paragraph(name + ": " + joinLines(words))
}

// paragraph adds a paragraph.
func (s *screenplay) paragraph(text string) {
	if text = backend.OneLine(withoutEmphasis(text)); text != "" {
		s.m.Blocks = append(s.m.Blocks, backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: text}}})
	}
}

// withoutEmphasis returns a line without the marks of emphasis.
func withoutEmphasis(line string) string {
	return emphasis.ReplaceAllString(underlined.ReplaceAllString(line, "$1"), "$1")
}

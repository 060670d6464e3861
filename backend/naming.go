package backend

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/filename"
)

// maxFileName is how many characters of a title a file name takes; 255 bytes is the usual limit of file systems.
const maxFileName = 60

// FileName returns a name for the generation's audio file, without extension, that every system accepts.
func (g Generation) FileName() string {
	name := FirstWords(g.Title, maxFileName)
	if name == "" {
		name = FirstWords(g.Text, 40)
	}
	return filename.Safe(name, g.ID)
}

// Tags returns the metadata of the generation's audio file.
func (g Generation) Tags() map[string]string {
	title := g.Title
	if title == "" {
		title = FirstWords(g.Text, 60)
	}
	return map[string]string{"title": title, "artist": g.ProfileName, "comment": SyntheticSpeech(g)}
}

// SyntheticSpeech returns the comment that files carry: that people did not say this, and whose voice is cloned.
func SyntheticSpeech(turns ...Generation) string {
	var voices, cloned []string
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, g := range turns {
		if g.Cloned() {
			add(&cloned, g.ProfileName)
		} else {
			add(&voices, g.Voice)
		}
	}
	comment := "synthetic speech made by Voicewright"
	if len(voices) > 0 {
		comment += ", voice " + strings.Join(voices, ", ")
	}
	if len(cloned) > 0 {
		comment += ", cloned voice " + strings.Join(cloned, ", ")
	}
	return comment
}

// headingMark is what makes a line a heading, "# Winter". It is not read.
var headingMark = regexp.MustCompile(`^[ \t]*#{1,6}[ \t]+`)

// words returns the words of a text without the marks of its headings.
func words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(s) {
			for word := range strings.FieldsSeq(headingMark.ReplaceAllString(line, "")) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

// OneLine returns a text with one blank in place of all white space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// FirstWords returns the start of a text in one line, without the marks of its headings, at most n characters, in whole words
// unless the first is longer.
func FirstWords(s string, n int) string {
	line := ""
	for word := range words(s) {
		longer := strings.TrimSpace(line + " " + word)
		if utf8.RuneCountInString(longer) > n {
			if line == "" {
				return string([]rune(word)[:n])
			}
			break
		}
		line = longer
	}
	return line
}

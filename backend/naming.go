package backend

import (
	"strings"
	"unicode/utf8"
)

// maxFileName is how many characters of a title a file name takes; 255 bytes is the usual limit of file systems.
const maxFileName = 60

// FileName returns a name for the generation's audio file, without extension, that every system accepts.
func (g Generation) FileName() string {
	name := FirstWords(g.Title, maxFileName)
	if name == "" {
		name = FirstWords(g.Text, 40)
	}
	return FileName(name, g.ID)
}

// Tags returns the metadata of the generation's audio file.
func (g Generation) Tags() map[string]string {
	title := g.Title
	if title == "" {
		title = FirstWords(g.Text, 60)
	}
	return map[string]string{
		"title": title, "artist": g.ProfileName, "comment": "synthetic speech made by Voicewright, voice " + g.Voice,
	}
}

// FirstWords returns the start of a text in one line, at most n characters, in whole words unless the first is longer.
func FirstWords(s string, n int) string {
	line := ""
	for word := range strings.FieldsSeq(s) {
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

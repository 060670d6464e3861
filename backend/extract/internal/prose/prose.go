// Package prose has what all readers of files do with their text: characters, lines, sentences and the properties of a document.
package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hyphen"
	"github.com/voicewright/voicewright/backend/pattern"
)

// lineEnds makes \n of all line ends.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n", "\f", "\n\n")

// WordGoesOn stands where a word goes on in the next paragraph, as in the next subtitle: a word joiner.
const WordGoesOn = "\u2060"

// A soft hyphen at the end of a paragraph, and of another line.
var (
	cutParagraph = pattern.New(`\x{ad}(?:\r\n\r\n|\n\n|\r\r)`)
	cutLine      = pattern.New(`\x{ad}(?:\r\n|\n|\r)`)
)

// Clean returns s with lines that end with \n, without control characters and invisible ones. Words that a soft hyphen divides are
// joined; at the end of a paragraph it becomes WordGoesOn.
func Clean(s string) string {
	s = cutLine.ReplaceAllLiteralString(cutParagraph.ReplaceAllLiteralString(s, WordGoesOn+"\n\n"), "")
	s = hyphen.WithoutUnseen(s)
	s = lineEnds.Replace(s)
	return strings.Map(func(r rune) rune {
		if r == '\ufeff' || r == '\u200b' || unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// EndsSentence reports whether s ends with the punctuation that ends a sentence.
func EndsSentence(s string) bool {
	s = strings.TrimRight(s, `"'”’»“)]`)
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".?!…。！？", last)
}

// junkTitle matches titles that programs write, not people.
var junkTitle = pattern.New(`(?i)^(?:microsoft (?:word|powerpoint|excel) ?- .*|untitled.*|unbenannt.*|dokument ?\d*|` +
	`document ?\d*|powerpoint[- ]?.*|slide ?\d*|title|` +
	`.*\.(?:docx?|dotx?|odt|rtf|tex|dvi|indd|qxd|pdf|txt|html?|md|fm|p65|pmd|ps|wpd|cwk|pages|xml|pptx?|xlsx?)|` +
	`(?:https?|file):.*|[\d\s._-]*)$`)

// Title returns the title in the properties of a document, or the given one if it says nothing.
func Title(title, given string) string {
	title = backend.OneLine(Clean(title))
	if junkTitle.MatchString(title) || !backend.Speakable(title) {
		return given
	}
	return title
}

// programs write their name where the author should be.
var programs = []string{"python-docx", "apache poi", "unknown", "administrator", "admin", "user", "microsoft office user"}

// Author returns an author in the properties of a document, empty for the name of a program.
func Author(s string) string {
	author := backend.OneLine(Clean(s))
	if slices.Contains(programs, strings.ToLower(author)) {
		return ""
	}
	return author
}

package blocks

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// Classes of words within the text of a paragraph begin with a character that Unicode reserves for programs.
const (
	firstClass = '\ufdd0' // text of the work
	lastClass  = '\ufdef'
)

func isClassMark(r rune) bool { return r >= firstClass && r <= lastClass }

// Unmarked returns a text without the marks of classes.
func Unmarked(text string) string {
	if !strings.ContainsFunc(text, isClassMark) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if isClassMark(r) {
			return -1
		}
		return r
	}, text)
}

// Work returns the text of the work in a text with marks of classes.
func Work(text string) string {
	if !strings.ContainsFunc(text, isClassMark) {
		return text
	}
	var out strings.Builder
	for _, span := range Spans(text) {
		if span.Class == "" {
			out.WriteString(span.Text)
		}
	}
	return out.String()
}

// Marked returns words with the marks that make them those of a class.
func Marked(class backend.TextClass, words string) string {
	return string(firstClass+rune(slices.Index(backend.TextClasses(), class)+1)) + words + string(firstClass)
}

// Spans returns the spans of a text with marks of classes.
func Spans(text string) []backend.Span {
	var out []backend.Span
	class := backend.TextClass("")
	add := func(s string) {
		n := len(out)
		if n > 0 && strings.HasSuffix(out[n-1].Text, " ") {
			s = strings.TrimLeft(s, " ")
		}
		switch {
		case s == "":
		case n > 0 && out[n-1].Class == class:
			out[n-1].Text += s
		default:
			out = append(out, backend.Span{Text: s, Class: class})
		}
	}
	for text != "" {
		at := strings.IndexFunc(text, isClassMark)
		if at < 0 {
			add(text)
			break
		}
		add(text[:at])
		r, size := utf8.DecodeRuneInString(text[at:])
		class = ""
		if i := int(r - firstClass); i > 0 && i <= len(backend.TextClasses()) {
			class = backend.TextClasses()[i-1]
		}
		text = text[at+size:]
	}
	if n := len(out); n > 0 {
		out[n-1].Text = strings.TrimRight(out[n-1].Text, " ")
	}
	return out
}

// IsVerse reports whether the lines of a paragraph are those of a poem.
func IsVerse(lines []string) bool {
	const longest = 90
	return len(lines) > 1 && !slices.ContainsFunc(lines, func(line string) bool { return utf8.RuneCountInString(line) > longest })
}

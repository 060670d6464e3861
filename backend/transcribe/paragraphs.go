package transcribe

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// When a paragraph ends, in seconds of silence and in characters.
const (
	longPause      = 3.0  // always
	sentencePause  = 1.2  // after a sentence
	longParagraph  = 500  // after a sentence
	giantParagraph = 1500 // at any segment
)

// MarkParagraphs sets Paragraph of each segment: at the first one, at a change of the speaker, after a pause, and where the
// paragraph would become too long.
func MarkParagraphs(segments []backend.Segment) {
	length := 0
	for i := range segments {
		s := &segments[i]
		s.Paragraph = i == 0 || endsParagraph(segments[i-1], *s, length)
		if s.Paragraph {
			length = 0
		}
		length += utf8.RuneCountInString(s.Text)
	}
}

// endsParagraph reports whether a paragraph of length characters ends between two segments.
func endsParagraph(last, next backend.Segment, length int) bool {
	pause := next.Start - last.End
	if last.Speaker != next.Speaker || pause >= longPause || length >= giantParagraph {
		return true
	}
	return endsSentence(last.Text) && (pause >= sentencePause || length >= longParagraph)
}

// Text returns the text of segments, with a blank line between paragraphs.
func Text(segments []backend.Segment) string {
	var out strings.Builder
	for i, paragraph := range paragraphs(segments) {
		if i > 0 {
			out.WriteString("\n\n")
		}
		out.WriteString(joined(paragraph))
	}
	return out.String()
}

// paragraphs returns the segments that have text, by paragraph.
func paragraphs(segments []backend.Segment) [][]backend.Segment {
	var out [][]backend.Segment
	begins := true
	for _, s := range segments {
		begins = begins || s.Paragraph
		if strings.TrimSpace(s.Text) == "" {
			continue
		}
		if begins {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s)
		begins = false
	}
	return out
}

// joined returns the text of segments in one line.
func joined(segments []backend.Segment) string {
	var out strings.Builder
	last := ""
	for _, s := range segments {
		line := oneLine(s.Text)
		if last != "" && (indentOf(s.Text) != "" || spaceBetween(last, line)) {
			out.WriteByte(' ')
		}
		out.WriteString(line)
		last = line
	}
	return out.String()
}

// indentOf returns the space before the first word, if there is one.
func indentOf(s string) string {
	if strings.TrimLeftFunc(s, unicode.IsSpace) == s {
		return ""
	}
	return " "
}

// spaceBetween reports whether texts are joined with a space: all but those in scripts without spaces.
func spaceBetween(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return !unspaced(last) || !unspaced(first)
}

// oneLine returns a text without white space around it, and with single spaces in it.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// unspaced reports whether words in the script of r are written without spaces between them.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("、。，．！？：；「」『』（）ー・…", r)
}

const (
	sentenceEnds = ".?!…。！？．"
	clauseEnds   = ",;:、，；：—–"
	closings     = `"'”’»“)]）」』】〉》`
)

// endsSentence reports whether s ends with the punctuation that ends a sentence.
func endsSentence(s string) bool { return endsWith(s, sentenceEnds) }

// endsWith reports whether the last character of s, without quotation marks and brackets, is one of the characters.
func endsWith(s, characters string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(strings.TrimSpace(s), closings))
	return strings.ContainsRune(characters, last)
}

// Package paragraphs makes paragraphs of the segments of a transcript.
package paragraphs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subtitles"
)

// When a paragraph ends, in seconds of silence and in characters.
const (
	longPause      = 3.0  // always
	sentencePause  = 1.2  // after a sentence
	longParagraph  = 500  // after a sentence
	giantParagraph = 1500 // at any segment
)

// Mark sets Paragraph of each segment: at the first one, at a change of the speaker, after a pause, and where the
// paragraph would become too long.
func Mark(segments []backend.Segment) {
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
	return subtitles.EndsSentence(last.Text) && (pause >= sentencePause || length >= longParagraph)
}

// Text returns the text of segments, with a blank line between paragraphs.
func Text(segments []backend.Segment) string {
	var out strings.Builder
	for i, paragraph := range Split(segments) {
		if i > 0 {
			out.WriteString("\n\n")
		}
		out.WriteString(Join(paragraph))
	}
	return out.String()
}

// Split returns the segments that have text, by paragraph.
func Split(segments []backend.Segment) [][]backend.Segment {
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

// Join returns the text of segments in one line.
func Join(segments []backend.Segment) string {
	var out strings.Builder
	last := ""
	for _, s := range segments {
		line := backend.OneLine(s.Text)
		if last != "" && (Indent(s.Text) != "" || subtitles.SpaceBetween(last, line)) {
			out.WriteByte(' ')
		}
		out.WriteString(line)
		last = line
	}
	return out.String()
}

// Indent returns the space before the first word, if there is one.
func Indent(s string) string {
	if strings.TrimLeftFunc(s, unicode.IsSpace) == s {
		return ""
	}
	return " "
}

package transcribe

import (
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// The rules of subtitles, in seconds.
const (
	minCue   = 1.0
	maxCue   = 7.0
	frameGap = 2.0 / 24 // between two cues of a segment
)

// cue is a subtitle while it is laid out.
type cue struct {
	start, end float64
	tokens     []token
	indent     string // the space before the text of the segment, as the model writes it
	speaker    string
}

// SegmentCues returns one cue for each segment that has text, as whisper.cpp writes them.
func SegmentCues(t backend.Transcript) []text.Cue {
	var out []text.Cue
	for _, s := range t.Segments {
		if line := segmentLine(s); line != "" {
			out = append(out, text.Cue{Start: duration(s.Start), End: duration(max(s.Start, s.End)), Text: line, Speaker: s.Speaker})
		}
	}
	return out
}

// SubtitleCues returns cues that can be read: at most two lines of 42 characters (16 in Chinese, Japanese and Korean), 1 to 7
// seconds long, at most 17 characters a second where the audio leaves the time, without overlap, and broken at the ends of
// sentences and phrases, never in a word. A segment that is one phrase in two lines or less keeps its times, also where it is
// longer than 7 seconds and has no times of words: cut short, it would vanish while it is spoken. named puts the speaker before
// the first cue of each turn.
func SubtitleCues(t backend.Transcript, named bool) []text.Cue {
	var cues []cue
	last := ""
	for _, s := range t.Segments {
		list, timed := tokens(s)
		if len(list) == 0 {
			continue
		}
		if named && s.Speaker != "" && s.Speaker != last {
			list[0].spaced = true
			list = append([]token{{text: oneLine(s.Speaker) + ":", start: list[0].start, end: list[0].start}}, list...)
		}
		last = s.Speaker
		cues = append(cues, segmentCues(s, list, timed)...)
	}
	cues = inTime(cues, t.Duration)
	out := make([]text.Cue, len(cues))
	for i, c := range cues {
		out[i] = text.Cue{Start: duration(c.start), End: duration(c.end), Text: c.text(), Speaker: c.speaker}
	}
	return out
}

func duration(seconds float64) time.Duration {
	return time.Duration(math.Round(max(0, seconds)*1000)) * time.Millisecond
}

// segmentCues cuts a segment into cues.
func segmentCues(s backend.Segment, list []token, timed bool) []cue {
	limits := scriptOf(s.Text)
	parts := limits.split(list, timed)
	out := make([]cue, len(parts))
	for i, part := range parts {
		out[i] = cue{part[0].start, part[len(part)-1].end, part, indentOf(s.Text), s.Speaker}
	}
	first, last := &out[0], &out[len(out)-1]
	first.start, last.end = s.Start, max(s.Start, s.End)
	for i := range out {
		c := &out[i]
		if i+1 < len(out) {
			next := out[i+1]
			c.end = min(c.end, max(next.start-frameGap, (c.start+next.start)/2))
		}
		if timed {
			c.start = max(c.start, parts[i][len(parts[i])-1].end-maxCue)
			c.end = min(c.end, c.start+maxCue)
		}
	}
	return out
}

// segmentLine returns the text of a segment in one line, with the space before it; empty without text.
func segmentLine(s backend.Segment) string {
	if line := oneLine(s.Text); line != "" {
		return indentOf(s.Text) + line
	}
	return ""
}

// split cuts tokens until each part fits.
func (s script) split(list []token, timed bool) [][]token {
	if len(list) == 1 || s.fits(list) && !tooLong(list, timed) {
		return [][]token{list}
	}
	i := s.breakAt(list, func(int) bool { return true })
	return append(s.split(list[:i], timed), s.split(list[i:], timed)...)
}

// fits reports whether tokens fit in two lines.
func (s script) fits(list []token) bool {
	return s.columns(lineOf(list)) <= s.line || s.lineBreak(list) > 0
}

// tooLong reports whether tokens last too long for a cue and can be cut. Without times of words only the ends of phrases are
// places to cut.
func tooLong(list []token, timed bool) bool {
	if list[len(list)-1].end-list[0].start <= maxCue {
		return false
	}
	for _, t := range list[:len(list)-1] {
		if timed || phraseEnd(t.text) > 0 {
			return true
		}
	}
	return false
}

// lineBreak returns where the second line begins, 0 if two lines are not enough.
func (s script) lineBreak(list []token) int {
	return s.breakAt(list, func(i int) bool {
		return s.columns(lineOf(list[:i])) <= s.line && s.columns(lineOf(list[i:])) <= s.line
	})
}

// breakAt returns the best allowed place for a break: near the middle, after a phrase, and not after a short word, which
// belongs to what follows. It returns 0 if no place is allowed.
func (s script) breakAt(list []token, allowed func(i int) bool) int {
	best, highest := 0, math.Inf(-1)
	total := float64(max(1, s.columns(lineOf(list))))
	for i := 1; i < len(list); i++ {
		if !allowed(i) {
			continue
		}
		at := float64(s.columns(lineOf(list[:i]))) / total
		if score := breakScore(list[i-1], list[i]) - math.Abs(at-0.5); score > highest {
			best, highest = i, score
		}
	}
	return best
}

// breakScore returns how good a break between two tokens is.
func breakScore(before, after token) float64 {
	score := phraseEnd(before.text)
	if after.start-before.end > 0.3 {
		score += 0.2
	}
	last, _ := utf8.DecodeLastRuneInString(before.text)
	first, _ := utf8.DecodeRuneInString(after.text)
	switch {
	case after.spaced && score == 0 && utf8.RuneCountInString(before.text) <= 3:
		score -= 0.08
	case after.spaced:
	case unicode.Is(unicode.Hiragana, last) && !unicode.Is(unicode.Hiragana, first): // after a particle
	default:
		score -= 0.1
	}
	return score
}

// phraseEnd returns more than 0 if a token ends a phrase, and more for a sentence.
func phraseEnd(s string) float64 {
	switch {
	case endsSentence(s):
		return 0.35
	case endsWith(s, clauseEnds):
		return 0.25
	default:
		return 0
	}
}

// lineOf returns tokens as a line.
func lineOf(list []token) string {
	var out strings.Builder
	for i, t := range list {
		if i > 0 && t.spaced {
			out.WriteByte(' ')
		}
		out.WriteString(t.text)
	}
	return out.String()
}

// text returns the lines of a cue.
func (c cue) text() string {
	limits := c.script()
	all := lineOf(c.tokens)
	if limits.columns(all) > limits.line {
		if i := limits.lineBreak(c.tokens); i > 0 {
			return c.indent + lineOf(c.tokens[:i]) + "\n" + c.indent + lineOf(c.tokens[i:])
		}
	}
	return c.indent + all
}

func (c cue) script() script { return scriptOf(lineOf(c.tokens)) }

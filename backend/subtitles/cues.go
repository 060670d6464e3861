package subtitles

import (
	"math"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// The rules of subtitles, in seconds.
const (
	minCue   = 1.0
	maxCue   = 7.0
	minPause = 1.0      // no cue goes over a longer one, or one as long
	frameGap = 2.0 / 24 // between two cues of a segment
)

// tolerance is half a millisecond, the precision of the formats.
const tolerance = 0.0005

// cue is a subtitle while it is laid out.
type cue struct {
	start, end float64
	from, to   float64 // when it is spoken
	tokens     []token
	begins     bool // a segment
	speaker    string
}

// Cues returns subtitles of segments that can be read: at most two lines of 42 characters (16 in Chinese, Japanese and Korean), 1
// to 7 seconds long, at most 17 characters a second where the audio leaves the time, without overlap, none over a pause of a
// second or more, and broken at the ends of sentences and phrases, in a word only where it fits in no line: then the line ends
// with a soft hyphen. length is that of the audio in seconds, 0 if it is unknown. A segment without times of words that is one
// phrase in two lines or less keeps its times, also where it is longer than 7 seconds: cut short, it would vanish while it is
// spoken. named puts the speaker before the first cue of each turn.
func Cues(segments []backend.Segment, length float64, named bool) []Cue {
	var cues []cue
	last := ""
	for _, s := range segments {
		list, timed := tokens(s)
		if len(list) == 0 {
			continue
		}
		if named && s.Speaker != "" && s.Speaker != last {
			list[0].spaced = true
			list = append(nameTokens(s.Speaker, list[0].start), list...)
		}
		last = s.Speaker
		cues = append(cues, segmentCues(s, list, timed)...)
	}
	cues = inTime(cues, length)
	out := make([]Cue, len(cues))
	for i, c := range cues {
		out[i] = Cue{Start: At(c.start), End: At(c.end), Text: layoutOf(c.tokens).lines(), Speaker: c.speaker}
	}
	return out
}

// nameTokens returns the name of a speaker before the text that is spoken at a time.
func nameTokens(name string, at float64) []token {
	list, _ := tokens(backend.Segment{Text: strings.Join(strings.Fields(name), " ") + ":", Start: at, End: at})
	return list
}

// At returns a time in seconds as cues have it, in whole milliseconds and not before 0.
func At(seconds float64) time.Duration {
	return time.Duration(math.Round(max(0, seconds)*1000)) * time.Millisecond
}

// isPause reports whether the silence between two times is one that no cue goes over.
func isPause(from, to float64) bool { return to-from >= minPause-tolerance }

// segmentCues cuts a segment into cues.
func segmentCues(s backend.Segment, list []token, timed bool) []cue {
	var out []cue
	from := 0
	for _, to := range layoutOf(list).split(0, len(list), timed) {
		first, last := list[from], list[to-1]
		out = append(out, cue{first.start, last.end, first.start, last.end, list[from:to], from == 0, s.Speaker})
		from = to
	}
	first, last := &out[0], &out[len(out)-1]
	if !isPause(s.Start, first.from) {
		first.start = s.Start
	}
	last.end = max(s.Start, s.End)
	for i := range out {
		c := &out[i]
		if i+1 < len(out) {
			next := out[i+1]
			c.end = min(c.end, max(next.start-frameGap, (c.start+next.start)/2))
		}
		if timed {
			c.start = max(c.start, c.to-maxCue)
			c.end = min(c.end, c.start+maxCue)
		}
	}
	return out
}

package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

const (
	longSilence = 3 * time.Second // between two cues, begins a paragraph

	// rollGap is the longest time between cues of which the second one repeats lines of the first, because they roll up.
	rollGap = 100 * time.Millisecond

	rollShare = 5 // captions roll where one cue of so many repeats lines and adds some
)

// subtitles returns the cues of a SubRip or WebVTT file joined to sentences, each on a line, with "NAME: " where the speaker of
// WebVTT changes. Lines in brackets describe noises and are left out, and so are lines that a cue repeats of the one before it.
func subtitles(s *source) (string, error) {
	text, err := s.text()
	if err != nil {
		return "", err
	}
	vtt := vttStart.MatchString(text)
	cues := readCues(text, vtt)
	if len(cues) == 0 {
		return "", errUnsupported("no_subtitles", "There are no subtitles in this file.")
	}
	read := plainLines
	if vtt {
		read = vttLines
	}
	for i := range cues {
		cues[i].lines = slices.DeleteFunc(read(cues[i].text), func(l cueLine) bool {
			if l.noise {
				s.leftOut[parts.Noises]++
			}
			return l.words == ""
		})
	}
	s.leftOut[parts.Repeated] = withoutRepeated(cues)
	s.noteLeftOut()
	return joinCues(cues), nil
}

// joinCues returns the lines of cues as sentences.
func joinCues(cues []cue) string {
	var out strings.Builder
	open := false // the sentence is not complete
	cut := false  // the word is not complete
	var last time.Duration
	speaker := ""
	for _, c := range cues {
		for _, line := range c.lines {
			if line.speaker != "" && line.speaker != speaker {
				speaker = line.speaker
				line.words, line.turn = speaker+": "+line.words, true
			}
			switch {
			case out.Len() == 0, cut:
			case c.start-last >= longSilence:
				out.WriteString("\n\n")
			case open && !line.turn:
				out.WriteByte(' ')
			default:
				out.WriteByte('\n')
			}
			out.WriteString(line.words)
			open, last, cut = !prose.EndsSentence(line.words), c.end, false
		}
		cut = strings.HasSuffix(c.text, prose.WordGoesOn)
	}
	return out.String()
}

// withoutRepeated takes the lines out of cues that the cue before them shows too, and returns their number. Captions that roll
// up, as those of YouTube, show each line two or three times. A cue that only repeats another one is somebody who says a thing
// twice, unless captions roll in this file, or it differs in its formatting, takes no time or is shown at the same time.
func withoutRepeated(cues []cue) (repeated int) {
	shown := make([][]cueLine, len(cues))
	rolling := 0
	for i, c := range cues {
		shown[i] = c.lines
		if i > 0 && adjacent(cues[i-1], c) {
			if n := commonLines(shown[i-1], c.lines); n > 0 && n < len(c.lines) {
				rolling++
			}
		}
	}
	roll := rolling*rollShare >= len(cues)
	for i := 1; i < len(cues); i++ {
		n := commonLines(shown[i-1], shown[i])
		if n == 0 || !roll && !adjacent(cues[i-1], cues[i]) {
			continue
		}
		if n == len(shown[i]) && !roll && !sameMoment(cues[i-1], cues[i]) {
			continue
		}
		cues[i].lines = shown[i][n:]
		repeated += n
	}
	return repeated
}

// adjacent reports whether a cue begins when the one before it ends.
func adjacent(before, c cue) bool { return c.start-before.end <= rollGap && c.start >= before.start }

// sameMoment reports whether a cue with the words of the one before it is the same words, shown on.
func sameMoment(before, c cue) bool {
	return c.text != before.text || c.end-c.start <= rollGap || c.start < before.end
}

// commonLines returns how many of the last lines of a cue are the first ones of the next.
func commonLines(before, next []cueLine) int {
	for n := min(len(before), len(next)); n > 0; n-- {
		if slices.Equal(before[len(before)-n:], next[:n]) {
			return n
		}
	}
	return 0
}

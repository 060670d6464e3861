package extract

import (
	"html"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/pattern"
)

// cue is one subtitle.
type cue struct {
	start, end time.Duration
	text       string
	lines      []cueLine
}

// cueLine is a line of a cue, or the part of one that a speaker says.
type cueLine struct {
	words   string
	speaker string // named by a tag
	turn    bool   // another person begins to speak
	noise   bool   // it described a noise and has no words
}

// cueTime matches a time: hours, which may be missing, minutes, seconds and a fraction, which may be missing.
const cueTime = `-?(?:(\d{1,3})\s*:\s*)?(\d{1,3})\s*:\s*(\d{1,2})(?:\s*[,.:;]\s*(\d{1,9}))?`

var (
	cueTimes   = pattern.New(`^\s*` + cueTime + `\s*(?:[-–—=](?:\s?[-–—=]){0,3}\s?[>＞]|→)\s*(?:` + cueTime + `)?(?:\s+(.*))?$`)
	cueSetting = pattern.New(`^[A-Za-z]\w*:\S+$`)
	cueNumber  = pattern.New(`^\s*\d{1,6}\s*$`)
	cueTags    = pattern.New(`</?[a-zA-Z][^<>\n]{0,100}>|<[\d:.]{5,12}>|\{\\[^{}\n]{0,100}\}|` +
		`\{[cfhopsyCFHPSY]:[^{}\n]{0,100}\}|\{/?[bius]\}`)
	cueGaps   = pattern.New(`(?i)<br ?/?>|[♪♫]|\\[Nnh]`)
	cueEntity = pattern.New(`&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});`)

	// WebVTT only.
	vttStart = pattern.New(`^WEBVTT(?:\s|$)`)
	vttBlock = pattern.New(`^(?:NOTE|STYLE|REGION)(?:\s|$)`)
	voiceTag = pattern.New(`<v(?:\.[^\s<>]{1,100})?[ \t]([^<>\n]{1,800})>`)
)

// readCues returns the text after each line of times, up to the next one. Blank lines do not end a cue: programs write them
// into SubRip. A number before times, and in WebVTT any line after a blank one, is the name of the cue.
func readCues(text string, vtt bool) []cue {
	var cues []cue
	var words []string
	numbered := false // the first cue has a number
	end := func() {
		if len(cues) > 0 {
			cues[len(cues)-1].text = strings.TrimSpace(strings.Join(words, "\n"))
		}
		words = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		m := cueTimes.FindStringSubmatch(line)
		if m == nil {
			words = append(words, line)
			continue
		}
		var named bool
		words, named = withoutName(words, vtt, numbered || len(cues) == 0)
		numbered = numbered || named && len(cues) == 0
		end()
		cues = append(cues, cueOf(m))
		if said := m[len(m)-1]; !settings(said) {
			words = append(words, said)
		}
	}
	end()
	if vtt {
		for i := range cues {
			cues[i].text = withoutBlocks(cues[i].text)
		}
	}
	return cues
}

// withoutName returns the lines before times without the number or name of their cue, and whether there was one. Where the cues
// of a file have no numbers, only a number below a blank line is one.
func withoutName(lines []string, vtt, numbered bool) (text []string, named bool) {
	last := len(lines)
	for last > 0 && strings.TrimSpace(lines[last-1]) == "" {
		last--
	}
	if last == 0 {
		return nil, false
	}
	alone := last == 1 || strings.TrimSpace(lines[last-2]) == ""
	if cueNumber.MatchString(lines[last-1]) && (numbered || alone) || vtt && last > 1 && lines[last-2] == "" && last == len(lines) {
		return lines[:last-1], true
	}
	return lines, false
}

// withoutBlocks returns the text of a WebVTT cue without the comments and style sheets after it, each up to a blank line.
func withoutBlocks(text string) string {
	var kept []string
	for i, part := range strings.Split(text, "\n\n") {
		if i == 0 || !vttBlock.MatchString(strings.TrimLeft(part, "\n")) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "\n\n")
}

// settings reports whether what follows times is the position of the cue.
func settings(s string) bool {
	for field := range strings.FieldsSeq(s) {
		if !cueSetting.MatchString(field) {
			return false
		}
	}
	return true
}

// cueOf returns a cue with the times of a match of cueTimes.
func cueOf(m []string) cue {
	c := cue{start: duration(m[1:5]), end: duration(m[5:9])}
	c.end = max(c.start, c.end)
	return c
}

// duration returns the time of hours, minutes, seconds and a fraction. A missing part is 0.
func duration(parts []string) time.Duration {
	var n [4]int
	for i, p := range parts {
		if i == 3 {
			p = (p + "000")[:3]
		}
		n[i], _ = strconv.Atoi(p) // at most three digits, or none
	}
	return time.Duration(n[0])*time.Hour + time.Duration(n[1])*time.Minute +
		time.Duration(n[2])*time.Second + time.Duration(n[3])*time.Millisecond
}

// plainLines returns the lines of a SubRip cue.
func plainLines(cue string) []cueLine {
	var lines []cueLine
	for line := range strings.SplitSeq(cue, "\n") {
		lines = append(lines, spokenLine(unescape(withoutTags(line))))
	}
	return lines
}

// vttLines returns the lines of a WebVTT cue (W3C), with one for each voice tag.
func vttLines(cue string) []cueLine {
	var lines []cueLine
	for line := range strings.SplitSeq(cue, "\n") {
		speaker, start := "", 0
		for _, m := range voiceTag.FindAllStringSubmatchIndex(line, -1) {
			lines = append(lines, vttLine(line[start:m[0]], speaker))
			speaker, start = line[m[2]:m[3]], m[1]
		}
		lines = append(lines, vttLine(line[start:], speaker))
	}
	return lines
}

func vttLine(line, speaker string) cueLine {
	spoken := spokenLine(unescape(withoutTags(line)))
	spoken.speaker = backend.OneLine(unescape(speaker))
	return spoken
}

// withoutTags returns a line without its formatting. A tag within a word or before punctuation leaves no blank.
func withoutTags(line string) string {
	return cueTags.ReplaceAllString(cueGaps.ReplaceAllString(line, " "), "")
}

// unescape returns a text with the characters that its HTML references stand for.
func unescape(s string) string {
	return prose.Clean(cueEntity.ReplaceAllStringFunc(s, html.UnescapeString))
}

// spokenLine returns the words of a line without formatting.
func spokenLine(line string) cueLine {
	spoken := cueLine{words: strings.TrimSuffix(backend.OneLine(line), prose.WordGoesOn)}
	for _, dash := range []string{"- ", "– ", "— "} {
		if after, ok := strings.CutPrefix(spoken.words, dash); ok {
			spoken.words, spoken.turn = after, true
			break
		}
	}
	if inBrackets(spoken.words, "[", "]") || inBrackets(spoken.words, "(", ")") {
		spoken.words, spoken.noise = "", true
	}
	return spoken
}

// inBrackets reports whether s is in brackets.
func inBrackets(s, opening, closing string) bool {
	inner, ok := strings.CutPrefix(s, opening)
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, closing)
	return ok && !strings.ContainsAny(inner, opening+closing)
}

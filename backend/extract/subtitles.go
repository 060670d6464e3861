package extract

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// cue is one subtitle.
type cue struct {
	start, end time.Duration
	text       string
}

var (
	cueTimes = regexp.MustCompile(`^\s*(?:(\d{1,3}):)?(\d{2}):(\d{2})[,.](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{2}):(\d{2})[,.](\d{1,3})`)
	cueTags  = regexp.MustCompile(`</?[a-zA-Z][^<>\n]{0,100}>|<[\d:.]{5,12}>|\{\\[^{}\n]{0,100}\}`)
	cueGaps  = regexp.MustCompile(`(?i)<br ?/?>|[♪♫]`)

	// WebVTT only.
	vttStart    = regexp.MustCompile(`^WEBVTT(?:\s|$)`)
	voiceTag    = regexp.MustCompile(`<v(?:\.[^\s<>]{1,100})?[ \t]([^<>\n]{1,800})>`)
	vttEntities = regexp.MustCompile(`&(?:amp|lt|gt|quot|apos|nbsp|lrm|rlm|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});`)
)

// longSilence between two cues begins a paragraph.
const longSilence = 3 * time.Second

// subtitles returns the cues of a SubRip or WebVTT file joined to sentences, each on a line, with "NAME: " where the speaker of
// WebVTT changes. Lines in brackets describe noises and are left out.
func subtitles(s *source) (string, error) {
	text, err := s.text()
	if err != nil {
		return "", err
	}
	cues := readCues(text)
	if len(cues) == 0 {
		return "", unsupported("no_subtitles", "There are no subtitles in this file.")
	}
	read := plainLines
	if vttStart.MatchString(text) {
		read = vttLines
	}
	var out strings.Builder
	open := false // the sentence is not complete
	var last time.Duration
	speaker := ""
	for _, c := range cues {
		for _, line := range read(c.text) {
			if line.words == "" {
				continue
			}
			if line.speaker != "" && line.speaker != speaker {
				speaker = line.speaker
				line.words, line.turn = speaker+": "+line.words, true
			}
			switch {
			case out.Len() == 0:
			case c.start-last >= longSilence:
				out.WriteString("\n\n")
			case open && !line.turn:
				out.WriteByte(' ')
			default:
				out.WriteByte('\n')
			}
			out.WriteString(line.words)
			open, last = !endsSentence(line.words), c.end
		}
	}
	return out.String(), nil
}

// readCues returns the text after each line of times.
func readCues(text string) []cue {
	lines := strings.Split(text, "\n")
	var cues []cue
	for i := 0; i < len(lines); i++ {
		m := cueTimes.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		c := cue{start: cueTime(m[1:5]), end: cueTime(m[5:9])}
		var words []string
		for i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && !cueTimes.MatchString(lines[i+1]) {
			i++
			words = append(words, lines[i])
		}
		c.text = strings.Join(words, "\n")
		cues = append(cues, c)
	}
	return cues
}

// cueTime returns a time in hours, which WebVTT may leave out, minutes, seconds and a fraction of up to three digits.
func cueTime(parts []string) time.Duration {
	var n [4]int
	for i, p := range parts {
		n[i], _ = strconv.Atoi(p) // at most three digits
	}
	for range 3 - len(parts[3]) {
		n[3] *= 10
	}
	return time.Duration(n[0])*time.Hour + time.Duration(n[1])*time.Minute +
		time.Duration(n[2])*time.Second + time.Duration(n[3])*time.Millisecond
}

// cueLine is a line of a cue, or the part of one that a speaker says.
type cueLine struct {
	words   string
	speaker string // named by a tag
	turn    bool   // another person begins to speak
}

// plainLines returns the lines of a SubRip cue.
func plainLines(cue string) []cueLine {
	var lines []cueLine
	for line := range strings.SplitSeq(cue, "\n") {
		lines = append(lines, spokenLine(withoutTags(line)))
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
	spoken.speaker = oneLine(unescape(speaker))
	return spoken
}

// withoutTags returns a line without its formatting. A tag within a word or before punctuation leaves no blank.
func withoutTags(line string) string {
	return cueTags.ReplaceAllString(cueGaps.ReplaceAllString(line, " "), "")
}

// unescape returns WebVTT text with the characters that its references stand for.
func unescape(s string) string {
	return clean(vttEntities.ReplaceAllStringFunc(s, html.UnescapeString))
}

// spokenLine returns the words of a line without formatting.
func spokenLine(line string) cueLine {
	spoken := cueLine{words: oneLine(line)}
	for _, dash := range []string{"- ", "– ", "— "} {
		if after, ok := strings.CutPrefix(spoken.words, dash); ok {
			spoken.words, spoken.turn = after, true
			break
		}
	}
	if inBrackets(spoken.words, "[", "]") || inBrackets(spoken.words, "(", ")") {
		spoken.words = ""
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

// endsSentence reports whether s ends with the punctuation that ends a sentence.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, `"'”’»“)]`)
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".?!…。！？", last)
}

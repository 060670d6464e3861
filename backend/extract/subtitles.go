package extract

import (
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
	cueMarks = regexp.MustCompile(`<[^<>\n]{0,100}>|\{\\[^{}\n]{0,100}\}|[♪♫]`)
)

// longSilence between two cues begins a paragraph.
const longSilence = 3 * time.Second

// subtitles returns the cues of a SubRip or WebVTT file joined to sentences, each on a line. Lines in brackets describe noises and are
// left out.
func subtitles(raw []byte) (string, error) {
	text, err := decode(raw)
	if err != nil {
		return "", err
	}
	cues := readCues(text)
	if len(cues) == 0 {
		return "", unsupported("no_subtitles", "There are no subtitles in this file.")
	}
	var out strings.Builder
	open := false // the sentence is not complete
	var last time.Duration
	for _, c := range cues {
		for line := range strings.SplitSeq(c.text, "\n") {
			line, turn := spokenLine(line)
			if line == "" {
				continue
			}
			switch {
			case out.Len() == 0:
			case c.start-last >= longSilence:
				out.WriteString("\n\n")
			case open && !turn:
				out.WriteByte(' ')
			default:
				out.WriteByte('\n')
			}
			out.WriteString(line)
			open, last = !endsSentence(line), c.end
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

// spokenLine returns the words of a line. turn is set if another person begins to speak.
func spokenLine(line string) (words string, turn bool) {
	words = oneLine(cueMarks.ReplaceAllString(line, " "))
	for _, dash := range []string{"- ", "– ", "— "} {
		if after, ok := strings.CutPrefix(words, dash); ok {
			words, turn = after, true
			break
		}
	}
	if inBrackets(words, "[", "]") || inBrackets(words, "(", ")") {
		return "", turn
	}
	return words, turn
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

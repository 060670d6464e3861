package extract

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// cue is one line of subtitles.
type cue struct {
	start, end time.Duration
	text       string
}

var (
	cueTimes = regexp.MustCompile(`^\s*(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})\s*-->\s*(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})`)
	cueMarks = regexp.MustCompile(`<[^<>\n]{0,100}>|\{\\[^{}\n]{0,100}\}|[♪♫]`)
)

// longSilence between two cues begins a paragraph.
const longSilence = 3 * time.Second

// subtitles joins the cues of a SubRip file to sentences, a line for each. What stands in brackets alone tells of sounds
// and is left out.
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
	open := false // a sentence goes on
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

// readCues finds a cue behind every line of times.
func readCues(text string) []cue {
	lines := strings.Split(text, "\n")
	var cues []cue
	for i := 0; i < len(lines); i++ {
		m := cueTimes.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		c := cue{start: clock(m[1:5]), end: clock(m[5:9])}
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

// clock reads hours, minutes, seconds and a fraction, which are digits.
func clock(parts []string) time.Duration {
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

// spokenLine gives the words of a line; turn tells that somebody else begins to speak.
func spokenLine(line string) (words string, turn bool) {
	words = oneLine(cueMarks.ReplaceAllString(line, " "))
	for _, dash := range []string{"- ", "– ", "— "} {
		if rest, ok := strings.CutPrefix(words, dash); ok {
			words, turn = rest, true
			break
		}
	}
	if soundOnly(words, "[", "]") || soundOnly(words, "(", ")") {
		return "", turn
	}
	return words, turn
}

func soundOnly(s, opening, closing string) bool {
	inner, ok := strings.CutPrefix(s, opening)
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, closing)
	return ok && !strings.ContainsAny(inner, opening+closing)
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, `"'”’»“)]`)
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".?!…。！？", last)
}

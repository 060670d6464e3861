// Package subtitles lays out what is spoken as subtitles, and writes them as SubRip and WebVTT.
package subtitles

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// Cue is one subtitle with its times from the start of the audio.
type Cue struct {
	Start, End time.Duration
	Text       string // its lines
	Speaker    string // may be empty
}

// WriteSRT writes cues in the SubRip format, which has no field for the speaker.
func WriteSRT(w io.Writer, cues []Cue) error {
	out := bufio.NewWriter(w)
	for i, c := range cues {
		if _, err := fmt.Fprintf(out, "%d\n%s --> %s\n%s\n\n", i+1, stamp(c.Start, ','), stamp(c.End, ','), cueText(c.Text)); err != nil {
			return fmt.Errorf("write subtitles: %w", err)
		}
	}
	return out.Flush()
}

// WriteVTT writes cues in the WebVTT format (W3C), where < > and & are escaped; a speaker is a voice tag.
func WriteVTT(w io.Writer, cues []Cue) error {
	out := bufio.NewWriter(w)
	if _, err := out.WriteString("WEBVTT\n\n"); err != nil {
		return fmt.Errorf("write subtitles: %w", err)
	}
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	for _, c := range cues {
		said := escape.Replace(cueText(c.Text))
		if speaker := strings.Join(strings.Fields(c.Speaker), " "); speaker != "" {
			said = "<v " + escape.Replace(speaker) + ">" + said
		}
		_, err := fmt.Fprintf(out, "%s --> %s\n%s\n\n", stamp(c.Start, '.'), stamp(c.End, '.'), said)
		if err != nil {
			return fmt.Errorf("write subtitles: %w", err)
		}
	}
	return out.Flush()
}

// stamp returns a time such as 00:01:02,345.
func stamp(d time.Duration, point byte) string {
	ms := d.Round(time.Millisecond).Milliseconds()
	return fmt.Sprintf("%02d:%02d:%02d%c%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, point, ms%1000)
}

// cueText returns the lines of a cue: a blank line would end the cue, an arrow would look like times.
func cueText(s string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r", "\n"), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return arrow.ReplaceAllString(strings.Join(lines, "\n"), "->")
}

var arrow = regexp.MustCompile(`-{2,}>`)

package transcribe

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/backend/subtitles"
	"github.com/voicewright/voicewright/backend/transcribe/internal/docx"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
)

// Layout is how the subtitles of a transcript are laid out.
type Layout string

// The layouts.
const (
	LayoutSubtitles Layout = "subtitles" // by the rules of subtitles.Cues
	LayoutSegments  Layout = "segments"  // a cue for each segment, as whisper.cpp writes them
)

// Layouts returns all layouts, the default first.
func Layouts() []string { return []string{string(LayoutSubtitles), string(LayoutSegments)} }

// Style is how a transcript is written.
type Style struct {
	Layout  Layout // of srt and vtt
	Untimed bool   // md and docx without times
}

// Write writes a transcript in one of backend.TranscriptFormats.
func Write(w io.Writer, t backend.Transcript, format string, style Style) error {
	switch format {
	case backend.FormatSRT:
		return subtitles.WriteSRT(w, cues(t, style.Layout, true))
	case backend.FormatVTT:
		return subtitles.WriteVTT(w, cues(t, style.Layout, false))
	case backend.FormatText:
		return writeText(w, t)
	case backend.FormatMarkdown:
		return writeMarkdown(w, t, !style.Untimed)
	case backend.FormatDOCX:
		return writeDOCX(w, t, !style.Untimed)
	case backend.FormatRTTM:
		return writeRTTM(w, t)
	case backend.FormatJSON:
		return writeJSON(w, t)
	default:
		return fmt.Errorf("write a transcript as %q: unknown format", format)
	}
}

func cues(t backend.Transcript, layout Layout, named bool) []subtitles.Cue {
	if layout == LayoutSegments {
		return segmentCues(t)
	}
	return subtitles.Cues(t.Segments, t.Duration, named)
}

// segmentCues returns one cue for each segment that has text, as whisper.cpp writes them.
func segmentCues(t backend.Transcript) []subtitles.Cue {
	var out []subtitles.Cue
	for _, s := range t.Segments {
		if line := backend.OneLine(s.Text); line != "" {
			out = append(out, subtitles.Cue{Start: subtitles.At(s.Start), End: subtitles.At(max(s.Start, s.End)), Text: line, Speaker: s.Speaker})
		}
	}
	return out
}

// writeText writes a line for each segment as whisper.cpp does, and the speaker's name on a line of its own at each turn.
func writeText(w io.Writer, t backend.Transcript) error {
	out := bufio.NewWriter(w)
	last := ""
	for _, s := range t.Segments {
		line := backend.OneLine(s.Text)
		if line == "" {
			continue
		}
		if speaker := backend.OneLine(s.Speaker); speaker != last {
			if speaker != "" {
				line = speaker + ":\n" + line
			}
			last = speaker
		}
		if _, err := out.WriteString(line + "\n"); err != nil {
			return fmt.Errorf("write the transcript: %w", err)
		}
	}
	return out.Flush()
}

// titleOf returns the title of a transcript as its documents show it.
func titleOf(t backend.Transcript) string { return cmp.Or(backend.OneLine(t.Title), "Transcript") }

// writeMarkdown writes the title, and each paragraph with the speaker, and its time if wanted.
func writeMarkdown(w io.Writer, t backend.Transcript, times bool) error {
	out := bufio.NewWriter(w)
	_, err := fmt.Fprintf(out, "# %s\n", escapeMarkdown(titleOf(t)))
	for _, paragraph := range paragraphs.Split(turns(t.Segments)) {
		if err != nil {
			break
		}
		head := escapeMarkdown(backend.OneLine(paragraph[0].Speaker))
		if times {
			head = strings.TrimSpace(clock(paragraph[0].Start) + " " + head)
		}
		if head != "" {
			head = "\n**" + head + "**\n"
		}
		_, err = fmt.Fprintf(out, "%s\n%s\n", head, escapeMarkdown(paragraphs.Join(paragraph)))
	}
	if err != nil {
		return fmt.Errorf("write the transcript: %w", err)
	}
	return out.Flush()
}

// writeDOCX writes a Word document: the title, a heading for each turn of a speaker, and paragraphs, with their times if wanted.
func writeDOCX(w io.Writer, t backend.Transcript, times bool) error {
	var out []docx.Paragraph
	last := ""
	for _, paragraph := range paragraphs.Split(turns(t.Segments)) {
		time := ""
		if times {
			time = clock(paragraph[0].Start)
		}
		speaker := backend.OneLine(paragraph[0].Speaker)
		if speaker != last && speaker != "" {
			out = append(out, docx.Paragraph{Heading: true, Text: strings.TrimSpace(speaker + " " + time)})
			time = ""
		}
		last = speaker
		out = append(out, docx.Paragraph{Time: time, Text: paragraphs.Join(paragraph)})
	}
	language := t.Language
	if t.Request.Translate {
		language = "en"
	}
	return docx.Write(w, docx.Document{Title: titleOf(t), Language: language, Created: t.CreatedAt, Paragraphs: out})
}

// turns returns segments with a paragraph at each change of the speaker.
func turns(segments []backend.Segment) []backend.Segment {
	out := slices.Clone(segments)
	for i := 1; i < len(out); i++ {
		out[i].Paragraph = out[i].Paragraph || out[i].Speaker != out[i-1].Speaker
	}
	return out
}

// clock returns a time such as 1:02:03, or 2:03.
func clock(seconds float64) string {
	n := int(max(0, seconds))
	if n >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
	}
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

// escapeMarkdown returns a line that Markdown shows as it is.
func escapeMarkdown(line string) string {
	line = markdownSigns.Replace(line)
	switch {
	case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "-"), strings.HasPrefix(line, "+"), strings.HasPrefix(line, "="):
		return `\` + line
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if after := line[digits:]; digits > 0 && (strings.HasPrefix(after, ". ") || strings.HasPrefix(after, ") ")) {
		return line[:digits] + `\` + after // not an item of a list
	}
	return line
}

var markdownSigns = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`,
	"|", `\|`, "~", `\~`, "&", `\&`)

// writeRTTM writes who speaks when as the tools of speaker diarization read it (NIST, Rich Transcription Time Marked): a line for each
// turn, with the speakers that a person set in their place.
func writeRTTM(w io.Writer, t backend.Transcript) error {
	out := bufio.NewWriter(w)
	name := oneWord(filename.Safe(t.Title, "transcript"))
	for _, turn := range speakers.Heard(t.Segments, t.Turns) {
		_, err := fmt.Fprintf(out, "SPEAKER %s 1 %.3f %.3f <NA> <NA> %s <NA> <NA>\n",
			name, turn.Start, turn.End-turn.Start, oneWord(turn.Speaker))
		if err != nil {
			return fmt.Errorf("write the transcript: %w", err)
		}
	}
	return out.Flush()
}

// oneWord returns a name without spaces, which divide the fields of RTTM.
func oneWord(name string) string { return strings.Join(strings.Fields(name), "_") }

// writeJSON writes the transcript as the API shows it.
func writeJSON(w io.Writer, t backend.Transcript) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if t.Segments == nil {
		t.Segments = []backend.Segment{}
	}
	t.Speakers = speakers.Shares(t.Segments)
	if err := out.Encode(t); err != nil {
		return fmt.Errorf("write the transcript: %w", err)
	}
	return nil
}

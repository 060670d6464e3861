package transcribe_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// golden is a transcript of whisper-cli.
type golden struct {
	Name     string `json:"name"`
	Language string `json:"language"`
	Segments []struct {
		From int    `json:"t0_ms"`
		To   int    `json:"t1_ms"`
		Text string `json:"text"`
	} `json:"segments"`
}

func (g golden) transcript() backend.Transcript {
	t := backend.Transcript{Title: g.Name, Language: g.Language}
	for i, s := range g.Segments {
		t.Segments = append(t.Segments, backend.Segment{ID: i, Start: float64(s.From) / 1000, End: float64(s.To) / 1000, Text: s.Text})
	}
	return t
}

func goldens(t *testing.T) []golden {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "whisper", "cases.json"))
	require.NoError(t, err)
	var all []golden
	require.NoError(t, json.Unmarshal(raw, &all))
	require.Len(t, all, 15)
	return all
}

func written(t *testing.T, transcript backend.Transcript, format string, layout transcribe.Layout) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, transcribe.Write(&out, transcript, format, transcribe.Style{Layout: layout}))
	return out.String()
}

// withoutIndents returns what whisper-cli writes without the space that the model puts before a text.
func withoutIndents(s string) string { return strings.ReplaceAll(s, "\n ", "\n") }

// A cue for each segment is what whisper-cli writes, but for the space before each text.
func TestSegmentsEqualWhisperCLI(t *testing.T) {
	for _, g := range goldens(t) {
		for _, format := range []string{"srt", "vtt", "txt"} {
			want, err := os.ReadFile(filepath.Join("testdata", "whisper", g.Name+"."+format))
			require.NoError(t, err)
			require.Equal(t, strings.TrimPrefix(withoutIndents(string(want)), " "), written(t, g.transcript(), format, transcribe.LayoutSegments), "%s.%s", g.Name, format)
		}
	}
}

// Subtitles differ from whisper-cli's only where a rule breaks a line or a cue.
func TestSubtitlesEqualWhisperCLI(t *testing.T) {
	broken := map[string]bool{"plain": true, "plain-q5_1": true, "long": true} // their segments have more than 42 characters
	for _, g := range goldens(t) {
		model, _, _ := strings.Cut(strings.Replace(g.Name, ".en", "-en", 1), ".")
		for _, format := range []string{"srt", "vtt"} {
			raw, err := os.ReadFile(filepath.Join("testdata", "whisper", g.Name+"."+format))
			require.NoError(t, err)
			want := withoutIndents(string(raw))
			got := written(t, g.transcript(), format, transcribe.LayoutSubtitles)
			if !broken[model] || g.Name == "long.jfk.greedy" {
				require.Equal(t, want, got, "%s.%s", g.Name, format)
				continue
			}
			require.NotEqual(t, want, got, "%s.%s", g.Name, format)
		}
	}
}

// A segment too long for a cue is broken at phrases.
func TestSubtitlesBreakAtPhrases(t *testing.T) {
	g := goldens(t)[0]
	require.Equal(t, "plain.jfk.greedy", g.Name)
	require.Equal(t, "1\n00:00:00,000 --> 00:00:06,754\nAnd so my fellow Americans,\nask not what your country can do for you,\n\n"+
		"2\n00:00:06,837 --> 00:00:10,500\nask what you can do for your country.\n\n", written(t, g.transcript(), "srt", transcribe.LayoutSubtitles))
}

func meeting() backend.Transcript {
	return backend.Transcript{
		ID: "1", Title: "Minutes *of* May", Duration: 3700, Language: "en",
		Segments: []backend.Segment{
			{ID: 0, Start: 0, End: 2, Text: " Good morning.", Speaker: "Anna & Bob", Paragraph: true},
			{ID: 1, Start: 2, End: 4, Text: " Is a < b --> true?", Speaker: "Anna & Bob"},
			{ID: 2, Start: 3600, End: 3602, Text: " 1. Yes\n\nand no.", Speaker: "<Cem>", Paragraph: true},
		},
	}
}

func TestFormatsOfSpeakers(t *testing.T) {
	require.Equal(t, "Anna & Bob:\nGood morning.\nIs a < b --> true?\n<Cem>:\n1. Yes and no.\n",
		written(t, meeting(), "txt", ""))
	require.Equal(t, "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n<v Anna &amp; Bob>Good morning.\n\n"+
		"00:00:02.000 --> 00:00:04.000\n<v Anna &amp; Bob>Is a &lt; b -&gt; true?\n\n"+
		"01:00:00.000 --> 01:00:02.000\n<v &lt;Cem&gt;>1. Yes and no.\n\n", written(t, meeting(), "vtt", transcribe.LayoutSubtitles))
	require.Contains(t, written(t, meeting(), "srt", transcribe.LayoutSubtitles), "\nAnna & Bob: Good morning.\n\n2\n")
	require.Equal(t, "# Minutes \\*of\\* May\n\n**0:00 Anna \\& Bob**\n\nGood morning. Is a \\< b --\\> true?\n\n"+
		"**1:00:00 \\<Cem\\>**\n\n1\\. Yes and no.\n", written(t, meeting(), "md", ""))
	var back backend.Transcript
	require.NoError(t, json.Unmarshal([]byte(written(t, meeting(), "json", "")), &back))
	require.Equal(t, "SPEAKER Minutes_-of-_May 1 0.000 2.000 <NA> <NA> Anna_&_Bob <NA> <NA>\n"+
		"SPEAKER Minutes_-of-_May 1 2.000 2.000 <NA> <NA> Anna_&_Bob <NA> <NA>\n"+
		"SPEAKER Minutes_-of-_May 1 3600.000 2.000 <NA> <NA> <Cem> <NA> <NA>\n", written(t, meeting(), "rttm", ""))
	want := meeting()
	want.Speakers = []backend.Speaker{{Name: "Anna & Bob", Seconds: 4, Lines: 2}, {Name: "<Cem>", Seconds: 2, Lines: 1}}
	require.Equal(t, want, back)
}

// A transcript of silence is a valid file in every format.
func TestFormatsOfNothing(t *testing.T) {
	for format, want := range map[string]string{"srt": "", "vtt": "WEBVTT\n\n", "txt": "", "md": "# Transcript\n"} {
		require.Equal(t, want, written(t, backend.Transcript{}, format, transcribe.LayoutSubtitles), format)
		require.Equal(t, want, written(t, backend.Transcript{Segments: []backend.Segment{{Text: "  "}}}, format, ""), format)
	}
	require.Contains(t, written(t, backend.Transcript{}, "json", ""), `"segments": []`)
	require.Error(t, transcribe.Write(&strings.Builder{}, backend.Transcript{}, "pdf", transcribe.Style{}))
}

package export_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/extract"
)

// subtitle is a cue of an SRT file, with its times in seconds.
type subtitle struct {
	start, end float64
	lines      []string
}

var srtTimes = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d),(\d{3}) --> (\d\d):(\d\d):(\d\d),(\d{3})$`)

func readSRT(t *testing.T, raw []byte) []subtitle {
	t.Helper()
	var out []subtitle
	for i, block := range strings.Split(strings.TrimSpace(string(raw)), "\n\n") {
		lines := strings.Split(block, "\n")
		require.Equal(t, strconv.Itoa(i+1), lines[0])
		m := srtTimes.FindStringSubmatch(lines[1])
		require.NotNil(t, m, "%s", lines[1])
		var n [8]float64
		for k := range n {
			v, err := strconv.Atoi(m[k+1])
			require.NoError(t, err)
			n[k] = float64(v)
		}
		out = append(out, subtitle{n[0]*3600 + n[1]*60 + n[2] + n[3]/1000, n[4]*3600 + n[5]*60 + n[6] + n[7]/1000, lines[2:]})
	}
	return out
}

// requireRules requires the rules of subtitles: two lines of 42 characters, 1 to 7 seconds, in order.
func requireRules(t *testing.T, cues []subtitle) {
	t.Helper()
	last := 0.0
	for _, c := range cues {
		require.LessOrEqual(t, len(c.lines), 2, "%q", c.lines)
		for _, line := range c.lines {
			require.LessOrEqual(t, utf8.RuneCountInString(line), 42, "%q", line)
			require.Equal(t, strings.Join(strings.Fields(line), " "), line, "no blanks too many")
		}
		require.GreaterOrEqual(t, c.start, last)
		require.InDelta(t, 4, c.end-c.start, 3.001, "1 to 7 s: %q", c.lines)
		last = c.end
	}
}

func wordsOf(cues []subtitle) []string {
	var out []string
	for _, c := range cues {
		out = append(out, strings.Fields(strings.Join(c.lines, " "))...)
	}
	return out
}

// TestSubtitlesWithoutBlanks has none between the sentences of a language that writes none.
func TestSubtitlesWithoutBlanks(t *testing.T) {
	l := newLibrary(t)
	g := l.speak(l.request("今天天气很好。我们昨天在公园里看到了花。它们非常漂亮。"))
	_, srt := l.export(g.ID, "srt")
	require.NotRegexp(t, "。 ", string(srt))
	require.Equal(t, g.Text, strings.Join(wordsOf(readSRT(t, srt)), ""))
}

const longSentence = "When the sun had set behind the hills and the last of the boats had come in, the three of them went down to the old harbour, " +
	"where they waited for the letter that had been promised to them in the spring of that year, and which, as they knew by then, would " +
	"never arrive, since the man who was to bring it had gone abroad with all that he owned and a good deal that he did not. "

// TestSubtitlesOfLongChunks reads the subtitles of a chunk of hundreds of characters, at every speed, in each way to export it.
func TestSubtitlesOfLongChunks(t *testing.T) {
	l := newLibrary(t)
	for _, speed := range []float64{0.25, 1, 2} {
		r := l.request(longSentence + "A short one. " + longSentence)
		r.Speed = new(speed)
		g := l.speak(r)
		_, srt := l.export(g.ID, "srt")
		cues := readSRT(t, srt)
		requireRules(t, cues)
		require.Equal(t, strings.Fields(g.Text), wordsOf(cues))

		var out bytes.Buffer
		require.NoError(t, l.exports.Zip(t.Context(), &out, []string{g.ID}, nil, "srt", audio.ExportOptions{}))
		archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		require.NoError(t, err)
		f, err := archive.File[0].Open()
		require.NoError(t, err)
		raw, err := io.ReadAll(f)
		require.NoError(t, err)
		require.Equal(t, string(srt), string(raw), "the zip has the same file")
	}
	r := l.script(longSentence, "Yes. "+longSentence)
	r.Speakers = []string{"Cleo", "Ben"}
	s, err := l.speech.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	_, srt := l.exportScript(s.ID, "srt")
	cues := readSRT(t, srt)
	requireRules(t, cues)
	require.Equal(t, strings.Fields("Cleo: "+longSentence+"Ben: Yes. "+longSentence), wordsOf(cues))
	_, vtt := l.exportScript(s.ID, "vtt")
	require.Equal(t, strings.Count(string(vtt), " --> "), strings.Count(string(vtt), "<v "), "each cue names its speaker")
}

// TestSubtitlesOverPauses has pauses of markup and of the structure, also between the sentences of one chunk.
func TestSubtitlesOverPauses(t *testing.T) {
	l := newLibrary(t)
	r := l.request("One is here. [pause 1s] Two. Three is a longer one. Four.\n\nFive. [pause 0.5s] Six.")
	r.Pauses = backend.PauseOptions{Sentence: new(1.2), Paragraph: new(2.0)}
	g := l.speak(r)
	require.Less(t, len(g.Chunks), 6, "some sentences share a chunk")
	_, srt := l.export(g.ID, "srt")
	var got []string
	for _, c := range readSRT(t, srt) {
		got = append(got, strings.Join(c.lines, "|"))
	}
	require.Equal(t, []string{"One is here.", "Two.", "Three is a longer one.", "Four.", "Five. Six."}, got)
}

// TestSubtitlesByWordTimes are cut by the times of the model, also where it was asked to say other words than are written.
func TestSubtitlesByWordTimes(t *testing.T) {
	l := newLibrary(t)
	g := l.speak(l.request("We paid 5 € for the tickets and waited in the long line at the gate before we went in."))
	say := func(list ...any) (words []backend.Word) {
		for i := 0; i < len(list); i += 3 {
			words = append(words, backend.Word{Text: fmt.Sprint(list[i]), Start: list[i+1].(float64), End: list[i+2].(float64)})
		}
		return words
	}
	_, err := l.db.UpdateGeneration(t.Context(), g.ID, func(row *backend.Generation) error {
		row.Chunks[0].End = 10
		row.Duration = 10
		row.Chunks[0].Words = say("we", 0.0, 0.2, "paid", 0.2, 0.5, "five", 0.5, 0.8, "euros", 0.8, 1.3, "for", 1.3, 1.5, "the", 1.5, 1.6,
			"tickets", 1.6, 2.2, "and", 4.0, 4.2, "waited", 4.2, 4.8, "in", 4.8, 4.9, "the", 4.9, 5.0, "long", 5.0, 5.4, "line", 5.4, 5.9,
			"at", 5.9, 6.0, "the", 6.0, 6.1, "gate", 6.1, 6.6, "before", 7.0, 7.4, "we", 7.4, 7.6, "went", 7.6, 8.0, "in.", 8.0, 8.5)
		return nil
	})
	require.NoError(t, err)
	_, srt := l.export(g.ID, "srt")
	cues := readSRT(t, srt)
	requireRules(t, cues)
	require.Equal(t, []string{"We paid 5 € for the tickets"}, cues[0].lines)
	require.InDelta(t, 2.2, cues[0].end, 0.001)
	require.InDelta(t, 4, cues[1].start, 0.001)
	require.Equal(t, strings.Fields(g.Text), wordsOf(cues))
}

// TestReadOwnSubtitles reads exported subtitles as a document again: no word is lost, in no language, however long it is.
func TestReadOwnSubtitles(t *testing.T) {
	l := newLibrary(t)
	for name, s := range map[string]string{
		"english": longSentence,
		"german":  "Das Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz (kurz RkReÜAÜG, wie man im Amt zu sagen pflegte) war lange in Kraft, und dann nicht mehr.",
		"address": "See https://example.com/a/very/long/path/that/goes/on/and/on?with=questions&more=answers#and-a-fragment now.",
		"numbers": "He was born in the village in the year 1984 and left it in 2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008, 2009 or perhaps in 2010.",
		"arabic":  strings.TrimSpace(strings.Repeat("كان الولد يمشي في الشارع الطويل، ثم توقف أمام البيت القديم ", 3)),
		"chinese": strings.Repeat("我们昨天在公园里看到了很多不同颜色的花，", 6),
		"thai":    strings.Repeat("เมื่อวานนี้เราไปที่สวนสาธารณะและเห็นดอกไม้หลากสีจำนวนมากที่สวยงาม", 4),
	} {
		g := l.speak(l.request(s))
		for _, format := range []string{"srt", "vtt"} {
			_, raw := l.export(g.ID, format)
			doc, err := (&extract.Extractor{}).Extract(t.Context(), "a."+format, raw)
			require.NoError(t, err)
			if name == "chinese" || name == "thai" { // lines are joined with blanks
				require.Equal(t, s, strings.Join(strings.Fields(doc.Text), ""), "%s %s", name, format)
				continue
			}
			require.Equal(t, strings.Fields(s), strings.Fields(doc.Text), "%s %s", name, format)
		}
		require.NoError(t, os.Remove(g.AudioPath))
	}
}

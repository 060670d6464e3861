package transcribe_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe"
)

var lampTalk = backend.Transcript{Title: "The ferry & the <lamp>", Segments: []backend.Segment{
	{Start: 0, End: 3, Text: " Who lit the lamp?", Speaker: "Anna"},
	{Start: 3, End: 8, Text: " I did.", Speaker: "Ben"},
	{Start: 9, End: 12, Text: " For \"nineteen\" years & more.", Speaker: "Ben", Paragraph: true},
	{Start: 3700, End: 3710, Text: " And now?", Speaker: "Anna"},
	{Start: 3720, End: 3730, Text: " A bell\u0007 rings.", Paragraph: true},
}}

// docxParagraphs returns the paragraphs of a Word document, as a program that knows only the format reads them: style and text.
func docxParagraphs(t *testing.T, raw []byte) [][2]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	require.NoError(t, err)
	for _, f := range archive.File {
		part, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(part)
		require.NoError(t, err)
		require.NoError(t, xml.Unmarshal(text, new(struct{ XMLName xml.Name })), f.Name)
	}
	document, err := archive.Open("word/document.xml")
	require.NoError(t, err)
	var body struct {
		Paragraphs []struct {
			Style struct {
				Value string `xml:"val,attr"`
			} `xml:"pPr>pStyle"`
			Texts []string `xml:"r>t"`
		} `xml:"body>p"`
	}
	require.NoError(t, xml.NewDecoder(document).Decode(&body))
	var out [][2]string
	for _, p := range body.Paragraphs {
		text := ""
		for _, run := range p.Texts {
			text += run
		}
		out = append(out, [2]string{p.Style.Value, text})
	}
	return out
}

func TestWordDocument(t *testing.T) {
	for _, c := range []struct {
		style transcribe.Style
		want  [][2]string
	}{
		{transcribe.Style{}, [][2]string{
			{"Title", "The ferry & the <lamp>"},
			{"Heading2", "Anna 0:00"},
			{"", "Who lit the lamp?"},
			{"Heading2", "Ben 0:03"},
			{"", "I did."},
			{"", `0:09 For "nineteen" years & more.`},
			{"Heading2", "Anna 1:01:40"},
			{"", "And now?"},
			{"", "1:02:00 A bell\ufffd rings."},
		}},
		{transcribe.Style{Untimed: true}, [][2]string{
			{"Title", "The ferry & the <lamp>"},
			{"Heading2", "Anna"},
			{"", "Who lit the lamp?"},
			{"Heading2", "Ben"},
			{"", "I did."},
			{"", `For "nineteen" years & more.`},
			{"Heading2", "Anna"},
			{"", "And now?"},
			{"", "A bell\ufffd rings."},
		}},
	} {
		var out bytes.Buffer
		require.NoError(t, transcribe.Write(&out, lampTalk, "docx", c.style))
		require.Equal(t, c.want, docxParagraphs(t, out.Bytes()))
	}
}

func TestMarkdownWithoutTimes(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, transcribe.Write(&out, lampTalk, "md", transcribe.Style{Untimed: true}))
	require.Contains(t, out.String(), "\n**Anna**\n\nWho lit the lamp?\n")
	require.NotContains(t, out.String(), "0:0")
}

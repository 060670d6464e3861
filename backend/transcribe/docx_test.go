package transcribe_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
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
			{"Heading1", "Anna 0:00"},
			{"", "Who lit the lamp?"},
			{"Heading1", "Ben 0:03"},
			{"", "I did."},
			{"", `0:09 For "nineteen" years & more.`},
			{"Heading1", "Anna 1:01:40"},
			{"", "And now?"},
			{"", "1:02:00 A bell\ufffd rings."},
		}},
		{transcribe.Style{Untimed: true}, [][2]string{
			{"Title", "The ferry & the <lamp>"},
			{"Heading1", "Anna"},
			{"", "Who lit the lamp?"},
			{"Heading1", "Ben"},
			{"", "I did."},
			{"", `For "nineteen" years & more.`},
			{"Heading1", "Anna"},
			{"", "And now?"},
			{"", "A bell\ufffd rings."},
		}},
	} {
		var out bytes.Buffer
		require.NoError(t, transcribe.Write(&out, lampTalk, "docx", c.style))
		require.Equal(t, c.want, docxParagraphs(t, out.Bytes()))
	}
}

// The reader of Word files with which books are made finds the same headings and words.
func TestWordDocumentIsRead(t *testing.T) {
	talk := lampTalk
	talk.Language, talk.CreatedAt = "de", time.Date(2026, 3, 4, 5, 6, 7, 0, time.FixedZone("CET", 3600))
	talk.Segments = append(slices.Clone(talk.Segments),
		backend.Segment{Start: 3800, End: 3801, Text: " مرحبا بكم، Anna!", Speaker: "ليلى"},
		backend.Segment{Start: 3802, End: 3803, Text: " שלום", Speaker: strings.Repeat("Ä", 100)})
	var out bytes.Buffer
	require.NoError(t, transcribe.Write(&out, talk, "docx", transcribe.Style{}))
	reader := &extract.Extractor{}
	got, err := reader.Extract(t.Context(), "talk.docx", out.Bytes())
	require.NoError(t, err)
	require.Empty(t, got.Notes)
	require.True(t, got.HasTitle)
	require.Equal(t, talk.Title, got.Title)
	var words []string
	for _, p := range docxParagraphs(t, out.Bytes()) {
		words = append(words, p[1])
	}
	require.Equal(t, strings.Join(words, "\n\n"), got.Text)
	file := filepath.Join(t.TempDir(), "talk.docx")
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
	book, err := reader.Book(t.Context(), "talk.docx", "", file)
	require.NoError(t, err)
	require.Equal(t, "de-DE", book.Language)
	require.Equal(t, talk.Title, book.Title)
	var headings []string
	for _, block := range book.Blocks {
		for _, section := range block.Begins {
			headings = append(headings, fmt.Sprint(section.Level, " ", section.Title))
		}
	}
	require.Equal(t, []string{"1 Anna 0:00", "1 Ben 0:03", "1 Anna 1:01:40", "1 ليلى 1:03:20", "1 " + strings.Repeat("Ä", 100) + " 1:03:22"}, headings)
}

// Programs show the properties, check the spelling in the language, and write Arabic and Hebrew from right to left.
func TestPartsOfAWordDocument(t *testing.T) {
	talk := backend.Transcript{
		Title: "שלום & <1>", Language: "de", CreatedAt: time.Date(2026, 3, 4, 5, 6, 7, 8, time.FixedZone("CET", 3600)),
		Segments: []backend.Segment{{Text: " (مرحبا)", Speaker: "Anna"}, {Start: 1, Text: " Hello, שלום.", Speaker: "1"}},
	}
	part := func(talk backend.Transcript, name string) string {
		var out bytes.Buffer
		require.NoError(t, transcribe.Write(&out, talk, "docx", transcribe.Style{}))
		archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		require.NoError(t, err)
		text, err := fs.ReadFile(archive, name)
		require.NoError(t, err)
		return string(text)
	}
	core := part(talk, "docProps/core.xml")
	require.Contains(t, core, `<dc:title>שלום &amp; &lt;1&gt;</dc:title><dc:language>de-DE</dc:language>`)
	require.Contains(t, core, `W3CDTF">2026-03-04T04:06:07Z</dcterms:created>`)
	require.Contains(t, part(talk, "word/styles.xml"), `<w:lang w:val="de-DE" w:eastAsia="de-DE" w:bidi="de-DE"/>`)
	body := part(talk, "word/document.xml")
	require.Equal(t, 2, strings.Count(body, `<w:bidi/>`), "the title and what Anna says")
	require.Equal(t, 2, strings.Count(body, `<w:rtl/>`))

	talk.Request.Translate = true
	require.Contains(t, part(talk, "docProps/core.xml"), `<dc:language>en-US</dc:language>`)
	talk.Request.Translate, talk.Language, talk.CreatedAt = false, "", time.Time{}
	core = part(talk, "docProps/core.xml")
	require.NotContains(t, core, "language")
	require.NotContains(t, core, "created")
	require.NotContains(t, part(talk, "word/styles.xml"), "w:lang")
	for language, want := range map[string]string{"zh": "zh-CN", "pt-PT": "pt-PT", "haw": "haw-US", "yue": "yue-HK", "auto": ""} {
		talk.Language = language
		if core = part(talk, "docProps/core.xml"); want == "" {
			require.NotContains(t, core, "language")
		} else {
			require.Contains(t, core, "<dc:language>"+want+"</dc:language>", language)
		}
	}
}

func TestMarkdownWithoutTimes(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, transcribe.Write(&out, lampTalk, "md", transcribe.Style{Untimed: true}))
	require.Contains(t, out.String(), "\n**Anna**\n\nWho lit the lamp?\n")
	require.NotContains(t, out.String(), "0:0")
}

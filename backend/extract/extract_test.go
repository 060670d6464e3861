package extract_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/subtitles"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func read(t *testing.T, name, content string) extract.Document {
	t.Helper()
	doc, err := (&extract.Extractor{}).Extract(t.Context(), name, []byte(content))
	require.NoError(t, err)
	return doc
}

func code(t *testing.T, name, content string) backend.Code {
	t.Helper()
	_, err := (&extract.Extractor{}).Extract(t.Context(), name, []byte(content))
	require.Error(t, err)
	return backend.CodeOf(err)
}

func TestEncodings(t *testing.T) {
	for name, content := range map[string]string{
		"plain":           "Grüße – ok",
		"UTF-8 with mark": "\xef\xbb\xbfGrüße – ok",
		"UTF-16 little":   "\xff\xfeG\x00r\x00\xfc\x00\xdf\x00e\x00 \x00\x13\x20 \x00o\x00k\x00",
		"UTF-16 big":      "\xfe\xff\x00G\x00r\x00\xfc\x00\xdf\x00e\x00 \x20\x13\x00 \x00o\x00k",
		"Windows-1252":    "Gr\xfc\xdfe \x96 ok",
		"marks inside":    "Grü\u00adße – ok\u200b\a",
	} {
		require.Equal(t, "Grüße – ok", read(t, "a.txt", content).Text, name)
	}
	require.Equal(t, "One\ntwo\n\nthree", read(t, "a.TXT", "One  \r\ntwo\r\n\r\n\r\n\r\nthree\r\n").Text)
}

// Words that a hyphen divides at a line end are whole in the text.
func TestDividedWords(t *testing.T) {
	require.Equal(t, "We consider negative numbers and a one-sided fight.",
		read(t, "a.txt", "We con-\r\nsider nega-\r\ntive num-\r\nbers and a one-\r\nsided fight.").Text)
	require.Equal(t, "consider consider consider", read(t, "a.txt", "con\u00ad\nsider con\u00adsider con\ufffe\r\nsider").Text)
	require.Equal(t, "We consider a state-of-the-art book.\n\nitem", read(t, "a.md", "We con-\nsider a state-of-the-\nart book.\n\n---\n\n- item").Text)
}

func TestTitles(t *testing.T) {
	for name, want := range map[string]string{
		`C:\Users\me\My book.txt`: "My book", "../../etc/passwd.txt": "passwd", "a.b.txt": "a.b", ".txt": "",
	} {
		doc := read(t, name, "Hello.")
		require.Equal(t, want, doc.Title, name)
		require.Equal(t, "txt", doc.Format)
		require.False(t, doc.HasTitle, name)
	}
	require.True(t, read(t, "a.md", "# a\ntext").HasTitle, "the same as the name of the file")
	require.False(t, read(t, "a.md", "text").HasTitle)
	require.True(t, read(t, "a.html", "<title>a</title><p>text").HasTitle)
	require.False(t, read(t, "a.html", "<p>text").HasTitle)
	long := strings.Repeat("f", 500_000)
	require.Len(t, read(t, long+".txt", "Hello.").Title, 1_000)
	require.Len(t, read(t, "a.html", "<title>"+long+"</title><p>text").Title, 1_000)
}

// The page chooses its sentence by params.reason.
func TestReasons(t *testing.T) {
	for reason, file := range map[string][2]string{
		"kind": {"a.odt", "Hello"}, "no_text": {"b.txt", "a\x00b"}, "no_subtitles": {"a.srt", "Hello"},
		"no_pdf": {"a.pdf", "Hello"}, "no_book": {"a.epub", "Hello"}, "bad_pdf": {"bad.pdf", "%PDF-1.4\nnothing more"},
	} {
		_, err := (&extract.Extractor{}).Extract(t.Context(), file[0], []byte(file[1]))
		e := backend.AsError(err)
		if e.Code == backend.CodeRuntimeMissing {
			require.Equal(t, "pdftotext", e.Params["program"])
			continue
		}
		require.Equal(t, backend.CodeUnsupportedMedia, e.Code, file[0])
		require.Equal(t, reason, e.Params["reason"], file[0])
	}
}

func TestFilesWithoutText(t *testing.T) {
	for name, content := range map[string]string{
		"a.docx": "Hello", "txt": "Hello", "": "Hello", "b.txt": "a\x00b", "c.txt": "\xef\xbb\xbf\xff\xff", "d.txt": "\xff\xfeA",
		"e.txt": "\xff\xfe\x00\xd8A\x00", "a.srt": "Hello", "b.srt": "", "a.pdf": "Hello", "b.pdf": "", "a.epub": "Hello", "b.epub": "",
	} {
		require.Equal(t, backend.CodeUnsupportedMedia, code(t, name, content), name)
	}
	for name, content := range map[string]string{
		"a.txt": "", "b.txt": " \n ... \n", "a.md": "---\ntitle: Empty\n---\n\n***\n", "b.md": "![](picture.png)",
		"a.srt": "1\n00:00:01,000 --> 00:00:02,000\n[music]\n",
	} {
		require.Equal(t, backend.CodeNothingToSpeak, code(t, name, content), name)
	}
	_, err := (&extract.Extractor{}).Extract(t.Context(), "a.txt", make([]byte, extract.MaxFile+1))
	require.Equal(t, backend.CodeBodyTooLarge, backend.CodeOf(err))
}

func TestMarkdown(t *testing.T) {
	raw, err := os.ReadFile("testdata/all.md")
	require.NoError(t, err)
	want, err := os.ReadFile("testdata/all.txt")
	require.NoError(t, err)
	doc := read(t, "notes.md", string(raw))
	require.Equal(t, strings.TrimSpace(string(want)), doc.Text)
	require.Equal(t, "What is read aloud", doc.Title)
}

func TestMarkdownPieces(t *testing.T) {
	for given, want := range map[string]string{
		"# One #":                                                 "One",
		"Two\n===\n\ntext":                                        "Two\n\ntext",
		"- a\n- b\n  - c\n1. d\n- [x] e":                          "a\nb\nc\nd\ne",
		"soft\nwrapped":                                           "soft wrapped",
		"hard  \nwrapped":                                         "hard\nwrapped",
		"> quoted\n> twice":                                       "quoted twice",
		"[words](http://x/y_(z)) and ![alt](i)":                   "words and alt",
		"[![alt](i.png)](http://x)":                               "alt",
		"[a][r] [r] [no]\n\n[r]: http://x":                        "a r [no]",
		"a **b** _c_ snake_case 2 * 3 ~~d~~":                      "a b c snake_case 2 * 3 d",
		"`code *kept*` \\*star\\*":                                "code *kept* *star*",
		"```go\nx := 1\n\n# no heading\n```":                      "x := 1\n\n# no heading",
		"text[^1]\n\n[^1]: a note\n    more":                      "text",
		"| a | b |\n|---|:-:|\n| c | d |":                         "a, b\nc, d",
		"a<br>b <b>c</b> <!-- d --> 1 < 2 &amp; 3":                "a\nb c  1 < 2 & 3",
		"[[tomato|/x/]] [pause 1s] <break time=\"1s\"/> [laughs]": "[[tomato|/x/]] [pause 1s] <break time=\"1s\"/> [laughs]",
		"<https://x.org/a> <me@x.org>":                            "https://x.org/a me@x.org",
		"---\nfirst\n---\nsecond":                                 "first\n\nsecond",
		"`open ``  [open ( <open & *":                             "open   [open ( <open & *",
	} {
		require.Equal(t, want, read(t, "a.md", given).Text, given)
	}
	require.Equal(t, "Hello there", read(t, "a.md", "---\nlang: en\ntitle: \"Hello  there\"\n---\ntext").Title)
	require.Equal(t, "First", read(t, "a.md", "## Zero\n# First\n# Second").Title)
	require.Equal(t, "a", read(t, "a.md", "text").Title)
}

func TestSubtitles(t *testing.T) {
	const given = "\xef\xbb\xbf1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>This sentence</i>\r\nis in\r\n\r\n" +
		"2\r\n00:00:02,600 --> 00:00:04,000\r\n{\\an8}two cues. \r\n\r\n" +
		"3\r\n00:00:04,000 --> 00:00:05,000\r\n[door slams]\r\n\r\n" +
		"4\r\n00:00:05,000 --> 00:00:06,000\r\n- Really?\r\n- Yes, 1984\r\n\r\n" +
		"5\r\n00:00:20,000 --> 00:00:21,000\r\n♪ Later ♪\r\n"
	require.Equal(t, "This sentence is in two cues.\nReally?\nYes, 1984\n\nLater", read(t, "a.srt", given).Text)
	doc := read(t, "a.VTT", "WEBVTT - Night\n\nNOTE x\n\n1\n00:01.000 --> 00:02.000 align:start\n<v Anna>Who is</v>\n\n01:00:02.000 --> 01:00:03.000\nthere?\n")
	require.Equal(t, "Anna: Who is\n\nthere?", doc.Text)
	require.Equal(t, "vtt", doc.Format)
	require.Equal(t, "ANNA\nHello.", read(t, "a.fountain", "ANNA\nHello.\n").Text)
}

func TestSubtitleTags(t *testing.T) {
	vtt := func(lines string) string {
		return read(t, "a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n"+lines+"\n").Text
	}
	srt := func(lines string) string {
		return read(t, "a.srt", "1\n00:00:01,000 --> 00:00:02,000\n"+lines+"\n").Text
	}
	for given, want := range map[string]string{
		"Hello &amp; <i>welcome</i>.":                           "Hello & welcome.",
		"a&nbsp;b &lt;i&gt; &#39;c&#x27; &#8220;d&#8221;&#13;e": "a b <i> 'c' “d” e",
		"&amp;lt; AT&T &copy; &#0; &#x110000; &#x7; &no;":       "&lt; AT&T © \ufffd \ufffd &no;",
		"&lrm;a&rlm;": "\u200ea\u200f",
		"<00:00:01.500><c> fan</c><c>tas</c>tic<br>day":          "fantastic day",
		"<v.loud.first Mary  Ann>Hello.</v><v Ben>Hi</v>":        "Mary Ann: Hello.\nBen: Hi",
		"<v Anna>Who is\n<v Anna>there?\n- Nobody.\n<v Anna>Oh.": "Anna: Who is there?\nNobody.\nOh.",
		"<v Anna>(laughs)\n<v Ben>[door]\n<v Ben>What?":          "Ben: What?",
		"<v>Hello.</v>": "Hello.",
	} {
		require.Equal(t, want, vtt(given), given)
	}
	require.Equal(t, "Salt & Hello welcome. 1 < 2, 3 > 1", srt("Salt &amp; <v Anna>Hello <i>welcome</i>. 1 < 2, 3 > 1"))
}

// TestOwnSubtitles reads what is exported: the WebVTT of a script says the same as its SRT.
func TestOwnSubtitles(t *testing.T) {
	cues := []subtitles.Cue{
		{Start: 0, End: time.Second, Speaker: "Tom & Jo", Text: "Salt & pepper is < sugar,"},
		{Start: time.Second, End: 2 * time.Second, Speaker: "Tom & Jo", Text: "and &amp; 1 > 0."},
		{Start: 2 * time.Second, End: 3 * time.Second, Speaker: "Ben <B>", Text: "\"Yes\", she said -> 'no'."},
	}
	const want = "Tom & Jo: Salt & pepper is < sugar, and &amp; 1 > 0.\nBen <B>: \"Yes\", she said -> 'no'."
	var vtt, srt strings.Builder
	require.NoError(t, subtitles.WriteVTT(&vtt, cues))
	require.Equal(t, want, read(t, "a.vtt", vtt.String()).Text)
	cues[0].Text, cues[2].Speaker, cues[2].Text = "Tom & Jo: "+cues[0].Text, "", "Ben: "+cues[2].Text
	require.NoError(t, subtitles.WriteSRT(&srt, cues))
	// SubRip has no escapes, but many files have those of HTML.
	require.Equal(t, strings.NewReplacer("Ben <B>", "Ben", "&amp;", "&").Replace(want), read(t, "a.srt", srt.String()).Text)
}

// TestCutWords joins words that a soft hyphen divides at the end of a line, or of a subtitle.
func TestCutWords(t *testing.T) {
	for _, end := range []string{"\n", "\r\n"} {
		srt := strings.ReplaceAll("1\n00:00:01,000 --> 00:00:02,000\nSee example.com/\u00ad\n2001-a-long-\u00ad\n\n"+
			"2\n00:00:02,000 --> 00:00:03,000\npath, and\nmore.\n", "\n", end)
		require.Equal(t, "See example.com/2001-a-long-path, and more.", read(t, "a.srt", srt).Text)
	}
	require.Equal(t, "A consider.\n\nB", read(t, "a.txt", "A con\u00ad\nsider.\u00ad\n\nB").Text)
}

// pdf returns a PDF file with a page for each text.
func pdf(pages ...[]string) string {
	var contents []string
	for _, lines := range pages {
		var content strings.Builder
		content.WriteString("BT /F1 12 Tf 72 720 Td 14 TL ")
		for _, line := range lines {
			fmt.Fprintf(&content, "(%s) Tj T* ", line)
		}
		contents = append(contents, content.String()+"ET")
	}
	return pdfFile("", "Helvetica", 612, 792, contents)
}

// pdfFile returns a PDF file with a title, a font and pages of some points by their content streams.
func pdfFile(title, font string, width, height int, contents []string) string {
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /" + font + " /Encoding /WinAnsiEncoding >>",
		"<< /Title (" + title + ") >>",
	}
	var kids []string
	for _, content := range contents {
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", width, height, n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	out := "%PDF-1.4\n"
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", len(out))
		out += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	return out + table + fmt.Sprintf("trailer << /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, len(out))
}

func TestPDF(t *testing.T) {
	doc := read(t, "paper.pdf", pdf(
		[]string{"A sentence that goes over", "two lines, with a long exam-", "ple of a parted word.", "1"},
		[]string{"The second page.", "2"}))
	require.Equal(t, "A sentence that goes over two lines, with a long example of a parted word.\n\nThe second page.", doc.Text)
	require.Equal(t, []string{"page_numbers"}, codes(doc.Notes))
	require.Equal(t, extract.Document{Text: doc.Text, Title: "paper", Format: "pdf", Notes: doc.Notes}, doc)
	require.Equal(t, backend.CodeNothingToSpeak, code(t, "scan.pdf", pdf(nil)))
	require.Equal(t, backend.CodeUnsupportedMedia, code(t, "bad.pdf", "%PDF-1.4\nnothing more"))
}

func TestPDFWithoutTheProgram(t *testing.T) {
	e := &extract.Extractor{PDFToText: filepath.Join(t.TempDir(), "pdftotext")}
	_, err := e.Extract(t.Context(), "a.pdf", []byte(pdf([]string{"Hello"})))
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err))
	require.Contains(t, backend.AsError(err).Remedy, "poppler-utils")
	t.Setenv("PATH", t.TempDir())
	require.Equal(t, backend.CodeRuntimeMissing, code(t, "a.pdf", pdf([]string{"Hello"})))
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, content := range map[string]string{"a.pdf": pdf([]string{"Hello"}), "a.epub": novel(nil)} {
		_, err := (&extract.Extractor{}).Extract(ctx, name, []byte(content))
		require.Equal(t, backend.CodeCancelled, backend.CodeOf(err), name)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("md", "# a\n- [b](c) `d` **e**\n```\nf\n```\n| g |\n[^1]: h")
	f.Add("md", "---\ntitle: x\n---\n![[a](b)](c)<d e='f'>&amp;\\*")
	f.Add("srt", "1\n00:00:01,000 --> 00:00:02,0\n- <i>a</i>\n")
	f.Add("vtt", "WEBVTT\n\n00:01.000 --> 00:02.0\n<v.a B>c &amp;&#13;<v D>e</v>\n")
	f.Add("txt", "\xff\xfea\x00")
	f.Add("epub", novel(nil))
	f.Add("docx", docx(para("", run("a"))+"<w:tbl><w:tr><w:tc>"+para("", run("b"))+"</w:tc></w:tr></w:tbl>", nil))
	f.Fuzz(func(t *testing.T, format, content string) {
		if format == "pdf" {
			return // another program reads it
		}
		doc, err := (&extract.Extractor{}).Extract(t.Context(), "a."+format, []byte(content))
		if err != nil {
			require.NotEqual(t, backend.CodeInternal, backend.CodeOf(err), err)
			return
		}
		require.NotContains(t, doc.Text, "\r")
		require.NotContains(t, doc.Text, "\x00")
		require.NotContains(t, doc.Text, "\n\n\n")
		require.Equal(t, strings.TrimSpace(doc.Text), doc.Text)
	})
}

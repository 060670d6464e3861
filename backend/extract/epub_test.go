package extract_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

const container = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

const packageDocument = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> The  Book </dc:title></metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="extra" href="text/extra.xhtml" media-type="application/xhtml+xml"/>
<item id="cover" href="cover.jpg" media-type="image/jpeg"/>
</manifest>
<spine><itemref idref="cover"/><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/>
<itemref idref="extra" linear="no"/><itemref idref="missing"/></spine></package>`

const chapterOne = `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>No</title><script src="x"/></head>
<body><nav>Contents</nav><h1>Chapter <em>One</em></h1>
<p>First
   paragraph<a epub:type="noteref" href="#n">1</a>, with an &amp; and <ruby>漢<rp>(</rp><rt>kan</rt></ruby>.</p>
<span epub:type="pagebreak" title="2"/><p>Line<br/>break.</p><aside epub:type="footnote" id="n"><p>A note.</p></aside>
<ul><li>a</li><li>b</li></ul><style>p{}</style><pre>x
y</pre></body></html>`

// novel returns a small book. files replaces files in it; a nil content leaves one out.
func novel(change map[string]string) string {
	files := map[string]string{
		"META-INF/container.xml": container, "OEBPS/book.opf": packageDocument,
		"OEBPS/nav.xhtml": "<nav>Chapter One</nav>", "OEBPS/text/one.xhtml": chapterOne,
		"OEBPS/text/two b.xhtml": "<html><body><p>Second.</p></body></html>", "OEBPS/text/extra.xhtml": "<p>Extra.</p>",
	}
	for name, content := range change {
		files[name] = content
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, content := range files {
		if content == "" {
			continue
		}
		f, _ := w.Create(name)
		_, _ = f.Write([]byte(content))
	}
	_ = w.Close()
	return out.String()
}

// details returns the sentences of the notes of a document.
func details(doc extract.Document) map[string]string {
	out := map[string]string{}
	for _, n := range doc.Notes {
		out[n.Code] = strings.TrimSpace(out[n.Code] + " " + n.Detail)
	}
	return out
}

func TestBook(t *testing.T) {
	doc := read(t, "file.epub", novel(nil))
	require.Equal(t, "Chapter One\n\nFirst paragraph, with an & and 漢.\n\nLine\nbreak.\n\na\nb\n\nx\ny\n\nSecond.\n\nExtra.", doc.Text)
	require.Equal(t, "UTF-8", doc.Encoding)
	require.Equal(t, map[string]string{
		"part_no_text": "The part “OEBPS/cover.jpg” has no text that can be read.",
		"part_missing": "The part “missing” is missing in the book.",
		"part_aside":   "The part “OEBPS/text/extra.xhtml” is outside of the reading order of the book, and is read where the book lists it.",
		"footnotes":    "1 footnote was left out.", "note_marks": "1 note mark was left out.", "ruby": "1 reading aid above a word was left out.",
		"contents": "2 tables of contents were left out.",
	}, details(doc))
	require.Equal(t, "The Book", doc.Title)
	require.Equal(t, "epub", doc.Format)
	require.Equal(t, "file", read(t, "file.epub", novel(map[string]string{
		"OEBPS/book.opf": strings.Replace(packageDocument, "The  Book", "", 1),
	})).Title)
}

func TestInvalidBooks(t *testing.T) {
	const one = "OEBPS/text/one.xhtml"
	deep := strings.Repeat("<a>", 20_000)
	for name, change := range map[string]map[string]string{
		"no container, two packages": {"META-INF/container.xml": "", "other.opf": packageDocument},
		"no package":                 {"META-INF/container.xml": "<container/>", "OEBPS/book.opf": ""},
		"broken package":             {"OEBPS/book.opf": "<package><manifest>"},
		"deep package":               {"OEBPS/book.opf": deep},
		"protected": {"META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="` + one +
			`"/></CipherData></EncryptedData></encryption>`},
		"entities": {"OEBPS/book.opf": `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><package>&b;</package>`},
		"long spine": {"OEBPS/book.opf": strings.Replace(packageDocument, "<spine>",
			"<spine>"+strings.Repeat(`<itemref idref="two"/>`, 5001), 1)},
	} {
		require.Equal(t, backend.CodeUnsupportedMedia, code(t, "a.epub", novel(change)), name)
	}
	require.Equal(t, "Second.\n\nExtra.", read(t, "a.epub", novel(map[string]string{
		one: "<p/>", "META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/font.otf"/>` +
			`</CipherData></EncryptedData></encryption>`,
	})).Text, "fonts may be encrypted")
}

// Small files that expand to more than the memory are refused.
func TestDecompressionBombs(t *testing.T) {
	small := extract.Limited(1_000_000)
	refused := func(content, why string) {
		t.Helper()
		_, err := small.Extract(t.Context(), "a.epub", []byte(content))
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), why)
	}
	big := "<p>" + strings.Repeat("word ", 100_000) + "</p>"
	_, err := small.Extract(t.Context(), "a.epub", []byte(novel(map[string]string{"OEBPS/text/one.xhtml": big})))
	require.NoError(t, err, "below the bound")
	refused(novel(map[string]string{"OEBPS/text/one.xhtml": big + big + big}), "a large chapter")
	repeated := novel(map[string]string{
		"OEBPS/text/one.xhtml": big,
		"OEBPS/book.opf": strings.Replace(packageDocument, "<spine>",
			"<spine>"+strings.Repeat(`<itemref idref="one"/>`, 100), 1),
	})
	require.Less(t, len(repeated), 10_000)
	refused(repeated, "the same document again and again")

	wrong := []byte(novel(map[string]string{"META-INF/container.xml": strings.Repeat(" ", 2_000_000) + container}))
	at := bytes.Index(wrong, []byte("PK\x01\x02"))
	for ; at >= 0 && at < len(wrong); at++ {
		if bytes.HasPrefix(wrong[at:], []byte("PK\x01\x02")) && bytes.HasPrefix(wrong[at+46:], []byte("META-INF/container.xml")) {
			binary.LittleEndian.PutUint32(wrong[at+24:], 100) // the size in the list
		}
	}
	refused(string(wrong), "a wrong size")

	var many bytes.Buffer
	w := zip.NewWriter(&many)
	for i := range 20_001 {
		_, err := w.Create(fmt.Sprint(i))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.Equal(t, backend.CodeUnsupportedMedia, code(t, "a.epub", many.String()), "too many files")
}

func FuzzPage(f *testing.F) {
	f.Add(chapterOne)
	f.Add("<title/><p>a<pre>b\nc<td>d")
	f.Fuzz(func(t *testing.T, page string) {
		_, err := (&extract.Extractor{}).Extract(t.Context(), "a.epub", []byte(novel(map[string]string{"OEBPS/text/one.xhtml": page})))
		if err != nil {
			require.NotEqual(t, backend.CodeInternal, backend.CodeOf(err), err)
		}
	})
}

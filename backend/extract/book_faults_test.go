package extract_test

import (
	"archive/zip"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/extract"
)

// Books with faults of which other readers make nothing: users reported them of comparable programs.
func TestBooksWithSmallFaults(t *testing.T) {
	const three = "One\n\nAlpha text here.\n\nTwo\n\nBeta text here.\n\nThree\n\nGamma text here."
	for name, want := range map[string]struct{ text, note string }{
		"mt-text-xml":        {three, ""},
		"missing-spine-file": {"One\n\nAlpha text here.\n\nTwo\n\nBeta text here.", "The part “OEBPS/c.xhtml” is missing in the book."},
		"opf-raw-ampersand":  {three, ""},
		"backslash-names":    {three, ""},
		"leading-slash-root": {three, ""},
		"href-fragment":      {three, ""},
		"no-container":       {three, ""},
		"nav-is-content":     {"One\n\nThe whole story is here.", "1 table of contents was left out."},
		"cp1251-declared":    {"Привет, мир. Это книга.", ""},
		"div-paras":          {"Chapter 1\n\nIt was late\n\nand dark.\n\n“Who is there?”\n\nNobody answered.", ""},
		"dropcap-img":        {"Chapter One\n\nOnce upon a time.", ""},
		"sup-year":           {"In 1984 it began. Water is H2O, and 10⁶ is a million. See E=mc².", "2 note marks were left out."},
	} {
		raw, err := os.ReadFile("testdata/" + name + ".epub")
		require.NoError(t, err)
		doc := read(t, name+".epub", string(raw))
		require.Equal(t, want.text, doc.Text, name)
		if want.note == "" {
			require.Empty(t, doc.Notes, name)
		} else {
			require.Len(t, doc.Notes, 1, name)
			require.Equal(t, want.note, doc.Notes[0].Detail)
		}
	}
	raw, err := os.ReadFile("testdata/opf-raw-ampersand.epub")
	require.NoError(t, err)
	require.Equal(t, "Salt & Vinegar", read(t, "a.epub", string(raw)).Title)
}

// packed returns a zip file with the files in their order: a name, then its content.
func packed(files ...string) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, _ := w.Create(files[i])
		_, _ = f.Write([]byte(files[i+1]))
	}
	_ = w.Close()
	return out.String()
}

// opf returns a package document with a part for each pair of attributes of its item and of its itemref.
func opf(parts ...string) string {
	var items, spine strings.Builder
	for i := 0; i < len(parts); i += 2 {
		id := string(rune('a' + i))
		items.WriteString(`<item id="` + id + `" ` + parts[i] + `/>`)
		spine.WriteString(`<itemref idref="` + id + `" ` + parts[i+1] + `/>`)
	}
	return `<package><manifest>` + items.String() + `</manifest><spine>` + spine.String() + `</spine></package>`
}

func TestPartsOfBooks(t *testing.T) {
	const page = "<html><body><p>Words.</p></body></html>"
	for _, item := range []string{
		`href="a.xhtml" media-type="APPLICATION/XHTML+XML; charset=utf-8"`, `href="a.xhtml" media-type="application/octet-stream"`,
		`href="a.xhtml"`, `href="A.XHTML" media-type="text/html"`, `href="./a.xhtml" media-type="text/html"`,
		`href="../a.xhtml" media-type="application/xml"`, `href="/a.xhtml" media-type="application/x-dtbook+xml"`, `href="b%61%2Fc" fallback="c"`,
	} {
		document := strings.Replace(opf(item, ""), "</manifest>", `<item id="c" href="a.xhtml" media-type="text/html"/></manifest>`, 1)
		doc := read(t, "a.epub", packed("book.opf", document, "a.xhtml", page))
		require.Equal(t, "Words.", doc.Text, item)
		require.Empty(t, doc.Notes, item)
	}
	doc := read(t, "a.epub", packed(
		"X/book.opf", opf(`href="a.xhtml"`, "", "href='cafe\u0301.html'", `linear="no"`, `href="p.pdf" media-type="application/pdf"`, "",
			`href="bad.html"`, "", `href="gone.html"`, "", `href="a.xhtml#two"`, "", `href="n.txt" media-type="text/plain"`, ""),
		"x/A.xhtml", "<p>old</p>", "x/A.xhtml", page, "X/café.html", "<p>Aside.</p>", "X/bad.html", "a\x00b", "X/n.txt", "Plain <words>.", "../evil", "x",
		`C:\dir\`, "", "/etc/passwd", "x"))
	require.Equal(t, "Words.\n\nAside.\n\nPlain <words>.", doc.Text)
	require.Equal(t, map[string]string{
		"part_aside":   "The part “X/cafe\u0301.html” is outside of the reading order of the book, and is read where the book lists it.",
		"part_no_text": "The part “X/p.pdf” has no text that can be read.",
		"part_damaged": "The part “X/bad.html” is damaged and was left out.",
		"part_missing": "The part “X/gone.html” is missing in the book.",
	}, details(doc))

	spineless := strings.Replace(opf(`href="a.xhtml"`, ""), "spine>", "x>", 2)
	require.Equal(t, "Words.", read(t, "a.epub", packed("book.opf", spineless, "a.xhtml", page)).Text)
	require.Equal(t, "Words.", read(t, "a.epub", packed("book.opf", strings.TrimSuffix(opf(`href="a.xhtml"`, ""), "</spine></package>")+"<",
		"a.xhtml", page)).Text, "cut off")
	require.Equal(t, "Words.", read(t, "a.epub", packed("META-INF/container.xml", `<container><rootfiles><rootfile full-path="x.pdf"
		media-type="application/pdf"/><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
		"other.opf", "<package/>", "x.pdf", "", "b.opf", opf(`href="a.xhtml"`, ""), "a.xhtml", page)).Text, "the package of several roots")
}

func html(t *testing.T, body string) string {
	t.Helper()
	return read(t, "a.html", body).Text
}

func TestNoteMarks(t *testing.T) {
	for given, want := range map[string]string{
		"In 1984<sup>1</sup> it began.<sup><a href='#f2'>2</a></sup> So":                        "In 1984 it began. So",
		"word<a href='#n1'><sup>12</sup></a>, word<sup>[3]</sup>":                               "word, word",
		"word<sup>*</sup> word<a href='n.xhtml#a'>†</a> <a href='#n'>[4]</a>.":                  "word word.",
		"word<sup>1,2</sup> word<sup>1–3</sup> word <sup>4</sup>, end":                          "word word word, end",
		"“Yes.”<sup>5</sup> (so)<sup>6</sup> 3.<sup>7</sup>":                                    "“Yes.” (so) 3.",
		"10<sup>6</sup> 2<sup>10</sup> 1,000<sup>2</sup> 10<sup>-3</sup>":                       "10⁶ 2¹⁰ 1,000² 10⁻³",
		"5 m<sup>2</sup>, 3 km<sup>2</sup>, 9.81 m/s<sup>2</sup>, s<sup>−1</sup>":               "5 m², 3 km², 9.81 m/s², s⁻¹",
		"E = mc<sup>2</sup>; x<sup>2</sup>+y<sup>3</sup>; (a+b)<sup>2</sup>":                    "E = mc²; x²+y³; (a+b)²",
		"H<sub>2</sub>O, CO<sub>2</sub>, x<sub>1</sub>":                                         "H2O, CO2, x1",
		"the 1<sup>st</sup> of XX<sup>e</sup>, Acme<sup>TM</sup>":                               "the 1st of XXe, Acme™",
		"<sup>1</sup>/<sub>2</sub> cup, 2<sup>3</sup>⁄<sub>4</sub> cups":                        "1/2 cup, 2 3⁄4 cups",
		"see chapter <a href='#c3'>3</a> and <a href='#x'>this part</a>.":                       "see chapter 3 and this part.",
		"a <sup>whole raised sentence stays</sup> there":                                        "a whole raised sentence stays there",
		"aged 42<sup><a href='notes.xhtml'>7</a></sup> or 42<a href='n.xhtml'><sup>8</sup></a>": "aged 42 or 42",
		"<a href='x'>an area of 3 km<sup>2</sup> and more</a>":                                  "an area of 3 km² and more",
		"<a href='#e'>10<sup>6</sup></a> and <a href='#e'>word<sup>3</sup></a>":                 "10⁶ and word",
		"<a id='here'>word</a><sup>2</sup> <a>10<sup>2</sup></a>":                               "word 10²",
		"an end<sup>8": "an end",
	} {
		require.Equal(t, want, html(t, "<p>"+given), given)
	}
	require.Equal(t, "10⁶ and 1984, 2 m²", read(t, "a.md", "10<sup>6</sup> and 1984<sup>[1]</sup>, 2 m<sup>2</sup>").Text)
}

func TestPictures(t *testing.T) {
	for given, want := range map[string]string{
		`<h1><img src="t.png" alt="Chapter One"></h1><p><img alt="O"/>nce upon`: "Chapter One\n\nOnce upon",
		`<p><span class="cap"><img src="x/O.gif" alt=""></span>nce upon a time`: "Once upon a time",
		`<p>
 <img src="cap_t.png">he end`: "The end",
		`<p>a<img src="b.png">b <img src="i.png"> see`:                          "ab see",
		`<p>before<img alt="A map of the island">after`:                         "before A map of the island after",
		`<p>x<img alt="image"><img alt="IMG_1.jpg"><img alt="Cover image"></p>`: "x",
		`<p>x <math alttext="a plus b"><mi>a</mi><mo>+</mo></math> y</p>`:       "x a plus b y",
		`<p>x <math><mi>a</mi><mo>+</mo><mn>1</mn></math> y</p>`:                "x a+1 y",
		`<object data="a.svg"><p>The text inside.</p></object>`:                 "The text inside.",
		`<svg><title>Chapter Two</title><path d="x"/></svg><p>x`:                "Chapter Two\n\nx",
		`<svg><text x="1">The</text><text>End</text></svg>`:                     "The\nEnd",
	} {
		require.Equal(t, want, html(t, given), given)
	}
	doc := read(t, "a.html", `<p>x<img><img alt=""><svg><image href="a"/></svg><video src="a">No video</video><p hidden>secret</p><p style="display: none">x</p>`)
	require.Equal(t, map[string]string{
		"pictures": "3 pictures without a description were left out.", "media": "1 audio or video part was left out.",
		"hidden": "2 hidden parts were left out.",
	}, details(doc))
}

func TestHTML(t *testing.T) {
	doc := read(t, "a.htm", `<!DOCTYPE html><html><head><title>My &amp; page</title><style>p{}</style><script>var a = "<p>no</p>"</script></head>
<body><nav>Home | About</nav><h1>A heading</h1><p>One&nbsp;paragraph &ndash; with <b>bold</b> and
a line.<p>Two<br>lines<br><br>and a paragraph.<ul><li>One<li>Two</ul><ol><li><p>Three</p></li></ol><table><tr><th>Name</th><th>Price</th></tr>
<tr><td>Apple</td><td>5</td></tr></table><div>Block</div><div class="line">A poem</div><div class="line">has lines</div>
<pre>code
here

there</pre><q>Yes</q>&shy;, he said.</body></html>`)
	require.Equal(t, "A heading\n\nOne paragraph – with bold and a line.\n\nTwo\nlines\n\nand a paragraph.\n\nOne\nTwo\n\nThree\n\n"+
		"Name, Price\nApple, 5\n\nBlock\n\nA poem\nhas lines\n\ncode\nhere\n\nthere\n\n“Yes”, he said.", doc.Text)
	require.Equal(t, "My & page", doc.Title)
	require.Equal(t, "html", doc.Format)
	require.Equal(t, map[string]string{"contents": "1 table of contents was left out."}, details(doc))
	require.Equal(t, "The heading", read(t, "a.xhtml", "<h1>The <i>heading</i></h1><p>x").Title)
	require.Equal(t, "a", read(t, "a.xhtml", "<p>x").Title)
	for _, document := range []string{
		"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2",
		`<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>` + "\xf0\xd2\xc9\xd7\xc5\xd4",
		"\xef\xbb\xbf<meta charset=koi8-r><p>Привет",
		"\xff\xfe<\x00p\x00>\x00\x1f\x04@\x048\x042\x045\x04B\x04",
	} {
		require.Equal(t, "Привет", read(t, "a.html", document).Text, "%q", document)
	}
}

func TestEncodingOfAFile(t *testing.T) {
	for name, want := range map[string][2]string{
		"txt-1251.txt": {"Привет, мир. Это книга.", "windows-1251"}, "txt-latin2.txt": {"Zażółć gęślą jaźń.", "ISO-8859-2"},
		"txt-macroman.txt": {"Café “quoted” it’s", "macintosh"}, "txt-sjis.txt": {"吾輩は猫である。名前はまだ無い。", "Shift_JIS"},
		"srt-1251.srt": {"Привет, как дела?", "windows-1251"}, "srt-utf16nobom.srt": {"Hello there.", "UTF-16LE"},
	} {
		raw, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		doc := read(t, name, string(raw))
		require.Equal(t, want, [2]string{doc.Text, doc.Encoding}, name)
		require.Equal(t, []extract.Note{{
			Code: "encoding_guessed", Params: map[string]any{"encoding": want[1]},
			Detail: "The file does not name its character encoding; it was read as " + want[1] + ".",
		}}, doc.Notes, name)
	}
	raw, err := os.ReadFile("testdata/txt-utf8-bad.txt")
	require.NoError(t, err)
	doc := read(t, "a.txt", string(raw))
	require.Contains(t, doc.Text, "it’s fine. \ufffd Ende – “gut”.")
	require.Equal(t, map[string]string{"bad_characters": "1 character was not valid in UTF-8 and became \ufffd."}, details(doc))

	doc, err = (&extract.Extractor{}).ExtractAs(t.Context(), "a.txt", "koi8-r", []byte("\xf0\xd2\xc9\xd7\xc5\xd4"))
	require.NoError(t, err)
	require.Equal(t, extract.Document{Text: "Привет", Title: "a", Format: "txt", Encoding: "KOI8-R", Notes: []extract.Note{}}, doc)
	for _, name := range []string{"a.txt", "a.pdf", "a.epub"} {
		_, err = (&extract.Extractor{}).ExtractAs(t.Context(), name, "klingon", []byte("x"))
		require.ErrorContains(t, err, "klingon", name)
	}
}

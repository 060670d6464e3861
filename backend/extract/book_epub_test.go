package extract_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// bookOf returns the book in a file with this content.
func bookOf(t *testing.T, name, content string) extract.Book {
	t.Helper()
	book, err := (&extract.Extractor{}).Book(t.Context(), name, "", spooled(t, content))
	require.NoError(t, err)
	return book
}

// lines returns blocks as lines: where sections begin, the kind, and the text with {class:words} and [what is spoken].
func lines(blocks []backend.Block) string {
	var out strings.Builder
	for _, b := range blocks {
		for _, s := range b.Begins {
			fmt.Fprintf(&out, "%s %s\n", strings.Repeat("=", s.Level), s.Title)
		}
		out.WriteString(string(b.Kind))
		if b.Level > 0 {
			fmt.Fprint(&out, b.Level)
		}
		out.WriteString(":")
		for _, s := range b.Spans {
			text := s.Text
			if s.Say != "" {
				text += "[" + s.Say + "]"
			}
			if s.Class != "" {
				text = "{" + string(s.Class) + ":" + text + "}"
			}
			out.WriteString(strings.ReplaceAll(text, "\n", "/"))
		}
		out.WriteString("\n")
	}
	return out.String()
}

func pageLines(t *testing.T, body string) string {
	t.Helper()
	return strings.TrimSpace(lines(bookOf(t, "a.html", body).Blocks))
}

func TestBlocksOfAPage(t *testing.T) {
	for given, want := range map[string]string{
		"<p>One <b>two</b>\nthree<p>Four<br>five<br><br>six":                                                                              "paragraph:One two three\nparagraph:Four/five\nparagraph:six",
		"<ul><li>One<li><p>Two</ul><dl><dt>A<dd>b</dl>":                                                                                   "list:One\nlist:Two\nlist:A\nlist:b",
		"<blockquote><p>Said</p></blockquote><p>x":                                                                                        "quote:Said\nparagraph:x",
		"<p><span class=dropcap>T</span><small>HE</small> end of <i>T</i>his":                                                             "paragraph:THE end of This",
		`<p><img alt="T" src="t.png">he end<p>x<p><img alt="A map"></p>`:                                                                  "paragraph:[T]he end\nparagraph:x\nimage:{captions:[A map]}",
		`<p>before<img alt="the sea">after`:                                                                                               "paragraph:before [the sea] after",
		`<figure><img alt="A dog"><figcaption>Fig. 1: Rex</figcaption></figure><p>x`:                                                      "image:{captions:[A dog]}\nimage:{captions:Fig. 1: Rex}\nparagraph:x",
		"<p>In 1984<sup>1</sup> it <a href='#n2'>[2]</a>, 10<sup>6</sup>":                                                                 "paragraph:In 1984{note_marks:1} it{note_marks: [2]}, 10⁶",
		`<p>word<a epub:type="noteref" href="#n">1</a>. <span role="doc-pagebreak">12</span>Next <span class="pagenum">[Pg 3]</span>page`: "paragraph:word{note_marks:1}.{page_numbers: 12}Next{page_numbers: [Pg 3]}page",
		`<p>The <a epub:type="noteref" href="#n">old harbour</a>, <a epub:type="noteref" href="#m"><sup>[*]</sup></a> so`:                 "paragraph:The old harbour,{note_marks: [*]} so",
		`<h2><img alt="logo x"><br>Words</h2>`:                                                                                            "== logo x Words\nheading2:[logo x]/Words",
		`<aside epub:type="footnote"><p><a href="#r">1</a> A note.</p></aside><p>x`:                                                       "note:{notes:1 A note.}\nparagraph:x",
		"<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>です":                                                                      "paragraph:漢[かん]字[じ]です",
		"<p>この <ruby><rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt></ruby>は":                                                                 "paragraph:この 東京[とうきょう]は",
		`<p>x <math alttext="a plus b"><mi>a</mi><mo>+</mo><mi>b</mi></math> y`:                                                           "paragraph:x a+b[a plus b] y",
		"<svg><title>A drawing</title><text>The</text><text>E<tspan>nd</tspan></text></svg><object data='a.svg'><p>Inside</p></object>":   "image:{captions:[A drawing]}\nparagraph:The\nparagraph:End\nparagraph:Inside",
		"<p>x<p hidden>secret<p>y <button>Go</button><script>no</script><style>no</style>":                                                "paragraph:x\nparagraph:{aside:secret}\nparagraph:y\nparagraph:{aside:Go}",
		"<nav><ol><li>Home</ol></nav><p>x":                                                                                                "list:{contents:Home}\nparagraph:x",
		"<pre>one\ntwo\n\nthree</pre>":                                                                                                    "paragraph:one/two\nparagraph:three",
		"<p>x<p>See https://a.example/b.":                                                                                                 "paragraph:x\nparagraph:See{urls: https://a.example/b}.",
		"<p>an<span>other</span> an<wbr>other":                                                                                            "paragraph:another another",
	} {
		require.Equal(t, want, pageLines(t, given), given)
	}
}

func TestVerses(t *testing.T) {
	for given, want := range map[string]string{
		`<div class="stanza"><div>One,</div><div>two <span class="lnum">5</span></div></div><div class="stanza"><div>three</div></div>`: "verse:One,/two{page_numbers: 5}\nverse:three",
		`<div class="poem"><p>One<br>two</p><p>three</p></div><p>x`:                                                                     "verse:One/two\nverse:three\nparagraph:x",
		`<div class="line">One</div><div class="line">two</div><p>x`:                                                                    "verse:One/two\nparagraph:x",
		`<blockquote epub:type="z3998:verse"><p><span>One</span><br/><span>two</span></p></blockquote>`:                                 "verse:One/two",
	} {
		require.Equal(t, want, pageLines(t, given), given)
	}
}

func TestScenes(t *testing.T) {
	for _, given := range []string{
		"<hr>", "<p>***</p>", "<p>* * *</p>", "<p>#</p>", "<p>⁂</p>", "<p>•  •  •", `<p class="scene-break">&nbsp;</p>`, `<p class="empty-line"/>`,
		`<hr/><p class="tb">* * *</p>`, "<div class='section-break'><img src='x.png'></div>", "<p>—</p>",
	} {
		require.Equal(t, "paragraph:One\nscene:\nparagraph:Two", pageLines(t, "<p>One</p>"+given+"<p>Two</p>"), given)
	}
	require.Equal(t, "paragraph:One\nparagraph:“#”\nparagraph:Two", pageLines(t, "<p>One</p><p>“#”</p><p>Two</p>"))
}

// Tables of data are left out; a play, a poem, a dialogue and what is only laid out as a table are text.
func TestTables(t *testing.T) {
	for given, want := range map[string]string{
		"<table><caption>Prices</caption><tr><th>Name<th>Price<tr><td>Apple<td>5<tr><td>Pear, green<td>7 cents<sup>1</sup></table><p>x": "table:{tables:Prices}\ntable:{tables:Name, Price}\ntable:{tables:Apple, 5}\n" +
			"table:{tables:Pear, green, 7 cents1}\nparagraph:x",
		"<table><tr><td>Lane<td>I didn’t think it polite to listen, sir.<tr><td>Algernon<td>I’m sorry for that, for your sake.<sup>1</sup><tr><td>Lane<td>Yes, sir.</table>": "paragraph:Lane, I didn’t think it polite to listen, sir.\n" +
			"paragraph:Algernon, I’m sorry for that, for your sake.{note_marks:1}\nparagraph:Lane, Yes, sir.",
		"<table><tr><td>The woods are lovely, dark and deep,<tr><td>But I have promises to keep,<td>5</table>": "paragraph:The woods are lovely, dark and deep,\nparagraph:But I have promises to keep, 5",
		"<table role=presentation><tr><td>Menu<td>Text</table>":                                                "paragraph:Menu, Text",
		"<table><tr><td><h2>A</h2><p>Text</table>":                                                             "== A\nheading2:A\nparagraph:Text",
		"<p>x<table><tr><td>1<td><table><tr><td>2<td>3</table></table>y":                                       "paragraph:x\ntable:{tables:1}\ntable:{tables:2, 3}\nparagraph:y",
	} {
		require.Equal(t, want, pageLines(t, given), given)
	}
}

func TestMatterOfAPage(t *testing.T) {
	for given, want := range map[string]string{
		`<section epub:type="frontmatter titlepage"><h1>T</h1><p epub:type="epigraph">In the beginning</p></section><p>x`:            "heading1:{front_matter:T}\n==?",
		`<section epub:type="frontmatter preface"><p>Before</p></section><section epub:type="colophon"><p>Set in type</p></section>`: "paragraph:Before\nparagraph:{back_matter:Set in type}",
		`<section role="doc-acknowledgments"><p>Thanks</p></section><section role="doc-epilogue"><p>After</p></section>`:             "paragraph:{back_matter:Thanks}\nparagraph:After",
		`<section class="pg-boilerplate" id="pg-header"><p>Licence</p></section><p>x<section id="pg-footer"><p>More</p></section>`:   "paragraph:{front_matter:Licence}\nparagraph:x\nparagraph:{back_matter:More}",
		`<body epub:type="backmatter"><aside epub:type="endnotes"><p>n</p></aside><p>x`:                                              "paragraph:{back_matter:n}\nparagraph:{back_matter:x}",
	} {
		got := pageLines(t, given)
		if strings.Contains(want, "==?") { // what is of the work in front matter
			want = "heading1:{front_matter:T}\nparagraph:In the beginning\nparagraph:x"
		}
		require.Equal(t, want, got, given)
	}
}

func TestHeadingsOfAPage(t *testing.T) {
	book := bookOf(t, "a.html", `<html lang="de"><head><title>Das Buch</title><meta name="author" content="A. Weber"></head><body><h1>Teil <i>I</i></h1><h2>Eins</h2>`+
		`<h2>Das Haus</h2><p>x<h2><img alt="Zwei"></h2><p>y<h1>Impressum</h1><p>z`)
	require.Equal(t, `= Teil I
== Eins
heading1:Teil I
heading2:Eins
== Das Haus
heading2:Das Haus
paragraph:x
== Zwei
heading2:[Zwei]
paragraph:y
= Impressum
heading1:{front_matter:Impressum}
paragraph:{front_matter:z}
`, lines(book.Blocks))
	require.Equal(t, backend.ManuscriptMeta{Title: "Das Buch", Authors: []string{"A. Weber"}, Language: "de"}, book.ManuscriptMeta)
}

// The only heading of the first level is the title of a page when it begins the page, or has the words of its title.
func TestTitleAboveTheHeadingsOfAPage(t *testing.T) {
	const chapters = `<h2>Eins</h2><p>x</p><h3>Am Fluss</h3><p>y</p><h2>Zwei</h2><p>z</p>`
	below := []backend.Section{{Title: "Eins", Level: 1}, {Title: "Am Fluss", Level: 2}, {Title: "Zwei", Level: 1}}
	within := func(title string) []backend.Section {
		return []backend.Section{{Title: title, Level: 1}, {Title: "Eins", Level: 2}, {Title: "Am Fluss", Level: 3}, {Title: "Zwei", Level: 2}}
	}
	for body, want := range map[string][]backend.Section{
		`<h1>Das Buch</h1><p>von A. Weber</p>` + chapters:                                                below,
		`<nav><h2>Inhalt</h2><a href="#a">Eins</a></nav><h1>Das Buch</h1><p>von A. Weber</p>` + chapters: below,
		`<h1>Ein anderer Name</h1><p>von A. Weber</p>` + chapters:                                        below,
		`<p>A. Weber</p><h1>Das <i>Buch</i></h1><p>Roman</p>` + chapters:                                 below,
		`<p>A. Weber</p><h1>Anfang</h1><p>w</p>` + chapters:                                              within("Anfang"),
		`<h1>Teil 1</h1><p>w</p>` + chapters:                                                             within("Teil 1"),
		`<h1>Das Buch</h1><p>w</p>` + chapters + `<h1>Danach</h1>`:                                       append(within("Das Buch"), backend.Section{Title: "Danach", Level: 1}),
		`<h1>Das Buch</h1><p>w</p>`:                                                                      {{Title: "Das Buch", Level: 1}},
	} {
		book := bookOf(t, "a.html", "<title>Das Buch</title><body>"+body)
		require.Equal(t, want, begins(book), body)
		require.Equal(t, "Das Buch", book.Title)
	}
}

// The free books in testdata/books: the words of the body as an independent reader counts them, by class, and the entries of the table
// of contents on each level.
func TestBooks(t *testing.T) {
	for name, want := range map[string]struct {
		body    int
		left    map[backend.TextClass]int
		entries map[int]int
		authors []string
		title   string
	}{
		"childrens-literature": {
			54837,
			map[backend.TextClass]int{"": 54233, "back_matter": 297, "contents": 224, "page_numbers": 83},
			map[int]int{1: 1, 2: 11, 3: 15, 4: 4},
			[]string{"Charles Madison Curry", "Erle Elsworth Clippinger"},
			"Children's Literature",
		},
		"kusamakura-preview": {
			539, map[backend.TextClass]int{"": 501, "front_matter": 37, "aside": 1}, map[int]int{1: 1}, []string{"夏目 漱石"}, "草枕",
		},
		"se-sherlock-ncx-only": {
			105283,
			map[backend.TextClass]int{"": 104579, "back_matter": 501, "front_matter": 203},
			map[int]int{1: 16, 2: 3},
			[]string{"Arthur Conan Doyle"},
			"The Adventures of Sherlock Holmes",
		},
		"w3c-cnt-svg-support": {11, map[backend.TextClass]int{"": 11}, map[int]int{1: 1}, []string{"Dan Lazin"}, "cnt-svg-support"},
		"w3c-nav-activation": {
			32, map[backend.TextClass]int{"": 23, "contents": 9}, map[int]int{1: 2}, []string{"Dave Cramer"}, "nav-activation",
		},
		"w3c-pkg-creator-order": {
			25,
			map[backend.TextClass]int{"": 25},
			map[int]int{1: 1},
			[]string{"Dave Cramer", "Wendy Reid", "Dan Lazin", "Ivan Herman", "Brady Duga"},
			"pkg-creator-order",
		},
		"w3c-pkg-spine-duplicate-item-rendering": {
			21, map[backend.TextClass]int{"": 21}, map[int]int{1: 2}, []string{"Dan Lazin"}, "pkg-spine-duplicate-item-rendering",
		},
		"w3c-pkg-spine-nonlinear-activation": {
			21, map[backend.TextClass]int{"": 12, "aside": 9}, map[int]int{1: 1}, []string{"Dave Cramer"}, "pkg-spine-nonlinear-activation",
		},
		"w3c-pkg-spine-order":        {71, map[backend.TextClass]int{"": 71}, map[int]int{1: 1}, []string{"Dave Cramer"}, "pkg-spine-order"},
		"w3c-pkg-title-order":        {19, map[backend.TextClass]int{"": 19}, map[int]int{1: 1}, []string{"Dave Cramer"}, "pkg-title-order"},
		"w3c-pub-foreign_json-spine": {7, map[backend.TextClass]int{"": 7}, map[int]int{1: 1}, []string{"Dave Cramer"}, "pub-foreign_json-spine"},
		"epubcheck-ocf-filename-duplicate-zip-entry-error": {
			4, map[backend.TextClass]int{"": 4}, map[int]int{1: 1}, []string{}, "Minimal EPUB 3.0",
		},
		"epubcheck-ocf-minimal-valid": {4, map[backend.TextClass]int{"": 4}, map[int]int{1: 1}, []string{}, "Minimal EPUB 2.0"},
	} {
		book, err := (&extract.Extractor{}).Book(t.Context(), name+".epub", "", "testdata/books/"+name+".epub")
		require.NoError(t, err, name)
		total, classes := backend.CountWords(book.Blocks)
		left, sum := map[backend.TextClass]int{}, 0
		for _, c := range classes {
			left[c.Class] = c.Words
			sum += c.Words
		}
		entries := map[int]int{}
		for _, b := range book.Blocks {
			for _, s := range b.Begins {
				entries[s.Level]++
			}
		}
		require.Equal(t, want.body, total, name)
		require.Equal(t, want.body, sum, name)
		require.Equal(t, want.left, left, name)
		require.Equal(t, want.entries, entries, name)
		require.Equal(t, want.authors, book.Authors, name)
		require.Equal(t, want.title, book.Title, name)
	}
	_, err := (&extract.Extractor{}).Book(t.Context(), "a.epub", "", "testdata/books/epubcheck-ocf-zip-unreadable-no-end-header-fatal.epub")
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
}

func TestCoverAndSeries(t *testing.T) {
	book, err := (&extract.Extractor{}).Book(t.Context(), "a.epub", "", "testdata/books/se-sherlock-ncx-only.epub")
	require.NoError(t, err)
	require.Equal(t, "image/jpeg", book.Cover.MediaType)
	_, err = jpeg.Decode(bytes.NewReader(book.Cover.Data))
	require.NoError(t, err)
	require.Equal(t, "Sherlock Holmes", book.Series)
	require.Equal(t, "3", book.SeriesPart)
	require.Equal(t, "Standard Ebooks", book.Publisher)
	require.Equal(t, "2018", book.Year)
	require.Equal(t, "en-GB", book.Language)
	require.NotContains(t, book.Description, "<")
}

// small is a book with two files, of which the package document is made of these parts.
func small(metadata, items, spine, guide string, files ...string) string {
	return packed(append([]string{
		"b.opf", `<package><metadata>` + metadata + `</metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>` +
			`<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>` + items + `</manifest><spine toc="ncx"><itemref idref="a"/>` +
			`<itemref idref="b"/>` + spine + `</spine>` + guide + `</package>`,
		"a.xhtml", `<body><p>Before.</p><h2 id="one">One</h2><p>Text one <span id="mid">goes</span> on.</p><h2>Sub</h2><p>More.</p></body>`,
		"b.xhtml", `<body><h1 id="two">Two</h1><p>Text two.</p></body>`,
	}, files...)...)
}

const navItem = `<item id="nav" href="x/nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>`

func TestContentsOfABook(t *testing.T) {
	nav := func(list string) string {
		return small("", navItem, "", "", "x/nav.xhtml", `<nav epub:type="page-list"><ol><li><a href="../b.xhtml">2</a></li></ol></nav><nav epub:type="toc"><h1>C</h1><ol>`+list+`</ol></nav>`)
	}
	for name, c := range map[string]struct{ book, want string }{
		"fragments, a part without a link, two links to one place": {
			nav(`<li><span>Part <b>I</b></span><ol><li><a href="../a.xhtml#one">One</a><li><a href="../a.xhtml#mid"><img alt="Middle"/></a></ol>` +
				`<li><a href="../b.xhtml">II</a><li><a href="../b.xhtml#two">The Two</a>`),
			`paragraph:Before.
= Part I
== One
heading2:One
paragraph:Text one
== Middle
paragraph:goes on.
heading2:Sub
paragraph:More.
= II: The Two
heading1:Two
paragraph:Text two.
`,
		},
		"parts that are only words between the chapters": {
			nav(`<li>Part I<li><a href="../a.xhtml#one">One</a><ol><li><a href="../a.xhtml#mid">Middle</a></ol><li>Part II<li><a href="../b.xhtml#two">Two</a><li>More`),
			`paragraph:Before.
= Part I
== One
heading2:One
paragraph:Text one
=== Middle
paragraph:goes on.
heading2:Sub
paragraph:More.
= Part II
== Two
heading1:Two
paragraph:Text two.
`,
		},
		"the order of the spine": {
			nav(`<li><a href="../b.xhtml">Two</a><li><a href="../a.xhtml">One</a>`),
			`= One
paragraph:Before.
heading2:One
paragraph:Text one goes on.
heading2:Sub
paragraph:More.
= Two
heading1:Two
paragraph:Text two.
`,
		},
		"the NCX": {
			small("", `<item id="ncx" href="toc.ncx"/>`, "", "", "toc.ncx", `<ncx><navMap><navPoint><navLabel><text>Part</text></navLabel><content src="a.xhtml#one"/>`+
				`<navPoint><navLabel><text> Two </text></navLabel><content src="b.xhtml"/></navPoint></navPoint></navMap></ncx>`),
			`paragraph:Before.
= Part
heading2:One
paragraph:Text one goes on.
heading2:Sub
paragraph:More.
== Two
heading1:Two
paragraph:Text two.
`,
		},
		"headings from where the guide says that the text starts": {
			small("", "", "", `<guide><reference type="text" href="b.xhtml"/></guide>`),
			`paragraph:Before.
heading2:One
paragraph:Text one goes on.
heading2:Sub
paragraph:More.
= Two
heading1:Two
paragraph:Text two.
`,
		},
		"files": {
			small("", "", "", "", "a.xhtml", "<title>First</title><p>x", "b.xhtml", "<title>First</title><p>y"),
			"= First\nparagraph:x\n= 2\nparagraph:y\n",
		},
		"a file without words, and the title page of the guide": {
			small("", navItem, "", `<guide><reference type="title-page" href="b.xhtml"/></guide>`, "a.xhtml", "<p><img src='a.png'/></p>", "x/nav.xhtml",
				`<nav epub:type="toc"><ol><li><a href="../a.xhtml">Plate</a><li><a href="../b.xhtml">T</a></ol></nav>`),
			"= Plate\nimage:\n= T\nheading1:{front_matter:Two}\nparagraph:{front_matter:Text two.}\n",
		},
	} {
		require.Equal(t, c.want, lines(bookOf(t, "a.epub", c.book).Blocks), name)
	}
}

// Links to nowhere, and those of a table of contents to itself, are named; what has a file begins with it, unless another entry does.
func TestLostContents(t *testing.T) {
	book := bookOf(t, "a.epub", small("", navItem, "", "", "x/nav.xhtml", `<nav epub:type="toc"><ol><li><a href="#toc">Contents</a><li><a href="nav.xhtml">Loop</a>`+
		`<li><a href="../gone.xhtml">Gone</a><li><a href="../b.xhtml#gone">Moved</a><li><a href="../b.xhtml#lost">Lost</a><li>No link</ol></nav>`))
	require.Equal(t, []backend.Section{{Title: "Moved", Level: 1}}, book.Blocks[5].Begins)
	require.Equal(t, []extract.Note{{
		Code: "contents_lost", Detail: "6 entries of the table of contents lead nowhere, the first one is “Contents”.",
		Params: map[string]any{"count": 6, "title": "Contents"},
	}}, book.Notes)
}

func TestMetadataOfABook(t *testing.T) {
	book := bookOf(t, "a.epub", small(`<title id="s">A Novel</title><title id="m">The Main</title><meta refines="#m" property="title-type">main</meta>
		<creator role="aut">B. Author</creator><creator role="ill">An Illustrator</creator><creator>A. Author</creator><language>fr</language>
		<description>&lt;p&gt;A &lt;b&gt;book&lt;/b&gt;.&lt;/p&gt;</description><publisher>P</publisher><date>2001-02-03</date>
		<identifier>urn:uuid:1</identifier><identifier>urn:isbn:978-0-306-40615-7</identifier>
		<meta property="belongs-to-collection" id="c">Saga</meta><meta refines="#c" property="group-position">2</meta>`, "", "", ""))
	require.Equal(t, backend.ManuscriptMeta{
		Title: "The Main", Authors: []string{"B. Author", "A. Author"}, Language: "fr", Description: "A book.", Publisher: "P", Year: "2001",
		ISBN: "9780306406157", Series: "Saga", SeriesPart: "2",
	}, book.ManuscriptMeta)
	book = bookOf(t, "My file.epub", small(`<meta name="calibre:series" content="Old saga"/><meta name="calibre:series_index" content="4.0"/>`, "", "", ""))
	require.Equal(t, "My file", book.Title)
	require.Equal(t, []string{}, book.Authors)
	require.Equal(t, "Old saga 4", book.Series+" "+book.SeriesPart)
}

func TestCovers(t *testing.T) {
	var small1, small2 bytes.Buffer
	require.NoError(t, png.Encode(&small1, image.NewGray(image.Rect(0, 0, 2, 3))))
	require.NoError(t, jpeg.Encode(&small2, image.NewGray(image.Rect(0, 0, 2, 3)), nil))
	const item = `<item id="c" href="c.bin" media-type="image/png"/>`
	const usual = `<meta name="cover" content="c"/>`
	for name, c := range map[string]struct{ book, media, note string }{
		"properties": {small("", `<item id="c" href="c.bin" properties="cover-image"/>`, "", "", "c.bin", small1.String()), "image/png", ""},
		"meta":       {small(usual, item, "", "", "c.bin", small2.String()), "image/jpeg", ""},
		"a page of the guide": {
			small("", "", "", `<guide><reference type="cover" href="p/c.xhtml"/></guide>`, "p/c.xhtml", `<svg><image xlink:href="../c.bin"/></svg>`,
				"c.bin", small2.String()), "image/jpeg", "",
		},
		"none":          {small("", item, "", "", "c.bin", small1.String()), "", ""},
		"another kind":  {small(usual, item, "", "", "c.bin", "GIF89a"), "", "cover_unusable"},
		"cut off":       {small(usual, item, "", "", "c.bin", small1.String()[:20]), "", "cover_unusable"},
		"without end":   {small(usual, item, "", "", "c.bin", small1.String()[:small1.Len()-16]), "", "cover_unusable"},
		"missing":       {small(usual, item, "", ""), "", "cover_unusable"},
		"of 50 MB":      {small(usual, item, "", "", "c.bin", small1.String()+strings.Repeat("\x00", 50_000_000)), "", "cover_large"},
		"just below it": {small(usual, item, "", "", "c.bin", small1.String()+strings.Repeat("\x00", 19_000_000)), "image/png", ""},
	} {
		book := bookOf(t, "a.epub", c.book)
		if c.media == "" {
			require.Nil(t, book.Cover, name)
		} else {
			require.Equal(t, c.media, book.Cover.MediaType, name)
		}
		if c.note == "" {
			require.Empty(t, book.Notes, name)
		} else {
			require.Equal(t, c.note, book.Notes[0].Code, name)
		}
	}
}

func TestHostileBooks(t *testing.T) {
	var headings, nav, nested strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&headings, "<h2 id='h%d'>Heading %d</h2><p>x</p>", i, i)
		fmt.Fprintf(&nav, "<li><a href='../b.xhtml#h%d'>%d</a>", i, i)
		nested.WriteString("<li><span>a</span><ol>")
	}
	count := func(book extract.Book) (n int) {
		for _, b := range book.Blocks {
			n += len(b.Begins)
		}
		return n
	}
	many := bookOf(t, "a.epub", small("", navItem, "", "", "b.xhtml", headings.String(), "x/nav.xhtml", "<nav epub:type='toc'><ol>"+nav.String()+"</ol></nav>"))
	require.Equal(t, 10_000, count(many), "10,000 headings")
	deep := bookOf(t, "a.epub", small("", navItem, "", "", "x/nav.xhtml", "<nav epub:type='toc'><ol>"+nested.String()+"<li><a href='../b.xhtml'>x</a>"))
	require.Positive(t, count(deep), "a nav of 10,000 levels")
	require.NotPanics(t, func() { pageLines(t, strings.Repeat("<div><table><tr><td><ruby>", 5_000)+"x</b></div></table>y") }, "open elements")
	require.Equal(t, "heading1:"+strings.Repeat("A", 300), strings.Split(pageLines(t, "<h1>"+strings.Repeat("A", 300)), "\n")[1], "a long title")

	for name, change := range map[string]map[string]string{
		"no package": {"META-INF/container.xml": "<container/>", "OEBPS/book.opf": ""},
		"protected": {"META-INF/encryption.xml": `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/text/one.xhtml"/>` +
			`</CipherData></EncryptedData></encryption>`},
		"a fallback that is its own": {"OEBPS/book.opf": `<package><manifest><item id="a" href="a.pdf" media-type="application/pdf" fallback="a"/></manifest>` +
			`<spine><itemref idref="a"/></spine></package>`},
	} {
		_, err := (&extract.Extractor{}).Book(t.Context(), "a.epub", "", spooled(t, novel(change)))
		require.Contains(t, []backend.Code{backend.CodeUnsupportedMedia, backend.CodeNothingToSpeak}, backend.CodeOf(err), name)
	}
	whole := novel(nil)
	_, err := (&extract.Extractor{}).Book(t.Context(), "a.epub", "", spooled(t, whole[:len(whole)/2]))
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "cut off")
	_, err = extract.Limited(1000).Book(t.Context(), "a.epub", "", spooled(t, small("", "", "", "", "b.xhtml", strings.Repeat("word ", 10_000))))
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "too much text")
}

// Each word of a page is in exactly one span, however its elements are nested.
func TestEveryWordOnce(t *testing.T) {
	starts := []string{
		"p", "div", "div class=line", "div class=stanza", "span", "b", "a href=#x", "a href=#x epub:type=noteref", "sup", "sub", "q", "h2", "ul", "li", "table", "tr",
		"td", "th role=none", "blockquote", "section epub:type=frontmatter", "section epub:type=preface", "aside epub:type=footnote", "nav", "figure", "figcaption",
		"ruby", "rb", "svg", "text", "object", "math alttext=formula", "pre", "span hidden", "button", "video", "caption", "dl", "dt", "dd", "hgroup", "td id=x",
		"p class=tb", "span class=pagenum",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var page strings.Builder
		var open []string
		words := 0
		for range 30 {
			switch random.IntN(5) {
			case 0, 1:
				tag := starts[random.IntN(len(starts))]
				name, _, _ := strings.Cut(tag, " ")
				fmt.Fprintf(&page, "<%s>", tag)
				open = append(open, name)
			case 2, 3:
				fmt.Fprintf(&page, " w%dx ", words)
				words++
			default:
				if n := len(open); n > 0 {
					at := n - 1 - random.IntN(min(n, 2)) // now and then the wrong one
					fmt.Fprintf(&page, "</%s>", open[at])
					open = append(open[:at], open[at+1:]...)
				} else {
					page.WriteString([]string{"<br>", "<hr>", "<img alt='A'>", "<p/>", "<rt>say</rt>", "<script>no</script>", "<!-- x -->"}[random.IntN(7)])
				}
			}
		}
		if words == 0 {
			continue
		}
		book := bookOf(t, "a.html", page.String())
		count := map[string]int{}
		for _, b := range book.Blocks {
			for _, s := range b.Spans {
				for _, word := range backend.Words(s.Text) {
					count[word]++
				}
			}
		}
		for i := range words {
			require.Equal(t, 1, count[fmt.Sprintf("w%dx", i)], "w%dx of %s", i, page.String())
		}
		total, _ := backend.CountWords(book.Blocks)
		require.Equal(t, words, total, page.String())
	}
}

func FuzzBookPage(f *testing.F) {
	f.Add("<p>a<table><tr><td>b<ruby>c<rt>d</table>e<aside epub:type=footnote>f<sup>1</sup>")
	f.Add(chapterOne)
	f.Fuzz(func(t *testing.T, page string) {
		_, err := (&extract.Extractor{}).Book(t.Context(), "a.html", "", spooled(t, page))
		if err != nil {
			require.NotEqual(t, backend.CodeInternal, backend.CodeOf(err), err)
		}
	})
}

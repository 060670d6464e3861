package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// styled are the parts of a document with styles in German, lists and notes.
var styled = map[string]string{
	"word/styles.xml": `<w:styles xmlns:w="w">` +
		`<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Unter"><w:name w:val="Mein Unterkapitel"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Nummer"><w:name w:val="Numbered"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Titre2"><w:name w:val="Titre 2"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Liste"><w:name w:val="List Number"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>`,
	"word/numbering.xml": `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>` +
		`<w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:start w:val="1"/>` +
		`<w:numFmt w:val="upperRoman"/><w:lvlText w:val="Kapitel %1"/></w:lvl></w:abstractNum>` +
		`<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num></w:numbering>`,
	"word/footnotes.xml": `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>` +
		`<w:footnote w:id="1">` + para("", `<w:r><w:footnoteRef/></w:r>`+run(" The first note.")) + `</w:footnote>` +
		`<w:footnote w:id="2">` + para("", run("The second.")) + `</w:footnote></w:footnotes>`,
	"word/endnotes.xml": `<w:endnotes xmlns:w="w"><w:endnote w:id="1">` + para("", run("An endnote.")) + `</w:endnote></w:endnotes>`,
	"docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>The Trip</dc:title><dc:creator>Anna Bell; Ben Hill</dc:creator>` +
		`<dc:language>de-DE</dc:language><dc:description>A story.</dc:description><cp:keywords>rivers</cp:keywords></cp:coreProperties>`,
}

// shown returns the blocks of a manuscript as lines.
func shown(blocks []backend.Block) []string {
	var out []string
	for _, b := range blocks {
		line := string(b.Kind)
		if b.Level > 0 {
			line += fmt.Sprint(b.Level)
		}
		for _, s := range b.Begins {
			line += fmt.Sprintf(" {%d %s}", s.Level, s.Title)
		}
		for _, s := range b.Spans {
			line += " " + string(s.Class) + "[" + s.Text + s.Say + "]"
		}
		out = append(out, line)
	}
	return out
}

func TestDocxBook(t *testing.T) {
	note := func(kind, id string) string { return `<w:r><w:` + kind + `Reference w:id="` + id + `"/></w:r>` }
	cell := func(texts ...string) string {
		out := ""
		for _, text := range texts {
			out += para("", run(text))
		}
		return "<w:tc>" + out + "</w:tc>"
	}
	row := func(cells ...string) string { return "<w:tr>" + strings.Join(cells, "") + "</w:tr>" }
	body := para("Titel", run("Die Reise")) + para("Verzeichnis1", run("Ankunft 3")) +
		para("berschrift1", run("Ankunft")+note("footnote", "1")) + para("Unter", run("Am Fluss")) +
		para("", run("Sie kamen an.")+note("footnote", "2")+run(" Dann gingen sie.")+note("endnote", "1")+note("footnote", "2")) +
		para("", run("* * *")) + para("Liste", run("Brot")) + para("Liste", run("Milch")) + para("Zitat", run("So war es.")) +
		para("Nummer", run("Die Nacht")) + para("Titre2", run("La nuit")) +
		`<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr>` + run("Ganz unten") + `</w:p>` +
		para("", run("Ein Haus")+`<w:r><w:br/></w:r>`+run("am See")) + para("", run("Ende der Seite")+`<w:r><w:br w:type="page"/></w:r>`+run("und weiter.")) +
		`<w:tbl>` + row(cell("Name"), cell("Jahr")) + row(cell("Anna"), cell("1984")) + `</w:tbl>` +
		`<w:tbl>` + row(cell("ANNA"), cell("Wo ist der Weg zum Fluss geblieben?")) + row(cell("BEN"), cell("Er ist hier, gleich hinter dem Haus.")) + `</w:tbl>` +
		para("Beschriftung", run("Bild 1: Der Fluss")) +
		para("", run("Mit Kasten.")+`<w:r><w:pict><w:txbxContent>`+para("", run("Im Kasten"))+`</w:txbxContent></w:pict></w:r>`) +
		para("", `<w:del><w:r><w:delText>weg</w:delText></w:r></w:del>`+run("Das bleibt.")+`<w:r><w:commentReference w:id="1"/></w:r>`)
	book := readBook(t, "reise.docx", docx(body, styled))
	require.Equal(t, []string{
		"heading1 [Die Reise]", "list contents[Ankunft 3]", "heading1 {1 Ankunft} [Ankunft] note_marks[1]", "note notes[The first note.]",
		"heading2 {2 Am Fluss} [Am Fluss]", "paragraph [Sie kamen an.] note_marks[2] [ Dann gingen sie.] note_marks[i3]",
		"note notes[The second.]", "note notes[An endnote.]", "scene", "list [1. Brot]", "list [2. Milch]", "quote [So war es.]",
		"heading1 {1 Kapitel I Die Nacht} {2 La nuit} {3 Ganz unten} [Kapitel I Die Nacht]", "heading2 [La nuit]", "heading3 [Ganz unten]",
		"verse [Ein Haus\nam See]", "paragraph [Ende der Seite und weiter.]", "table tables[Name, Jahr]", "table tables[Anna, 1984]",
		"paragraph [ANNA]", "paragraph [Wo ist der Weg zum Fluss geblieben?]", "paragraph [BEN]", "paragraph [Er ist hier, gleich hinter dem Haus.]",
		"image captions[Bild 1: Der Fluss]", "paragraph [Mit Kasten.]", "paragraph captions[Im Kasten]", "paragraph [Das bleibt.]",
	}, shown(book.Blocks))
	require.Equal(t, backend.ManuscriptMeta{
		Title: "The Trip", Authors: []string{"Anna Bell", "Ben Hill"}, Language: "de-DE", Description: "A story.",
	}, book.ManuscriptMeta)
	require.Equal(t, []string{"comments", "deletions"}, codes(book.Notes))
}

// The description of a picture is spoken in place of it, wherever it is, and no word of the document.
func TestPicturesOfDocxBooks(t *testing.T) {
	picture := `<w:p><w:r><w:drawing><wp:docPr descr="A river at night"/><pic:pic/></w:drawing></w:r></w:p>`
	row := `<w:tr><w:tc>` + para("", run("Name")) + `</w:tc><w:tc>` + picture + `</w:tc></w:tr>`
	book := readBook(t, "a.docx", docx(picture+para("", run("Text."))+`<w:tbl>`+row+row+`</w:tbl>`+
		`<w:p><w:r><w:pict><w:txbxContent>`+picture+`</w:txbxContent></w:pict></w:r></w:p>`, nil))
	require.Equal(t, []string{"Text", "Name", "Name"}, wordsOf(book))
	said := 0
	for _, b := range book.Blocks {
		for _, span := range b.Spans {
			if span.Say != "" {
				require.Equal(t, backend.Span{Say: "A river at night", Class: backend.ClassCaptions}, span)
				said++
			}
		}
	}
	require.Equal(t, 4, said)
}

// A document without styles has the chapters of its words, and one whose titles are its chapters has these.
func TestDocxBooksWithoutHeadings(t *testing.T) {
	text := para("", run("It was a long way to the river."))
	book := readBook(t, "a.docx", docx(para("", run("Chapter 1"))+para("", run("The Way"))+text+para("", run("Chapter 2"))+text, nil))
	require.Equal(t, []backend.Section{{Title: "Chapter 1. The Way", Level: 1}, {Title: "Chapter 2", Level: 1}}, begins(book))

	book = readBook(t, "a.docx", docx(para("Titel", run("One"))+text+para("berschrift1", run("Below"))+text+para("Titel", run("Two"))+text, nil))
	require.Equal(t, []backend.Section{{Title: "One", Level: 1}, {Title: "Below", Level: 2}, {Title: "Two", Level: 1}}, begins(book))

	dropCap := `<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>` + run("I") + `</w:p>` + para("", run("t was so. He said \ufdd3so."))
	book = readBook(t, "a.docx", docx(dropCap, nil))
	require.Equal(t, []string{"paragraph [It was so. He said so.]"}, shown(book.Blocks))
}

func TestHostileDocxBooks(t *testing.T) {
	var many strings.Builder
	for i := range 10_000 {
		many.WriteString(para("berschrift1", run(fmt.Sprint("Title ", i))) + para("", run("Text.")))
	}
	require.Len(t, begins(readBook(t, "a.docx", docx(many.String()+para("", run("Text.")), nil))), 10_000)

	long := strings.Repeat("It was so. ", 30_000)
	book := readBook(t, "a.docx", docx(para("berschrift1", run("One"))+para("", run(long))+para("berschrift1", run(""))+para("berschrift1", run("Two")), nil))
	require.Equal(t, []backend.Section{{Title: "One", Level: 1}, {Title: "Two", Level: 1}}, begins(book))
	require.Len(t, wordsOf(book), 90_002)

	references := strings.Repeat(`<w:r><w:footnoteReference w:id="1"/></w:r>`, 10_000)
	notes := map[string]string{"word/footnotes.xml": `<w:footnotes xmlns:w="w"><w:footnote w:id="1">` + para("", run(long)) + `</w:footnote></w:footnotes>`}
	book = readBook(t, "a.docx", docx(para("", run("Text.")+references), notes))
	require.Len(t, wordsOf(book, backend.ClassNotes), 90_000)

	for text, language := range map[string]string{"שלום רב לכולם": "he", "吾輩は猫である。名前はまだ無い。": "ja"} {
		book = readBook(t, "a.docx", docx(para("berschrift1", run(text))+para("", run(text)), nil))
		require.Equal(t, []string{"heading1 {1 " + text + "} [" + text + "]", "paragraph [" + text + "]"}, shown(book.Blocks), language)
	}
}

package extract_test

import (
	"archive/zip"
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// docx returns a Word document with a body, and with other parts added or replaced.
func docx(body string, parts map[string]string) string {
	all := map[string]string{
		"word/document.xml": `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
			`xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="x" xmlns:v="y"><w:body>` + body +
			`<w:sectPr><w:pgSz w:w="11906"/></w:sectPr></w:body></w:document>`,
		"word/styles.xml": `<w:styles xmlns:w="w">` +
			`<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Liste"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Liste2"><w:basedOn w:val="Liste"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>`,
		"docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>The  Report</dc:title></cp:coreProperties>`,
	}
	maps.Copy(all, parts)
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(all[name]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

// para returns a paragraph with runs, in a style unless it is empty.
func para(style, runs string) string {
	properties := ""
	if style != "" {
		properties = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return "<w:p>" + properties + runs + "</w:p>"
}

func run(text string) string {
	return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>`
}

func codes(notes []extract.Note) []string {
	var all []string
	for _, n := range notes {
		all = append(all, n.Code)
	}
	return all
}

func TestWordDocument(t *testing.T) {
	const ref = `<w:r><w:footnoteReference w:id="2"/></w:r>`
	for name, c := range map[string]struct {
		body, want string
		notes      []string
	}{
		"paragraphs": {para("berschrift1", run("One")) + para("", run("It ")+run("is")+run(" so &amp; so.")) + para("", "") + para("", run("Next.")), "One\n\nIt is so & so.\n\nNext.", nil},
		"lists":      {para("", run("These:")) + para("Liste", run("a")) + para("Liste2", run("b")) + para("berschrift1", run("Head")), "These:\n\na\nb\n\nHead", nil},
		"own lists":  {`<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>` + run("a") + `</w:p><w:p><w:pPr><w:pStyle w:val="Liste"/><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>` + run("b") + `</w:p>`, "a\n\nb", nil},
		"footnotes":  {para("", run("Word")+ref+run(" of it.")+`<w:r><w:endnoteReference w:id="3" w:customMarkFollows="1"/><w:t>*</w:t></w:r>`), "Word of it.", []string{"footnotes"}},
		"changes": {para("", run("We ")+`<w:del w:id="1"><w:r><w:delText>never </w:delText></w:r></w:del><w:ins w:id="2">`+run("always ")+`</w:ins>`+run("go.")+`<w:moveFrom>`+run(" Away.")+`</w:moveFrom>`) +
			para("", `<w:moveTo>`+run("Away.")+`</w:moveTo>`), "We always go.\n\nAway.", []string{"deletions"}},
		"deleted end": {`<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>` + run("One ") + `</w:p>` + para("", run("sentence.")), "One sentence.", nil},
		"tables": {`<w:tbl><w:tblPr/><w:tr><w:tc><w:tcPr/>` + para("", run("a")) + `</w:tc><w:tc>` + para("", run("b")) + `</w:tc></w:tr><w:tr><w:tc>` + para("", run("c")) +
			`</w:tc><w:tc>` + para("", "") + `</w:tc></w:tr><w:tr><w:trPr><w:del w:id="1"/></w:trPr><w:tc>` + para("", run("gone")) + `</w:tc></w:tr></w:tbl>` + para("", run("After.")), "a, b\nc\n\nAfter.", []string{"deletions"}},
		"layout tables": {`<w:tbl><w:tr><w:tc>` + para("", run("One sentence.")) + `</w:tc><w:tc>` + para("", run("b")) + para("", run("c")) + `</w:tc></w:tr></w:tbl>`, "One sentence.\n\nb\n\nc", nil},
		"text boxes": {para("", run("Before ")+`<w:r><mc:AlternateContent><mc:Choice Requires="wps"><wps:txbx><w:txbxContent>`+para("", run("In the box."))+
			`</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>`+para("", run("In the box."))+`</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`+
			run("and after.")), "Before and after.\n\nIn the box.", nil},
		"fields": {para("", `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> REF x </w:instrText></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>`+run("inner")+
			`<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>`+run("Figure 1")+`<w:r><w:fldChar w:fldCharType="end"/></w:r>`+
			`<w:fldSimple w:instr=" DATE ">`+run(" shows")+`</w:fldSimple><w:hyperlink r:id="r">`+run(" this")+`</w:hyperlink>`), "Figure 1 shows this", nil},
		"characters": {para("", `<w:r><w:t>e</w:t><w:noBreakHyphen/><w:t>mail con</w:t><w:softHyphen/><w:t>sider</w:t><w:tab/><w:t>tab</w:t><w:br/><w:t>line</w:t><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/>`+
			`</w:r><w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>&#xF0B1;5</w:t></w:r>`), "e-mail consider tab\nlineα ±5", nil},
		"comments": {para("", `<w:commentRangeStart w:id="0"/>`+run("Said.")+`<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`), "Said.", []string{"comments"}},
		"hidden":   {para("", `<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Seen.</w:t></w:r>`), "Seen.", []string{"hidden"}},
		"contents": {`<w:sdt><w:sdtPr/><w:sdtContent>` + para("Verzeichnis1", run("One")+`<w:r><w:tab/></w:r>`+run("3")) + `</w:sdtContent></w:sdt>` + para("", run("Text.")), "Text.", []string{"contents_lines"}},
		"drop cap": {`<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>` + run("O") + `</w:p>` + para("", run("nce upon a time.")), "Once upon a time.", nil},
		"raised": {para("", run("In 1984")+`<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>1</w:t></w:r>`+run(" it was 10")+`<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>6</w:t></w:r>`+
			run(" H")+`<w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r>`+run("O.")), "In 1984 it was 10⁶ H2O.", []string{"note_marks"}},
		"pictures": {para("", run("Seen.")+`<w:r><w:drawing><wp:docPr id="1" descr="A black cat"/><pic:pic/></w:drawing><w:drawing><wp:docPr id="2" descr="cat.png"/><pic:pic/></w:drawing></w:r>`), "Seen.\n\nA black cat", []string{"pictures"}},
		"ruby":     {para("", `<w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>`+run("字")), "漢字", []string{"ruby"}},
	} {
		doc := read(t, "a.docx", docx(c.body, nil))
		require.Equal(t, c.want, doc.Text, name)
		require.Equal(t, c.notes, codes(doc.Notes), name)
		require.Equal(t, "docx", doc.Format)
		require.Equal(t, "The Report", doc.Title)
	}
}

func TestWordTitles(t *testing.T) {
	core := func(title string) map[string]string {
		return map[string]string{"docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>` + title + `</dc:title></cp:coreProperties>`}
	}
	body := para("", run("Text."))
	for _, junk := range []string{"", "Microsoft Word - report_final.doc", "report.docx", "Untitled", "Document1", "Dokument 2", "12"} {
		require.Equal(t, "My file", read(t, "My file.docm", docx(body, core(junk))).Title, junk)
		require.Equal(t, "On the page", read(t, "My file.docx", docx(para("Titel", run("On the page")), core(junk))).Title, junk)
	}
	require.Equal(t, "Cats & dogs", read(t, "My file.docx", docx(body, core("Cats &amp; dogs"))).Title)
	moved := map[string]string{
		"_rels/.rels":        `<Relationships><Relationship Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/word/document2.xml"/></Relationships>`,
		"word/document2.xml": `<document><body><p><r><t>Moved.</t></r></p></body></document>`, "word/header1.xml": `<hdr><p><r><t>Page header</t></r></p></hdr>`,
	}
	doc := read(t, "a.docx", docx(body, moved))
	require.Equal(t, "Moved.", doc.Text)
	require.Equal(t, []string{"page_headers"}, codes(doc.Notes))
}

func TestInvalidWordDocuments(t *testing.T) {
	ole := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)
	for name, c := range map[string]struct{ file, content, reason string }{
		"text":            {"a.docx", "Hello", "no_word"},
		"no document":     {"a.docx", novel(nil), "no_word"},
		"older format":    {"a.docx", ole + "W\x00o\x00r\x00d\x00D\x00o\x00c\x00u\x00m\x00e\x00n\x00t\x00", "old_word"},
		"by its name":     {"a.DOC", ole, "old_word"},
		"with a password": {"a.docx", ole + "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00", "password"},
		"too deep":        {"a.docx", docx(strings.Repeat("<w:sdt>", 2000)+para("", run("x"))+strings.Repeat("</w:sdt>", 2000), nil), "too_much"},
		"a bomb":          {"a.docx", docx(para("", run(strings.Repeat("a ", 33_000_000))), nil), "too_much"},
	} {
		_, err := (&extract.Extractor{}).Extract(t.Context(), c.file, []byte(c.content))
		e := backend.AsError(err)
		require.Equal(t, backend.CodeUnsupportedMedia, e.Code, name)
		require.Equal(t, c.reason, e.Params["reason"], name)
		require.NotEmpty(t, e.Remedy, name)
	}
	require.Equal(t, backend.CodeNothingToSpeak, code(t, "a.docx", docx(para("", ""), nil)))
	damaged := read(t, "a.docx", docx(para("", run("What is left."))+"<w:p><w:r", nil))
	require.Equal(t, "What is left.", damaged.Text)
	require.Equal(t, []string{"damaged"}, codes(damaged.Notes))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := (&extract.Extractor{}).Extract(ctx, "a.docx", []byte(docx(para("", run("x")), nil)))
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
}

// Package docx writes Word documents of a title, headings and paragraphs.
package docx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The parts that are the same for all documents (ECMA-376, Office Open XML): which parts there are, and the looks
// of title, turns and times.
const (
	contentTypes = xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`
	relations = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Target="word/document.xml" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>`
	documentRelations = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Target="styles.xml" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"/></Relationships>`
	namespace = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	styles    = xml.Header + `<w:styles ` + namespace + `>` +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>` +
		`<w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>` +
		`<w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/>` +
		`<w:pPr><w:keepNext/><w:spacing w:before="240"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>` +
		`<w:style w:type="character" w:styleId="Time"><w:name w:val="Time"/><w:rPr><w:color w:val="6B7280"/></w:rPr></w:style></w:styles>`
)

// Paragraph is one paragraph of a document.
type Paragraph struct {
	Heading bool
	Time    string // before the text; may be empty
	Text    string
}

// Write writes a document.
func Write(w io.Writer, title string, paragraphs []Paragraph) error {
	out := zip.NewWriter(w)
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", relations},
		{"word/_rels/document.xml.rels", documentRelations},
		{"word/styles.xml", styles},
		{"word/document.xml", document(title, paragraphs)},
	} {
		f, err := out.Create(part.name)
		if err == nil {
			_, err = io.WriteString(f, part.content)
		}
		if err != nil {
			return fmt.Errorf("write a Word document: %w", err)
		}
	}
	return out.Close()
}

func document(title string, paragraphs []Paragraph) string {
	var out strings.Builder
	out.WriteString(xml.Header + `<w:document ` + namespace + `><w:body>`)
	write(&out, "Title", Paragraph{Text: title})
	for _, p := range paragraphs {
		if p.Heading {
			write(&out, "Heading2", p)
		} else {
			write(&out, "", p)
		}
	}
	out.WriteString(`</w:body></w:document>`)
	return out.String()
}

func write(out *strings.Builder, style string, p Paragraph) {
	out.WriteString(`<w:p>`)
	if style != "" {
		out.WriteString(`<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`)
	}
	if p.Time != "" {
		run(out, `<w:rPr><w:rStyle w:val="Time"/></w:rPr>`, p.Time+" ")
	}
	run(out, "", p.Text)
	out.WriteString(`</w:p>`)
}

// run writes characters; those that XML has no place for become U+FFFD.
func run(out *strings.Builder, look, text string) {
	out.WriteString(`<w:r>` + look + `<w:t xml:space="preserve">`)
	_ = xml.EscapeText(out, []byte(text)) // a strings.Builder takes everything
	out.WriteString(`</w:t></w:r>`)
}

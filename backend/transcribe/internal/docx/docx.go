// Package docx writes Word documents of a title, headings and paragraphs.
package docx

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/unicode/bidi"
)

// Document is what a Word document says.
type Document struct {
	Title      string
	Language   string    // of the text, BCP 47; empty where unknown
	Created    time.Time // zero where unknown
	Paragraphs []Paragraph
}

// Paragraph is one paragraph of a document.
type Paragraph struct {
	Heading bool
	Time    string // before the text; may be empty
	Text    string
}

// Write writes a document.
func Write(w io.Writer, d Document) error {
	out := zip.NewWriter(w)
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", relations},
		{"docProps/core.xml", d.properties()},
		{"word/_rels/document.xml.rels", documentRelations},
		{"word/document.xml", d.body()},
		{"word/settings.xml", settings},
		{"word/styles.xml", d.styles()},
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

// properties returns the part that file managers and libraries show.
func (d Document) properties() string {
	var out strings.Builder
	out.WriteString(xml.Header + `<cp:coreProperties xmlns:cp="` + packageNames + `metadata/core-properties" ` +
		`xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ` +
		`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>`)
	escape(&out, d.Title)
	out.WriteString(`</dc:title>`)
	if tag := d.tag(); tag != "" {
		out.WriteString(`<dc:language>` + tag + `</dc:language>`)
	}
	if !d.Created.IsZero() {
		at := d.Created.UTC().Format(time.RFC3339)
		out.WriteString(`<dcterms:created xsi:type="dcterms:W3CDTF">` + at + `</dcterms:created>` +
			`<dcterms:modified xsi:type="dcterms:W3CDTF">` + at + `</dcterms:modified>`)
	}
	out.WriteString(`</cp:coreProperties>`)
	return out.String()
}

func (d Document) body() string {
	var out strings.Builder
	out.WriteString(xml.Header + `<w:document ` + namespaces + `><w:body>`)
	write(&out, "Title", Paragraph{Text: d.Title})
	for _, p := range d.Paragraphs {
		style := ""
		if p.Heading {
			style = "Heading1"
		}
		write(&out, style, p)
	}
	out.WriteString(page + `</w:body></w:document>`)
	return out.String()
}

// write writes a paragraph, from right to left where its text begins so.
func write(out *strings.Builder, style string, p Paragraph) {
	properties, look := "", ""
	if style != "" {
		properties = `<w:pStyle w:val="` + style + `"/>`
	}
	if rightToLeft(p.Text) {
		properties += `<w:bidi/>`
		look = `<w:rPr><w:rtl/></w:rPr>`
	}
	out.WriteString(`<w:p>`)
	if properties != "" {
		out.WriteString(`<w:pPr>` + properties + `</w:pPr>`)
	}
	if p.Time != "" {
		run(out, `<w:rPr><w:rStyle w:val="Time"/></w:rPr>`, p.Time+" ")
	}
	run(out, look, p.Text)
	out.WriteString(`</w:p>`)
}

func run(out *strings.Builder, look, text string) {
	out.WriteString(`<w:r>` + look + `<w:t xml:space="preserve">`)
	escape(out, text)
	out.WriteString(`</w:t></w:r>`)
}

// escape writes characters; those that XML has no place for become U+FFFD.
func escape(out *strings.Builder, text string) {
	_ = xml.EscapeText(out, []byte(text)) // a strings.Builder takes everything
}

// rightToLeft reports whether the first letter of a text is of a script that is written from right to left.
func rightToLeft(text string) bool {
	for _, r := range text {
		properties, _ := bidi.LookupRune(r)
		if c := properties.Class(); c == bidi.L || c == bidi.R || c == bidi.AL {
			return c != bidi.L
		}
	}
	return false
}

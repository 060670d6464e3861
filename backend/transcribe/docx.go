package transcribe

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// The parts of a Word document that are the same for all transcripts (ECMA-376, Office Open XML): which parts there are, and the looks
// of title, turns and times.
const (
	docxTypes = xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`
	docxRelations = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Target="word/document.xml" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>`
	docxParts = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Target="styles.xml" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"/></Relationships>`
	docxSpace  = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	docxStyles = xml.Header + `<w:styles ` + docxSpace + `>` +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>` +
		`<w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>` +
		`<w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/>` +
		`<w:pPr><w:keepNext/><w:spacing w:before="240"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>` +
		`<w:style w:type="character" w:styleId="Time"><w:name w:val="Time"/><w:rPr><w:color w:val="6B7280"/></w:rPr></w:style></w:styles>`
)

// writeDOCX writes a Word document: the title, a heading for each turn of a speaker, and paragraphs, with their times if wanted.
func writeDOCX(w io.Writer, t backend.Transcript, times bool) error {
	out := zip.NewWriter(w)
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", docxTypes},
		{"_rels/.rels", docxRelations},
		{"word/_rels/document.xml.rels", docxParts},
		{"word/styles.xml", docxStyles},
		{"word/document.xml", docxBody(t, times)},
	} {
		f, err := out.Create(part.name)
		if err == nil {
			_, err = io.WriteString(f, part.content)
		}
		if err != nil {
			return fmt.Errorf("write the transcript: %w", err)
		}
	}
	return out.Close()
}

func docxBody(t backend.Transcript, times bool) string {
	var out strings.Builder
	out.WriteString(xml.Header + `<w:document ` + docxSpace + `><w:body>`)
	docxParagraph(&out, "Title", "", titleOf(t))
	last := ""
	for _, paragraph := range paragraphs(turns(t.Segments)) {
		time := ""
		if times {
			time = clock(paragraph[0].Start)
		}
		speaker := backend.OneLine(paragraph[0].Speaker)
		if speaker != last && speaker != "" {
			docxParagraph(&out, "Heading2", "", strings.TrimSpace(speaker+" "+time))
			time = ""
		}
		last = speaker
		docxParagraph(&out, "", time, joined(paragraph))
	}
	out.WriteString(`</w:body></w:document>`)
	return out.String()
}

// docxParagraph writes a paragraph, with a time before its text unless that is empty.
func docxParagraph(out *strings.Builder, style, time, text string) {
	out.WriteString(`<w:p>`)
	if style != "" {
		out.WriteString(`<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`)
	}
	if time != "" {
		docxRun(out, `<w:rPr><w:rStyle w:val="Time"/></w:rPr>`, time+" ")
	}
	docxRun(out, "", text)
	out.WriteString(`</w:p>`)
}

// docxRun writes characters; those that XML has no place for become U+FFFD.
func docxRun(out *strings.Builder, look, text string) {
	out.WriteString(`<w:r>` + look + `<w:t xml:space="preserve">`)
	_ = xml.EscapeText(out, []byte(text)) // a strings.Builder takes everything
	out.WriteString(`</w:t></w:r>`)
}

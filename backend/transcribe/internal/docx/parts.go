package docx

import (
	"encoding/xml"

	"golang.org/x/text/language"
)

// Names of ECMA-376, Office Open XML.
const (
	packageNames  = "http://schemas.openxmlformats.org/package/2006/"
	documentNames = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	wordParts     = "application/vnd.openxmlformats-officedocument.wordprocessingml."
	wordNames     = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	namespaces    = wordNames + ` xmlns:r="` + documentNames + `"` // readers look for r also where nothing has it
)

// The parts that are the same for all documents: which parts there are, and that the document is not one of Word 2007, whose rules
// Word would keep to.
const (
	contentTypes = xml.Header + `<Types xmlns="` + packageNames + `content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="` + wordParts + `document.main+xml"/>` +
		`<Override PartName="/word/settings.xml" ContentType="` + wordParts + `settings+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="` + wordParts + `styles+xml"/></Types>`
	relations = xml.Header + `<Relationships xmlns="` + packageNames + `relationships">` +
		`<Relationship Id="rId1" Target="word/document.xml" Type="` + documentNames + `/officeDocument"/>` +
		`<Relationship Id="rId2" Target="docProps/core.xml" Type="` + packageNames + `relationships/metadata/core-properties"/>` +
		`</Relationships>`
	documentRelations = xml.Header + `<Relationships xmlns="` + packageNames + `relationships">` +
		`<Relationship Id="rId1" Target="styles.xml" Type="` + documentNames + `/styles"/>` +
		`<Relationship Id="rId2" Target="settings.xml" Type="` + documentNames + `/settings"/></Relationships>`
	settings = xml.Header + `<w:settings ` + namespaces + `><w:compat>` +
		`<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>` +
		`</w:compat></w:settings>`
	page = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>` + // A4 with margins of 2.5 cm
		`<w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>`
)

// styles returns the looks of title, turns and times.
func (d Document) styles() string {
	return xml.Header + `<w:styles ` + namespaces + `><w:docDefaults><w:rPrDefault><w:rPr>` +
		`<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Arial"/><w:sz w:val="22"/><w:szCs w:val="22"/>` + d.proofing() +
		`</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>` +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/>` +
		`<w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:style>` +
		`<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/>` +
		`<w:uiPriority w:val="1"/><w:semiHidden/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/>` +
		`<w:uiPriority w:val="10"/><w:qFormat/><w:rPr><w:b/><w:bCs/><w:sz w:val="40"/><w:szCs w:val="40"/></w:rPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/>` +
		`<w:next w:val="Normal"/><w:uiPriority w:val="9"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="240"/>` +
		`<w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:bCs/></w:rPr></w:style>` +
		`<w:style w:type="character" w:customStyle="1" w:styleId="Time"><w:name w:val="Time"/>` +
		`<w:basedOn w:val="DefaultParagraphFont"/><w:qFormat/><w:rPr><w:color w:val="6B7280"/></w:rPr></w:style></w:styles>`
}

// proofing returns the language by which spelling is checked.
func (d Document) proofing() string {
	tag := d.tag()
	if tag == "" {
		return ""
	}
	return `<w:lang w:val="` + tag + `" w:eastAsia="` + tag + `" w:bidi="` + tag + `"/>`
}

// tag returns the language with its most likely region, as Word knows languages: de-DE for de. It is empty where it is unknown.
func (d Document) tag() string {
	tag, err := language.Parse(d.Language)
	if err != nil || tag == language.Und {
		return ""
	}
	base, _ := tag.Base()
	region, confidence := tag.Region()
	if confidence == language.No {
		return base.String()
	}
	return base.String() + "-" + region.String()
}

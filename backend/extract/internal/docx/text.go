package docx

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/archive"
	"github.com/voicewright/voicewright/backend/extract/internal/notemark"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/pattern"
)

// maxNesting is how deep the elements of a Word document may be nested.
const maxNesting = 500

// reader collects the text of a part of a Word document. Elements are known by their local names, because strict
// documents have other namespaces.
type reader struct {
	styles     map[string]paragraphStyle
	paragraphs []paragraph
	title      string // the paragraph with the style Title

	leftOut parts.Counts
	damaged bool // the end of the document is missing

	current     *paragraph
	boxes       []paragraph // of text boxes in the current paragraph
	prefix      []byte      // a drop cap, or a paragraph whose end was deleted, for the next paragraph
	fields      []bool      // open fields: whether their instruction, or that of one around them, is not over
	run         runProperties
	description string // of the current drawing
	deleted     bool   // the current row of a table is

	book *manuscript // what is collected for a manuscript; nil for the text alone
}

// paragraph is a paragraph, or a row of a table.
type paragraph struct {
	text  []byte
	tight bool // it follows the one before it without an empty line

	list, tableRow, dropCap bool
	open                    bool // its end was deleted
	style                   paragraphStyle

	manuscriptParagraph
}

// runProperties has the properties of a run of text.
type runProperties struct {
	Hidden *onOff `xml:"vanish"`
	Place  struct {
		Value string `xml:"val,attr"`
	} `xml:"vertAlign"`
	Font *struct {
		Name string `xml:"ascii,attr"`
	} `xml:"rFonts"`
	silent bool // the run is the sign of a note
	mark   bool // the same in a book, which has it
}

// text returns the paragraphs.
func (r *reader) text() string {
	var out strings.Builder
	for i := range r.paragraphs {
		p := &r.paragraphs[i]
		if out.Len() > 0 {
			out.WriteByte('\n')
			if !p.tight {
				out.WriteByte('\n')
			}
		}
		out.Write(p.text)
	}
	return out.String()
}

// document reads a part.
func (r *reader) document(d *xml.Decoder) error {
	for {
		token, err := d.Token()
		if start, ok := token.(xml.StartElement); ok {
			return r.element(d, start, 0)
		}
		if err != nil {
			return err
		}
	}
}

// eachChild calls read, which reads to the end of the element it is given, for the children of the element that is open.
func eachChild(d *xml.Decoder, read func(xml.StartElement) error) error {
	for {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if err := read(t); err != nil {
				return err
			}
		}
	}
}

// children reads the elements up to the end of the one that is open.
func (r *reader) children(d *xml.Decoder, depth int) error {
	return eachChild(d, func(t xml.StartElement) error { return r.element(d, t, depth+1) })
}

// element reads an element that has begun.
func (r *reader) element(d *xml.Decoder, t xml.StartElement, depth int) error {
	if depth > maxNesting {
		return archive.ErrTooMuch
	}
	switch t.Name.Local {
	case "p":
		return r.paragraph(d, depth)
	case "tbl":
		return r.table(d, depth)
	case "r":
		return r.runOf(d, depth)
	case "AlternateContent":
		return r.alternate(d, depth)
	case "txbxContent":
		return r.textBox(d, depth)
	case "drawing", "pict":
		return r.drawing(d, depth)
	case "t":
		return r.textOf(d)
	case "rect":
		r.rule(t)
	}
	if r.skipped(t) || r.characters(t) {
		return d.Skip()
	}
	return r.children(d, depth)
}

// skipped reports whether nothing in an element is read, and notes what is left out with it.
func (r *reader) skipped(t xml.StartElement) bool {
	switch t.Name.Local {
	case "del":
		r.leftOut[parts.Deletions]++
	case "rt":
		r.leftOut[parts.Ruby]++
	case "moveFrom", "sectPr", "tblPr", "trPr", "tcPr", "sdtPr", "pPr", "rPr":
	case "altChunk", "object":
		r.leftOut[parts.Embedded]++
	case "docPr":
		r.description = attribute(t, "descr")
	case "pic", "imagedata", "relIds", "chart":
		r.picture()
	case "footnoteReference", "endnoteReference":
		r.noteReference(t)
	case "commentReference":
		r.leftOut[parts.Comments]++
	default:
		return false
	}
	return true
}

// characters writes an element that stands for characters, and reports whether it was one.
func (r *reader) characters(t xml.StartElement) bool {
	switch t.Name.Local {
	case "tab", "ptab":
		r.write(" ")
	case "br", "cr":
		r.lineBreak(attribute(t, "type"))
	case "noBreakHyphen":
		r.write("-")
	case "softHyphen", "instrText", "delText", "delInstrText", "lastRenderedPageBreak", "footnoteRef", "endnoteRef", "annotationRef":
	case "sym":
		if code, err := strconv.ParseUint(attribute(t, "char"), 16, 32); err == nil {
			r.write(symbol(rune(code), attribute(t, "font")))
		}
	case "fldChar":
		r.field(attribute(t, "fldCharType"))
	default:
		return false
	}
	return true
}

// field follows the parts of a field: what it shows is between separate and end.
func (r *reader) field(part string) {
	last := len(r.fields) - 1
	switch {
	case part == "begin":
		r.fields = append(r.fields, true)
	case part == "separate" && last >= 0:
		r.fields[last] = last > 0 && r.fields[last-1]
	case part == "end" && last >= 0:
		r.fields = r.fields[:last]
	}
}

// instruction reports whether text is the instruction of a field.
func (r *reader) instruction() bool {
	last := len(r.fields) - 1
	return last >= 0 && r.fields[last]
}

// write appends to the current paragraph what is to be read.
func (r *reader) write(s string) {
	if r.current == nil || r.run.silent || r.instruction() {
		return
	}
	if r.run.Hidden.on() || r.current.style.hidden {
		r.leftOut[parts.Hidden]++
		return
	}
	if r.book != nil {
		s = r.book.marked(s, r.run.mark)
	}
	r.current.text = append(r.current.text, s...)
}

// textOf reads the characters of a text element.
func (r *reader) textOf(d *xml.Decoder) error {
	var text struct {
		Value string `xml:",chardata"`
	}
	if err := d.DecodeElement(&text, &xml.StartElement{Name: xml.Name{Local: "t"}}); err != nil {
		return err
	}
	s := text.Value
	if r.run.Font != nil {
		s = symbols(s, r.run.Font.Name)
	}
	if r.run.Place.Value == "superscript" && r.current != nil {
		before := notemark.LastPart(r.current.text)
		words, isNote := notemark.Raised{Words: s, Sup: true}.Spoken(before, !strings.HasSuffix(before, " "), ' ')
		switch {
		case isNote && r.book != nil:
			r.run.mark, words = true, s
		case isNote:
			r.leftOut[parts.Marks]++
		}
		s = words
	}
	r.write(s)
	return nil
}

// drawing reads a drawing, which may have text boxes.
func (r *reader) drawing(d *xml.Decoder, depth int) error {
	outer := r.description
	r.description = ""
	err := r.children(d, depth)
	r.description = outer
	return err
}

// junkDescription matches descriptions of pictures that nobody wrote: names of files, and what Word sees in them.
var junkDescription = pattern.New(`(?i)\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$|` +
	`automatically generated|automatisch generiert`)

// picture writes the description of a picture after the paragraph that it is in.
func (r *reader) picture() {
	text := backend.OneLine(prose.Clean(r.description))
	if !backend.Speakable(text) || junkDescription.MatchString(text) {
		r.leftOut[parts.Pictures]++
		return
	}
	p := paragraph{text: []byte(text)}
	if r.book != nil {
		p.kind = backend.BlockImage
	}
	if r.current == nil {
		r.paragraphs = append(r.paragraphs, p)
		return
	}
	r.boxes = append(r.boxes, p)
}

// runOf reads a run.
func (r *reader) runOf(d *xml.Decoder, depth int) error {
	outer := r.run
	r.run = runProperties{}
	defer func() { r.run = outer }()
	return eachChild(d, func(t xml.StartElement) error {
		if t.Name.Local == "rPr" {
			return d.DecodeElement(&r.run, &t)
		}
		return r.element(d, t, depth+1)
	})
}

// alternate reads the first choice among forms of the same content.
func (r *reader) alternate(d *xml.Decoder, depth int) error {
	chosen := false
	return eachChild(d, func(xml.StartElement) error {
		if chosen {
			return d.Skip()
		}
		chosen = true
		return r.children(d, depth+1)
	})
}

// textBox reads the paragraphs of a text box, which follow the paragraph that it belongs to.
func (r *reader) textBox(d *xml.Decoder, depth int) error {
	outer := *r
	r.paragraphs, r.current, r.prefix, r.fields, r.run, r.boxes = nil, nil, nil, nil, runProperties{}, nil
	err := r.children(d, depth)
	r.book.endBox(r.paragraphs)
	boxes := append(outer.boxes, r.paragraphs...)
	r.paragraphs, r.current, r.prefix, r.fields, r.run, r.boxes = outer.paragraphs, outer.current, outer.prefix, outer.fields, outer.run, boxes
	if r.current == nil {
		r.paragraphs, r.boxes = append(r.paragraphs, r.boxes...), nil
	}
	return err
}

// attribute returns the value of an attribute, empty if there is none.
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// The characters of the font Symbol at the places of A to Z and a to z.
const (
	symbolCapitals = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
	symbolSmall    = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
)

// symbol returns the character of a font of symbols. Signs without a character in Unicode are blanks.
func symbol(code rune, font string) string {
	const private = 0xf000 // where fonts of symbols have their characters
	if font == "Symbol" && code <= 0xff {
		code += private
	}
	if code < private || code > private+0xff {
		if code >= 0xe000 && code < private || !utf8.ValidRune(code) {
			return " "
		}
		return string(code)
	}
	code -= private
	if font != "Symbol" {
		return " "
	}
	switch {
	case code >= 'A' && code <= 'Z':
		return string([]rune(symbolCapitals)[code-'A'])
	case code >= 'a' && code <= 'z':
		return string([]rune(symbolSmall)[code-'a'])
	}
	return symbolSigns[code]
}

// symbolSigns are the other characters of the font Symbol that occur in texts.
var symbolSigns = map[rune]string{
	0x2d: "−", 0x2b: "+", 0x3d: "=", 0xa0: "€", 0xa3: "≤", 0xa5: "∞", 0xae: "→", 0xb0: "°", 0xb1: "±", 0xb3: "≥", 0xb4: "×",
	0xb8: "÷", 0xb9: "≠", 0xbb: "≈",
}

// symbols returns a text with the characters that a font of symbols has in the private area of Unicode.
func symbols(s, font string) string {
	var out strings.Builder
	for _, c := range s {
		if c >= 0xf000 && c <= 0xf0ff {
			out.WriteString(symbol(c, font))
			continue
		}
		out.WriteRune(c)
	}
	return out.String()
}

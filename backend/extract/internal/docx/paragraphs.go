package docx

import (
	"encoding/xml"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/archive"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

// paragraphProperties are those that decide how a paragraph is read.
type paragraphProperties struct {
	Style struct {
		Value string `xml:"val,attr"`
	} `xml:"pStyle"`
	Number  *itemNumber   `xml:"numPr"`
	Outline *valueElement `xml:"outlineLvl"`
	Frame   struct {
		DropCap string `xml:"dropCap,attr"`
	} `xml:"framePr"`
	Deleted *struct{} `xml:"rPr>del"`
	Moved   *struct{} `xml:"rPr>moveFrom"`
}

// paragraph reads a paragraph with the text boxes in it.
func (r *reader) paragraph(d *xml.Decoder, depth int) error {
	outer, boxes := r.current, r.boxes
	p := &paragraph{text: r.prefix}
	r.current, r.boxes = p, nil
	r.prefix = nil
	err := r.paragraphContent(d, p, depth)
	r.add(p)
	r.paragraphs = append(r.paragraphs, r.boxes...)
	r.current, r.boxes = outer, boxes
	return err
}

// paragraphContent reads the properties and the text of a paragraph.
func (r *reader) paragraphContent(d *xml.Decoder, p *paragraph, depth int) error {
	return eachChild(d, func(t xml.StartElement) error {
		if t.Name.Local != "pPr" {
			return r.element(d, t, depth+1)
		}
		var properties paragraphProperties
		err := d.DecodeElement(&properties, &t)
		r.apply(properties, p)
		return err
	})
}

// apply sets what the properties of a paragraph say.
func (r *reader) apply(properties paragraphProperties, p *paragraph) {
	p.style = r.styles[properties.Style.Value]
	p.list = p.style.list
	if properties.Number != nil {
		p.list = properties.Number.item() && properties.Outline == nil
	}
	p.dropCap = properties.Frame.DropCap == "drop" || properties.Frame.DropCap == "margin"
	p.open = properties.Deleted != nil || properties.Moved != nil
	r.book.apply(properties, p)
}

// add appends a paragraph that has text. A drop cap, and a paragraph whose end was deleted, belong to the next one.
func (r *reader) add(p *paragraph) {
	if p.dropCap || p.open {
		r.prefix = p.text
		return
	}
	var lines []string
	for line := range strings.SplitSeq(prose.Clean(string(p.text)), "\n") {
		if line = backend.OneLine(line); line != "" {
			lines = append(lines, line)
		}
	}
	if r.book != nil {
		r.addToBook(p, lines)
		return
	}
	if len(lines) == 0 {
		return
	}
	if p.style.contents {
		r.leftOut[parts.Entries]++
		return
	}
	p.text = []byte(strings.Join(lines, "\n"))
	if p.style.title && r.title == "" {
		r.title = backend.OneLine(string(p.text))
	}
	if n := len(r.paragraphs); n > 0 {
		p.tight = p.list && r.paragraphs[n-1].list
	}
	r.paragraphs = append(r.paragraphs, *p)
}

// table reads a table: a row is a line with a comma between its cells, or, where cells have several paragraphs or sentences, these
// paragraphs in their order.
func (r *reader) table(d *xml.Decoder, depth int) error {
	outer, deleted := r.paragraphs, r.deleted
	var rows []paragraph
	r.paragraphs = nil
	r.book.beginTable()
	err := r.rows(d, &rows, depth)
	r.book.endTable(rows)
	r.paragraphs, r.deleted = append(outer, rows...), deleted
	return err
}

// rows reads the rows of a table into one paragraph each.
func (r *reader) rows(d *xml.Decoder, rows *[]paragraph, depth int) error {
	return r.each(d, "tr", depth, func() error {
		var cells []string
		plain := true
		row := r.book.beginRow()
		r.deleted = false
		err := r.each(d, "tc", depth+1, func() error {
			r.paragraphs = nil
			err := r.children(d, depth+2)
			if r.book != nil {
				r.book.addCell(row, r.paragraphs)
			} else if text := r.text(); text != "" {
				cells = append(cells, text)
				plain = plain && len(r.paragraphs) == 1 && !prose.EndsSentence(text)
			}
			r.paragraphs = nil
			return err
		})
		if r.deleted {
			r.leftOut[parts.Deletions]++
			return err
		}
		if r.book != nil {
			*rows = append(*rows, row.paragraphs()...)
			return err
		}
		if len(cells) > 0 {
			separator := "\n\n"
			if plain {
				separator = ", "
			}
			row := paragraph{tight: plain && len(*rows) > 0 && (*rows)[len(*rows)-1].tableRow, tableRow: plain}
			row.text = []byte(strings.Join(cells, separator))
			*rows = append(*rows, row)
		}
		return err
	})
}

// each calls read for each element of a name, also within others that only group them.
func (r *reader) each(d *xml.Decoder, name string, depth int, read func() error) error {
	if depth > maxNesting {
		return archive.ErrTooMuch
	}
	return eachChild(d, func(t xml.StartElement) error {
		switch t.Name.Local {
		case name:
			return read()
		case "trPr":
			var row struct {
				Deleted *struct{} `xml:"del"`
			}
			err := d.DecodeElement(&row, &t)
			r.deleted = row.Deleted != nil
			return err
		case "tblPr", "tblGrid", "sdtPr":
			return d.Skip()
		}
		return r.each(d, name, depth+1, read)
	})
}

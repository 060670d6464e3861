package docx

import (
	"encoding/xml"
	"strings"

	"github.com/voicewright/voicewright/backend/pattern"
)

// paragraphStyle is what a paragraph style says about reading.
type paragraphStyle struct {
	list     bool // paragraphs are items of a list
	title    bool
	contents bool // entries of a table of contents
	hidden   bool
	quote    bool
	caption  bool
	level    int // of headings, 1 is the highest; 0 for none
	number   *itemNumber
}

// onOff is a property that is on unless it says otherwise.
type onOff struct {
	Value string `xml:"val,attr"`
}

func (o *onOff) on() bool {
	if o == nil {
		return false
	}
	switch o.Value {
	case "0", "false", "off":
		return false
	}
	return true
}

// itemNumber is the reference of a paragraph to its list.
type itemNumber struct {
	ID    *valueElement `xml:"numId"`
	Level *valueElement `xml:"ilvl"`
}

// valueElement is an element with only a value.
type valueElement struct {
	Value string `xml:"val,attr"`
}

// headingLevel returns the level of headings with an outline level, 0 for none: the ninth is that of the text.
func (v *valueElement) headingLevel() int {
	if v == nil || len(v.Value) != 1 || v.Value[0] < '0' || v.Value[0] > '8' {
		return 0
	}
	return int(v.Value[0]-'0') + 1
}

// headingName matches the names of styles of headings, which programs other than Word write in their own language.
var headingName = pattern.New(`^(?:heading|überschrift|titre|t[íi]tulo|titolo|kop|заголовок|nagłówek|rubrik|overskrift|otsikko|` +
	`nadpis|başlık|标题|標題|見出し) ?([1-9])$`)

// item reports whether a reference names a list: the list 0 is none.
func (n *itemNumber) item() bool { return n != nil && n.ID != nil && n.ID.Value != "0" }

// styleElement is a style in the part for styles.
type styleElement struct {
	ID   string `xml:"styleId,attr"`
	Name struct {
		Value string `xml:"val,attr"`
	} `xml:"name"`
	Base struct {
		Value string `xml:"val,attr"`
	} `xml:"basedOn"`
	Number  *itemNumber   `xml:"pPr>numPr"`
	Outline *valueElement `xml:"pPr>outlineLvl"`
	Hidden  *onOff        `xml:"rPr>vanish"`
}

// styles returns the styles of a Word document by their id; none where the part is missing or damaged. Names of the styles that
// Word brings are English in documents of all languages.
func (w *openFile) styles(name string) map[string]paragraphStyle {
	var sheet struct {
		Styles []styleElement `xml:"style"`
	}
	if w.read(name, func(d *xml.Decoder) error { return d.Decode(&sheet) }) != nil {
		return nil
	}
	byID := map[string]styleElement{}
	for _, s := range sheet.Styles {
		byID[s.ID] = s
	}
	all := map[string]paragraphStyle{}
	for _, s := range sheet.Styles {
		all[s.ID] = s.style(byID)
	}
	return all
}

// style returns what a style says, and those that it is based on.
func (s styleElement) style(byID map[string]styleElement) paragraphStyle {
	name := strings.ToLower(s.Name.Value)
	style := paragraphStyle{
		title: name == "title", contents: strings.HasPrefix(name, "toc "), caption: name == "caption",
		quote: name == "quote" || name == "intense quote" || name == "block text",
	}
	heading := false
	for base, depth := s, 0; depth < 20; depth++ {
		style.list = style.list || base.Number.item()
		style.hidden = style.hidden || base.Hidden.on()
		if base.Outline != nil && !heading {
			heading, style.level = true, base.Outline.headingLevel()
		}
		if style.number == nil {
			style.number = base.Number
		}
		next, ok := byID[base.Base.Value]
		if !ok {
			break
		}
		base = next
	}
	style.list = style.list && !heading // a heading with a number is no item
	if m := headingName.FindStringSubmatch(name); m != nil && !heading {
		style.level = int(m[1][0] - '0')
	}
	return style
}

package extract

import (
	"encoding/xml"
	"strings"
)

// wordStyle is what a paragraph style says about reading.
type wordStyle struct {
	list     bool // paragraphs are items of a list
	title    bool
	contents bool // entries of a table of contents
	hidden   bool
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

// wordNumber is the reference of a paragraph to its list.
type wordNumber struct {
	ID *struct {
		Value string `xml:"val,attr"`
	} `xml:"numId"`
}

// item reports whether a reference names a list: the list 0 is none.
func (n *wordNumber) item() bool { return n != nil && n.ID != nil && n.ID.Value != "0" }

// styles returns the styles of a Word document by their id; none where the part is missing or damaged. Names of the styles that
// Word brings are English in documents of all languages.
func (w *wordFile) styles(name string) map[string]wordStyle {
	type styleElement struct {
		ID   string `xml:"styleId,attr"`
		Name struct {
			Value string `xml:"val,attr"`
		} `xml:"name"`
		Base struct {
			Value string `xml:"val,attr"`
		} `xml:"basedOn"`
		Number  *wordNumber `xml:"pPr>numPr"`
		Outline *struct{}   `xml:"pPr>outlineLvl"`
		Hidden  *onOff      `xml:"rPr>vanish"`
	}
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
	all := map[string]wordStyle{}
	for _, s := range sheet.Styles {
		name := strings.ToLower(s.Name.Value)
		style := wordStyle{title: name == "title", contents: strings.HasPrefix(name, "toc ")}
		heading := false
		for base, depth := s, 0; depth < 20; depth++ {
			style.list = style.list || base.Number.item()
			style.hidden = style.hidden || base.Hidden.on()
			heading = heading || base.Outline != nil
			next, ok := byID[base.Base.Value]
			if !ok {
				break
			}
			base = next
		}
		style.list = style.list && !heading // a heading with a number is no item
		all[s.ID] = style
	}
	return all
}

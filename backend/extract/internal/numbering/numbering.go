// Package numbering counts the items of the lists of a Word document and its numbered headings (ECMA-376, 17.9).
package numbering

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend/pattern"
)

// Levels is how many levels a list has.
const Levels = 9

// value is an element with only a value.
type value struct {
	Value string `xml:"val,attr"`
}

func (v *value) number(other int) int {
	if v == nil {
		return other
	}
	n, err := strconv.Atoi(v.Value)
	if err != nil || n < 0 {
		return other
	}
	return n
}

// level is a level of a list.
type level struct {
	Index  string `xml:"ilvl,attr"`
	Start  *value `xml:"start"`
	Format value  `xml:"numFmt"`
	Text   value  `xml:"lvlText"`
	Legal  *value `xml:"isLgl"` // levels above are in digits
}

// definition is an abstract list.
type definition struct {
	ID     string  `xml:"abstractNumId,attr"`
	Levels []level `xml:"lvl"`

	counts [Levels]int
	begun  [Levels]bool
}

// override is what a list changes of its definition.
type override struct {
	Index string `xml:"ilvl,attr"`
	Start *value `xml:"startOverride"`
	Level *level `xml:"lvl"`
}

// list is a list that paragraphs refer to.
type list struct {
	ID         string     `xml:"numId,attr"`
	Definition value      `xml:"abstractNumId"`
	Overrides  []override `xml:"lvlOverride"`

	definition *definition
	levels     [Levels]level
	restarts   [Levels]*value // until the first item
}

// Lists are the lists of a document with the numbers that were counted. The zero value has none.
type Lists struct {
	lists map[string]*list
}

// Read returns the lists of the part for numbering.
func Read(d *xml.Decoder) (*Lists, error) {
	var part struct {
		Definitions []*definition `xml:"abstractNum"`
		Lists       []*list       `xml:"num"`
	}
	if err := d.Decode(&part); err != nil {
		return nil, err
	}
	definitions := map[string]*definition{}
	for _, def := range part.Definitions {
		definitions[def.ID] = def
	}
	l := &Lists{lists: map[string]*list{}}
	for _, item := range part.Lists {
		if item.definition = definitions[item.Definition.Value]; item.definition == nil {
			continue
		}
		for _, lvl := range item.definition.Levels {
			if i, ok := index(lvl.Index); ok {
				item.levels[i] = lvl
			}
		}
		for _, o := range item.Overrides {
			i, ok := index(o.Index)
			if ok && o.Level != nil {
				item.levels[i] = *o.Level
			}
			if ok {
				item.restarts[i] = o.Start
			}
		}
		l.lists[item.ID] = item
	}
	return l, nil
}

// index returns the level that an attribute names.
func index(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0 && n < Levels
}

// Next counts an item of a list at a level from 0, and returns the text of its number, such as "2.1." or "Chapter 3"; empty for
// bullets and lists that are not defined.
func (l *Lists) Next(id string, at int) string {
	if l == nil || at < 0 || at >= Levels || l.lists[id] == nil {
		return ""
	}
	item := l.lists[id]
	def := item.definition
	switch {
	case item.restarts[at] != nil:
		def.counts[at] = item.restarts[at].number(1)
		item.restarts[at] = nil
	case def.begun[at]:
		def.counts[at]++
	default:
		def.counts[at] = item.levels[at].Start.number(1)
	}
	def.begun[at] = true
	for i := at + 1; i < Levels; i++ {
		def.begun[i] = false
	}
	if item.levels[at].Format.Value == "bullet" {
		return ""
	}
	return item.text(at)
}

// place matches where the number of a level stands.
var place = pattern.New(`%[1-9]`)

// text returns the text of the current number.
func (item *list) text(at int) string {
	lvl := item.levels[at]
	return strings.TrimSpace(place.ReplaceAllStringFunc(lvl.Text.Value, func(s string) string {
		i := int(s[1] - '1')
		n, format := item.definition.counts[i], item.levels[i].Format.Value
		if !item.definition.begun[i] {
			n = item.levels[i].Start.number(1)
		}
		if lvl.Legal != nil && lvl.Legal.Value != "0" && lvl.Legal.Value != "false" {
			format = "decimal"
		}
		return Format(n, format)
	}))
}

// Format returns a number as a document writes it; empty for the formats "none" and "bullet", in digits for those of other scripts.
func Format(n int, format string) string {
	switch format {
	case "none", "bullet":
		return ""
	case "upperRoman", "lowerRoman":
		return capitals(roman(n), format == "upperRoman")
	case "upperLetter", "lowerLetter":
		return capitals(letters(n), format == "upperLetter")
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	}
	return strconv.Itoa(n)
}

func capitals(s string, upper bool) string {
	if upper {
		return strings.ToUpper(s)
	}
	return s
}

// roman returns a number from 1 to 3999 in Roman numerals, else in digits.
func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var out strings.Builder
	for _, sign := range []struct {
		text  string
		value int
	}{
		{"m", 1000},
		{"cm", 900},
		{"d", 500},
		{"cd", 400},
		{"c", 100},
		{"xc", 90},
		{"l", 50},
		{"xl", 40},
		{"x", 10},
		{"ix", 9},
		{"v", 5},
		{"iv", 4},
		{"i", 1},
	} {
		for ; n >= sign.value; n -= sign.value {
			out.WriteString(sign.text)
		}
	}
	return out.String()
}

// letters returns a number as a letter, which is repeated after z: aa, bb.
func letters(n int) string {
	const alphabet, largest = 26, 260
	if n < 1 || n > largest {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('a'+(n-1)%alphabet)), (n-1)/alphabet+1)
}

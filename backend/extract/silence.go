package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/voicewright/voicewright/backend/extract/internal/parts"
)

// omission is where an element of HTML ends whose end tag may be omitted.
type omission struct {
	starts []string // the start tags that end it
	within []string // the elements in which these begin another one inside of it
}

// omissions are the elements whose end tag may be omitted (HTML, section 13.1.2.4).
var omissions = map[string]omission{
	"p": {
		strings.Fields("p address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form " +
			"h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol pre search section summary table ul"),
		strings.Fields("object button svg math select template"),
	},
	"li":     {[]string{"li"}, []string{"ul", "ol", "menu"}},
	"dd":     description,
	"dt":     description,
	"rt":     annotation,
	"rp":     annotation,
	"option": {[]string{"option", "optgroup"}, []string{"select", "datalist"}},
	"td":     cell,
	"th":     cell,
	"tr":     {tableGroups("tr"), []string{"table"}},
	"tbody":  {tableGroups(), []string{"table"}},
	"thead":  {tableGroups(), []string{"table"}},
	"tfoot":  {tableGroups(), []string{"table"}},
}

var (
	description = omission{[]string{"dd", "dt"}, []string{"dl"}}
	annotation  = omission{[]string{"rt", "rp", "rb", "rtc"}, []string{"ruby"}}
	cell        = omission{tableGroups("td", "th", "tr"), []string{"table"}}
)

// tableGroups returns the names of the groups of rows, and others.
func tableGroups(others ...string) []string { return append(others, "tbody", "thead", "tfoot") }

// maxInner is how many open elements are remembered inside of one that is left out.
const maxInner = 100

// leave begins to leave out an element.
func (p *page) leave(t html.Token, reason string, closed bool) {
	if t.Data == "embed" || reason == parts.Media {
		p.leftOut[parts.Media]++
		reason = ""
	}
	if t.Data == "math" {
		p.say(" " + htmlAttribute(t, "alttext") + " ")
	}
	if !closed && !slices.Contains(voidElements, t.Data) {
		p.skip, p.depth, p.inner, p.reason, p.words = t.Data, 1, nil, reason, false
	}
}

// skipStart handles a start tag inside of an element that is left out, and reports whether that element ends before it.
func (p *page) skipStart(name string, closed bool) (ended bool) {
	omitted, ok := omissions[p.skip]
	inside := func(name string) bool { return slices.Contains(p.inner, name) }
	switch {
	case ok && slices.Contains(omitted.starts, name) && !slices.ContainsFunc(omitted.within, inside):
		p.skipped()
		return true
	case closed || slices.Contains(voidElements, name):
	case ok && len(p.inner) < maxInner:
		p.inner = append(p.inner, name)
	case name == p.skip:
		p.depth++
	}
	return false
}

// skipEnd handles an end tag inside of an element that is left out, and reports whether it is that of an element around it.
func (p *page) skipEnd(name string) (around bool) {
	for i, inner := range slices.Backward(p.inner) {
		if inner == name {
			p.inner = p.inner[:i]
			return false
		}
	}
	if name == p.skip {
		if p.depth--; p.depth == 0 {
			p.skipped()
		}
		return false
	}
	if _, ok := omissions[p.skip]; ok && p.endsAround(name) {
		p.skipped()
		return true
	}
	return false
}

// endsAround reports whether an end tag is that of an element around the one that is left out, not a stray one.
func (p *page) endsAround(name string) bool {
	switch name {
	case "div":
		return len(p.divs) > 0
	case "p": // holds no blocks
		return p.skip == "rt" || p.skip == "rp"
	case "ruby", "rtc", "td", "th", "tbody", "thead", "tfoot", "nav", "menu", "dialog", "select", "datalist", "optgroup", "html":
		return true
	}
	return name != "text" && breaks(html.Token{Data: name}) > 0
}

// skipped ends the element that is left out, if there is one.
func (p *page) skipped() {
	if p.skip != "" && p.words && p.reason != "" {
		p.leftOut[p.reason]++
	}
	p.skip, p.inner = "", nil
}

package docs

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// page collects the HTML of the page. html/template would make the program larger by 3 MB (.golangci.yml says why).
type page struct{ text strings.Builder }

// put adds HTML, in which each %s is a text.
func (p *page) put(format string, texts ...string) {
	escaped := make([]any, len(texts))
	for i, text := range texts {
		escaped[i] = html.EscapeString(text)
	}
	fmt.Fprintf(&p.text, format+"\n", escaped...)
}

// document puts all of the page; spec is escaped for HTML.
func (p *page) document(title, version, description string, groups []group, schemas []schema, spec string) {
	p.put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s API</title>`, title)
	p.text.WriteString("<style>" + style + "</style>\n")
	p.put("</head>\n<body>\n<h1>%s API <small>%s</small></h1>\n<p>%s</p>", title, version, description)
	p.put(`<nav aria-label="Groups">`)
	for _, g := range groups {
		p.put(`<a href="#group-%s">%s</a>`, g.Name, g.Name)
	}
	p.put(`<a href="#schemas">Schemas</a></nav>` + "\n<main>")
	for _, g := range groups {
		p.group(g)
	}
	p.put(`<section id="schemas">` + "\n<h2>Schemas</h2>")
	for _, s := range schemas {
		p.put(`<details id="schema-%s"><summary><code>%s</code></summary>`, s.Name, s.Name)
		p.table(s.Fields, "Field", "Type", "Meaning")
		p.put("</details>")
	}
	p.put("</section>\n</main>")
	p.text.WriteString(`<script type="application/json" id="openapi">` + spec + "</script>\n</body>\n</html>\n")
}

func (p *page) group(g group) {
	p.put("<section id=\"group-%s\">\n<h2>%s</h2>", g.Name, g.Name)
	for _, o := range g.Operations {
		p.put("<article id=\"%s\">\n<h3><code>%s %s</code></h3>", o.ID, o.Method, o.Path)
		summary := o.Summary + "."
		if o.Open {
			summary += " Needs no token."
		}
		p.put("<p>%s %s</p>", summary, o.Description)
		if len(o.Params) > 0 {
			p.table(o.Params, "Parameter", "In", "Type", "Meaning")
		}
		for _, b := range o.Bodies {
			p.put("<p>Body: %s %s</p>", b.Type, b.Schema)
		}
		p.head("Status", "Meaning", "Body")
		for _, a := range o.Answers {
			p.put("<tr><td>%s</td><td>%s</td><td>%s</td></tr>", a.Status, a.Description, a.Schema)
		}
		p.put("</tbody></table>\n</article>")
	}
	p.put("</section>")
}

// table puts fields below titles. Those of schemas have no place: only parameters are in the path, in the query or in a header.
func (p *page) table(fields []field, titles ...string) {
	p.head(titles...)
	for _, f := range fields {
		cells := []string{f.Name, "", f.Type, f.Doc}
		if f.Required {
			cells[1] = " required"
		}
		if f.In != "" {
			cells = slices.Insert(cells, 2, f.In)
		}
		p.put("<tr><td><code>%s</code>%s</td>"+strings.Repeat("<td>%s</td>", len(titles)-1)+"</tr>", cells...)
	}
	p.put("</tbody></table>")
}

// head opens a table.
func (p *page) head(titles ...string) {
	p.put("<table><thead><tr><th>" + strings.Join(titles, "</th><th>") + "</th></tr></thead><tbody>")
}

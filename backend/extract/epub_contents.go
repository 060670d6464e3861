package extract

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/charset"
	"github.com/voicewright/voicewright/backend/extract/internal/archive"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

const (
	maxContents = 20_000 // entries of a table of contents
	maxLevels   = 30
)

// entry is one of a table of contents.
type entry struct {
	title, href    string
	path, fragment string // where href leads to
	level          int    // 1 is the outermost
	types          []string
}

// readContents reads the table of contents: that of the navigation document, else the NCX of EPUB 2. The types of landmarks and of the
// guide are those of files, unless everything is in one.
func (b *epubBook) readContents(items []bookItem) {
	for _, item := range b.manifest.Items {
		if slices.Contains(strings.Fields(item.Properties), "nav") {
			b.contents, b.marks = b.navigation(item.path)
		}
	}
	if !slices.ContainsFunc(b.contents, func(e entry) bool { return e.href != "" }) {
		b.contents = b.ncx()
	}
	nestBelowLabels(b.contents)
	for _, ref := range b.manifest.Guide {
		e := entry{href: ref.Href, types: []string{strings.ToLower(ref.Type)}}
		e.locate(b.folder)
		b.marks = append(b.marks, e)
	}
	b.wanted = map[string]map[string]bool{}
	for _, e := range b.contents {
		if e.href == "" {
			continue
		}
		key := archive.Fold(archive.Clean(e.path))
		if b.wanted[key] == nil {
			b.wanted[key] = map[string]bool{}
		}
		if e.fragment != "" {
			b.wanted[key][e.fragment] = true
		}
	}
	start := b.textStart()
	for _, e := range b.marks {
		if key := linkKey(e.path, ""); e.fragment == "" && len(items) > 1 && key != start {
			b.matter[key] = cmp.Or(b.matter[key], classes.OfFile(e.types))
		}
	}
}

// nestBelowLabels makes entries without a link parts: those that follow on the same level are below them, as in a list whose parts are
// only words between the chapters. One without a link behind it stays as it is.
func nestBelowLabels(list []entry) {
	part := 0 // the level of the part that is open
	for i := range list {
		e := &list[i]
		label, next := e.href == "", entry{}
		if i+1 < len(list) {
			next = list[i+1]
		}
		switch {
		case label && next.href != "" && next.level == e.level:
			part = e.level
		case e.level < part, label && next.level > e.level && e.level == part:
			part = 0
		case part > 0:
			e.level = min(e.level+1, maxLevels)
		}
	}
}

// textStart returns the place where the work begins, by the landmarks or the guide; empty if they do not say.
func (b *epubBook) textStart() string {
	for _, e := range b.marks {
		if slices.Contains(e.types, "bodymatter") || slices.Contains(e.types, "text") || slices.Contains(e.types, "start") {
			return linkKey(e.path, "")
		}
	}
	return ""
}

// locate sets where a link leads to. folder is that of the file with the link.
func (e *entry) locate(folder string) {
	name, fragment, _ := strings.Cut(e.href, "#")
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	if unescaped, err := url.PathUnescape(fragment); err == nil {
		fragment = unescaped
	}
	e.path, e.fragment = name, fragment
	if !strings.HasPrefix(name, "/") {
		e.path = path.Join(folder, strings.ReplaceAll(name, `\`, "/"))
	}
}

// navigation returns the table of contents and the landmarks of a navigation document (EPUB 3.3, section 7). Its list of pages is
// neither.
func (b *epubBook) navigation(name string) (contents, marks []entry) {
	raw, err := b.file(name)
	if err != nil {
		return nil, nil
	}
	text, err := charset.Decode(raw, "", charset.Declared(raw))
	if err != nil {
		return nil, nil
	}
	r := navReader{lists: map[string][]entry{}}
	r.read(emptyRaw.ReplaceAllString(prose.Clean(text.Text), ""))
	contents = r.lists["toc"]
	if contents == nil {
		contents = r.lists[""]
	}
	for _, list := range [][]entry{contents, r.lists["landmarks"]} {
		for i := range list {
			e := &list[i]
			if strings.HasPrefix(e.href, "#") { // in the navigation document itself
				e.href = path.Base(name) + e.href
			}
			e.title = backend.FirstWords(backend.OneLine(e.title), blocks.MaxTitle)
			e.locate(path.Dir(name))
		}
	}
	untitled := func(e entry) bool { return e.title == "" }
	return slices.DeleteFunc(contents, untitled), r.lists["landmarks"]
}

// navReader reads the lists of a navigation document.
type navReader struct {
	lists map[string][]entry // by type, empty for a list without one
	list  string             // that is open
	depth int                // open ol elements
	label bool               // text is that of the last entry
}

func (r *navReader) read(document string) {
	z := html.NewTokenizer(strings.NewReader(document))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			r.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(z.Token())
		case html.EndTagToken:
			r.end(z.Token().Data)
		case html.CommentToken, html.DoctypeToken:
		}
	}
}

// last returns the last entry of the list, if there is one.
func (r *navReader) last() *entry {
	list := r.lists[r.list]
	if len(list) == 0 {
		return &entry{}
	}
	return &list[len(list)-1]
}

func (r *navReader) text(s string) {
	if e := r.last(); r.label && len(e.title) < 4*blocks.MaxTitle {
		e.title += s
	}
}

func (r *navReader) start(t html.Token) {
	switch t.Data {
	case "nav":
		r.list, r.depth = "other", 0
		types := classes.LabelsOf(t).Types
		switch {
		case slices.Contains(types, "toc"):
			r.list = "toc"
		case slices.Contains(types, "landmarks"):
			r.list = "landmarks"
		case len(types) == 0:
			r.list = ""
		}
	case "ol":
		r.depth++
		r.label = false
	case "li":
		if r.depth > 0 && len(r.lists[r.list]) < maxContents {
			r.lists[r.list] = append(r.lists[r.list], entry{level: min(r.depth, maxLevels)})
			r.label = true
		}
	case "a":
		if e := r.last(); r.label && e.href == "" {
			e.href, e.types = htmlAttribute(t, "href"), classes.LabelsOf(t).Types
		}
	case "img":
		r.text(" " + htmlAttribute(t, "alt") + " ")
	case "br":
		r.text(" ")
	}
}

func (r *navReader) end(name string) {
	switch name {
	case "ol":
		r.depth = max(r.depth-1, 0)
		r.label = false
	case "li":
		r.label = false
	case "nav":
		r.list, r.label = "other", false
	}
}

// ncxPoint is an entry of the table of contents of EPUB 2.
type ncxPoint struct {
	Label   string `xml:"navLabel>text"`
	Content struct {
		Src string `xml:"src,attr"`
	} `xml:"content"`
	Points []ncxPoint `xml:"navPoint"`
}

// ncx returns the table of contents of EPUB 2.
func (b *epubBook) ncx() []entry {
	for _, item := range b.manifest.Items {
		if mediaType(item.MediaType) != "application/x-dtbncx+xml" && (item.ID == "" || item.ID != b.manifest.Spine.Toc) {
			continue
		}
		var document struct {
			Points []ncxPoint `xml:"navMap>navPoint"`
		}
		_ = b.xml(item.path, &document) // what was read of a damaged one is enough
		var out []entry
		var add func(points []ncxPoint, level int)
		add = func(points []ncxPoint, level int) {
			for _, point := range points {
				if len(out) >= maxContents || level > maxLevels {
					return
				}
				e := entry{title: backend.FirstWords(backend.OneLine(prose.Clean(point.Label)), blocks.MaxTitle), href: point.Content.Src, level: level}
				e.locate(path.Dir(item.path))
				if e.title != "" {
					out = append(out, e)
				}
				add(point.Points, level+1)
			}
		}
		add(document.Points, 1)
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

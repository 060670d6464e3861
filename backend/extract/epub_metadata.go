package extract

import (
	"path"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/charset"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/pattern"
)

// metadata has the elements of the metadata of a package document that are used.
type metadata struct {
	Titles       []metaElement `xml:"title"`
	Creators     []metaElement `xml:"creator"`
	Languages    []metaElement `xml:"language"`
	Descriptions []metaElement `xml:"description"`
	Publishers   []metaElement `xml:"publisher"`
	Dates        []metaElement `xml:"date"`
	Identifiers  []metaElement `xml:"identifier"`
	Meta         []metaElement `xml:"meta"`
}

// metaElement is an element of the metadata.
type metaElement struct {
	ID       string `xml:"id,attr"`
	Refines  string `xml:"refines,attr"`
	Property string `xml:"property,attr"`
	Name     string `xml:"name,attr"`
	Content  string `xml:"content,attr"`
	Role     string `xml:"role,attr"`
	Scheme   string `xml:"scheme,attr"`
	Event    string `xml:"event,attr"`
	Text     string `xml:",chardata"`
}

func (e metaElement) value() string { return backend.OneLine(prose.Clean(e.Text)) }

// refined returns what a meta element says about another one.
func (m metadata) refined(id, property string) string {
	for _, e := range m.Meta {
		if id != "" && e.Refines == "#"+id && e.Property == property {
			return e.value()
		}
	}
	return ""
}

// first returns the first value that is not empty.
func first(elements []metaElement) string {
	for _, e := range elements {
		if value := e.value(); value != "" {
			return value
		}
	}
	return ""
}

var (
	yearDigits = pattern.New(`(?:^|[^\d])(\d{4})(?:[^\d]|$)`)
	isbnDigits = pattern.New(`^(?:97[89])?\d{9}[\dX]$`)
)

// describe returns what the package document says about the book.
func (m manifest) describe(s *source) backend.ManuscriptMeta {
	d := m.Metadata
	about := backend.ManuscriptMeta{
		Title: first(d.Titles), Authors: d.authors(), Language: first(d.Languages), Publisher: first(d.Publishers), ISBN: d.isbn(),
	}
	for _, title := range d.Titles {
		if d.refined(title.ID, "title-type") == "main" && title.value() != "" {
			about.Title = title.value()
			break
		}
	}
	if len(d.Descriptions) > 0 { // often HTML
		about.Description = backend.OneLine((&source{limit: s.limit, leftOut: parts.Counts{}}).page(d.Descriptions[0].Text))
	}
	for _, date := range d.Dates {
		if found := yearDigits.FindStringSubmatch(date.value()); found != nil && (about.Year == "" || date.Event == "publication") {
			about.Year = found[1]
		}
	}
	about.Series, about.SeriesPart = d.series()
	return about
}

// authors returns the creators in order: those with the role of an author where there are such, else all.
func (m metadata) authors() []string {
	authors, all := []string{}, []string{}
	for _, e := range m.Creators {
		name := e.value()
		role := e.Role
		if role == "" {
			role = m.refined(e.ID, "role")
		}
		if name == "" || slices.Contains(all, name) {
			continue
		}
		all = append(all, name)
		if role == "" || role == "aut" {
			authors = append(authors, name)
		}
	}
	if len(authors) == 0 {
		return all
	}
	return authors
}

// isbn returns the first ISBN of the identifiers, without hyphens.
func (m metadata) isbn() string {
	for _, e := range m.Identifiers {
		value := strings.ToUpper(e.value())
		value = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(value, "URN:"), "ISBN:"), "ISBN"))
		if value = strings.NewReplacer("-", "", " ", "").Replace(value); isbnDigits.MatchString(value) {
			return value
		}
	}
	return ""
}

// series returns the series of the book and its part, as EPUB 3 and as Calibre write them.
func (m metadata) series() (name, part string) {
	for _, e := range m.Meta {
		if e.Property == "belongs-to-collection" && m.refined(e.ID, "collection-type") != "set" && e.value() != "" {
			return e.value(), m.refined(e.ID, "group-position")
		}
	}
	for _, e := range m.Meta {
		switch e.Name {
		case "calibre:series":
			name = backend.OneLine(e.Content)
		case "calibre:series_index":
			part = strings.TrimSuffix(backend.OneLine(e.Content), ".0")
		}
	}
	if name == "" {
		return "", ""
	}
	return name, part
}

// pagePicture matches the first picture of a page.
var pagePicture = pattern.New(`(?i)<(?:img|image)\s[^<>]*?(?:src|href)\s*=\s*["']([^"'<>]+)["']`)

// cover returns the picture on the book: that of the manifest, of the metadata or of the guide. One that cannot be used has a note.
func (b *epubBook) cover() *backend.Cover {
	name := b.coverName()
	if name == "" {
		return nil
	}
	if f := b.Find(name); f != nil && f.UncompressedSize64 > backend.MaxCover {
		b.s.note("cover_large", "The cover of the book has more than 20 MB and was left out.", nil)
		return nil
	}
	raw, err := b.unpack(name, backend.MaxCover)
	if err == nil && backend.CheckWholeCover(raw) == nil {
		return &backend.Cover{MediaType: backend.CoverMediaType(raw), Data: raw}
	}
	b.s.note("cover_unusable", "The cover of the book is missing, damaged, or no JPEG or PNG file, and was left out.", nil)
	return nil
}

// coverName returns the name of the cover in the archive, empty for none.
func (b *epubBook) coverName() string {
	id := ""
	for _, e := range b.manifest.Metadata.Meta {
		if e.Name == "cover" {
			id = e.Content
		}
	}
	for _, item := range b.manifest.Items {
		if slices.Contains(strings.Fields(item.Properties), "cover-image") {
			return item.path
		}
	}
	for _, item := range b.manifest.Items {
		if id != "" && (item.ID == id || item.Href == id) {
			return b.pictureOf(item.path, item.MediaType)
		}
	}
	for _, ref := range b.manifest.Guide {
		if e := (entry{href: ref.Href}); strings.EqualFold(ref.Type, "cover") {
			e.locate(b.folder)
			return b.pictureOf(e.path, "")
		}
	}
	return ""
}

// pictureOf returns the name of a picture, or of the first picture of a page.
func (b *epubBook) pictureOf(name, media string) string {
	if !(bookItem{MediaType: media, path: name}).document() {
		return name
	}
	raw, err := b.file(name)
	if err != nil {
		return ""
	}
	text, err := charset.Decode(raw, "", charset.Declared(raw))
	if err != nil {
		return ""
	}
	found := pagePicture.FindStringSubmatch(text.Text)
	if found == nil {
		return ""
	}
	e := entry{href: found[1]}
	e.locate(path.Dir(name))
	return e.path
}

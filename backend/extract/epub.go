package extract

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/charset"
	"github.com/voicewright/voicewright/backend/extract/internal/archive"
)

const (
	maxSpine     = 5_000 // documents in reading order
	maxFallbacks = 10    // of one of them
)

// manifest has the elements of a package document (EPUB 3.3, section 5) that are used.
type manifest struct {
	Metadata metadata   `xml:"metadata"`
	Items    []bookItem `xml:"manifest>item"`
	Spine    struct {
		Toc   string `xml:"toc,attr"` // of EPUB 2
		Items []struct {
			ID     string `xml:"idref,attr"`
			Linear string `xml:"linear,attr"`
		} `xml:"itemref"`
	} `xml:"spine"`
	Guide []struct {
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	} `xml:"guide>reference"`
}

// bookItem is a file of a book.
type bookItem struct {
	ID        string `xml:"id,attr"`
	Href      string `xml:"href,attr"`
	MediaType string `xml:"media-type,attr"`
	Fallback  string `xml:"fallback,attr"`

	Properties string `xml:"properties,attr"`

	path   string // in the archive
	listed string // the path of what the reading order names, where item is its fallback
	aside  bool   // outside of the reading order
}

// openEPUB returns the archive of an EPUB file, its package document and the name of that.
func (s *source) openEPUB() (a *epubFile, m manifest, root string, err error) {
	if a, err = s.openEPUBFile(); err != nil {
		return nil, m, "", err
	}
	if root, err = a.packageDocument(); err != nil {
		return nil, m, "", err
	}
	if err := a.xml(root, &m); err != nil && len(m.Items) == 0 { // what was read of a damaged one is enough
		return nil, m, "", err
	}
	if len(m.Spine.Items) > maxSpine {
		return nil, m, "", errTooMuch()
	}
	return a, m, root, nil
}

// book returns the text of an EPUB file in its reading order. Its title replaces that of the document, if it has one.
func book(ctx context.Context, s *source) (string, error) {
	a, m, root, err := s.openEPUB()
	if err != nil {
		return "", err
	}
	if titles := m.Metadata.Titles; len(titles) > 0 && backend.OneLine(titles[0].Text) != "" {
		s.doc.Title = backend.OneLine(titles[0].Text)
	}
	items := m.order(s, path.Dir(root), false)
	if len(items) == 0 && len(s.doc.Notes) == 0 {
		return "", errNotEPUB(nil)
	}
	text, err := a.read(ctx, s, items)
	s.noteLeftOut()
	return text, err
}

// packageDocument returns the name of the package document: the one in the container, else the only one in the archive.
func (a *epubFile) packageDocument() (string, error) {
	var container struct {
		Roots []struct {
			Path string `xml:"full-path,attr"`
			Type string `xml:"media-type,attr"`
		} `xml:"rootfiles>rootfile"`
	}
	err := a.xml("META-INF/container.xml", &container)
	if isTooMuch(err) {
		return "", err
	}
	for _, typed := range []bool{true, false} {
		for _, root := range container.Roots {
			if (mediaType(root.Type) == packageType) == typed && a.Find(root.Path) != nil {
				return archive.Clean(root.Path), nil
			}
		}
	}
	var found []string
	for _, name := range a.Names() {
		if strings.EqualFold(path.Ext(name), ".opf") {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return "", errNotEPUB(err)
	}
	return found[0], nil
}

const packageType = "application/oebps-package+xml"

// isTooMuch reports whether an error is that of a file over the limits.
func isTooMuch(err error) bool {
	var e *backend.Error
	return errors.As(err, &e) && e.Params["reason"] == reasonTooMuch
}

// mediaType returns a media type without parameters, in lower case.
func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.ToLower(strings.TrimSpace(s))
}

// document reports whether a file of a book has text, by its media type or its ending: either may be wrong.
func (i bookItem) document() bool {
	switch mediaType(i.MediaType) {
	case "application/xhtml+xml", "text/html", "text/xml", "application/xml", "text/x-oeb1-document", "application/x-dtbook+xml",
		"image/svg+xml", plainType:
		return true
	}
	switch strings.ToLower(path.Ext(i.path)) {
	case ".xhtml", ".html", ".htm", ".xht":
		return true
	}
	return false
}

const plainType = "text/plain"

// order returns the documents of the book in reading order, and notes what has no text. folder is that of the package document. A
// package without a reading order is read as its files are listed. once says that a document that is listed twice is read once.
func (m manifest) order(s *source, folder string, once bool) []bookItem {
	items := m.locate(folder)
	var out []bookItem
	if len(m.Spine.Items) == 0 {
		for _, item := range m.Items {
			if item.document() && mediaType(item.MediaType) != "image/svg+xml" {
				out = append(out, item)
			}
		}
		return out
	}
	owner := map[string]string{} // of a file: one document may be listed twice, for two places in it
	for _, ref := range m.Spine.Items {
		item, ok := items[ref.ID]
		if !ok {
			s.note("part_missing", fmt.Sprintf("The part “%s” is missing in the book.", ref.ID), map[string]any{"name": ref.ID})
			continue
		}
		listed := item
		for range maxFallbacks {
			if next, ok := items[item.Fallback]; ok && !item.document() {
				item = next
			}
		}
		if !item.document() {
			s.note("part_no_text", fmt.Sprintf("The part “%s” has no text that can be read.", shownName(listed.path)),
				map[string]any{"name": shownName(listed.path), "type": listed.MediaType})
			continue
		}
		if first, ok := owner[item.path]; ok && (once || first != item.ID) {
			continue
		}
		owner[item.path] = item.ID
		item.listed = listed.path
		item.aside = strings.EqualFold(strings.TrimSpace(ref.Linear), "no")
		out = append(out, item)
	}
	return out
}

// locate sets the path of each item in the archive, and returns the items by id.
func (m manifest) locate(folder string) map[string]bookItem {
	items := map[string]bookItem{}
	for i, item := range m.Items {
		name, _, _ := strings.Cut(item.Href, "#")
		if unescaped, err := url.PathUnescape(name); err == nil {
			name = unescaped
		}
		if item.path = name; !strings.HasPrefix(name, "/") {
			item.path = path.Join(folder, strings.ReplaceAll(name, `\`, "/"))
		}
		m.Items[i] = item
		items[item.ID] = item
	}
	return items
}

// shownName returns a name in the archive for a note.
func shownName(name string) string {
	return backend.FirstWords(backend.OneLine(strings.ToValidUTF8(name, "\ufffd")), 200)
}

// read returns the text of documents, and notes those that cannot be read.
func (a *epubFile) read(ctx context.Context, s *source, items []bookItem) (string, error) {
	locked, err := a.locked()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return "", backend.ErrCancelled.WithCause(err)
		}
		if f := a.Find(item.path); f != nil && locked[archive.Fold(archive.Clean(f.Name))] {
			return "", errLocked()
		}
		text, err := a.part(s, item)
		if err != nil {
			return "", err
		}
		out.WriteString(text + "\n\n")
	}
	return out.String(), nil
}

// errLocked returns the error for a book with a protection against copying.
func errLocked() error {
	return backend.E(backend.CodeUnsupportedMedia, "This book is protected against copying.",
		"Only the program of its seller can open it; choose a book without such a protection.").With("reason", "locked")
}

// part returns the text of one document; it is empty, with a note, for one that is missing or damaged.
func (a *epubFile) part(s *source, item bookItem) (string, error) {
	text, err := a.document(s, item)
	if err != nil {
		return "", err
	}
	if mediaType(item.MediaType) != plainType {
		text = s.page(text)
	}
	if item.aside && backend.Speakable(text) {
		name := shownName(item.path)
		s.note("part_aside", fmt.Sprintf("The part “%s” is outside of the reading order of the book, and is "+
			"read where the book lists it.", name), map[string]any{"name": name})
	}
	return text, nil
}

// document returns the characters of one document; it is empty, with a note, for one that is missing or damaged.
func (a *epubFile) document(s *source, item bookItem) (string, error) {
	name := shownName(item.path)
	params := map[string]any{"name": name}
	if a.Find(item.path) == nil {
		s.note("part_missing", fmt.Sprintf("The part “%s” is missing in the book.", name), params)
		return "", nil
	}
	raw, err := a.file(item.path)
	if err == nil {
		var text string
		if text, err = s.decode(raw, charset.Declared(raw)); err == nil {
			return text, nil
		}
	}
	if isTooMuch(err) {
		return "", err
	}
	s.note("part_damaged", fmt.Sprintf("The part “%s” is damaged and was left out.", name), params)
	return "", nil
}

// locked returns the encrypted files. Fonts often are, and are not needed.
func (a *epubFile) locked() (map[string]bool, error) {
	const list = "META-INF/encryption.xml"
	if a.Find(list) == nil {
		return nil, nil
	}
	var encrypted struct {
		Data []struct {
			Reference struct {
				URI string `xml:"URI,attr"`
			} `xml:"CipherData>CipherReference"`
		} `xml:"EncryptedData"`
	}
	if err := a.xml(list, &encrypted); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, d := range encrypted.Data {
		if name, err := url.PathUnescape(d.Reference.URI); err == nil {
			names[archive.Fold(archive.Clean(name))] = true
		}
	}
	return names, nil
}

// errNotEPUB returns the error for a file that is no valid EPUB file.
func errNotEPUB(cause error) error {
	if cause == nil {
		cause = errors.New("it names no package document with parts to read")
	}
	return errUnsupported("no_book", "This isn’t an EPUB file, or it is damaged.").WithCause(cause)
}

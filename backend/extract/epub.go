package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// The limits of a book.
const (
	maxEntries = 20_000     // files in the archive
	maxSpine   = 5_000      // documents in reading order
	maxPart    = 16_000_000 // bytes of one document, unpacked
)

// archive is an EPUB file. Its names are looked up in memory only; nothing is written to the disk.
type archive struct {
	files map[string]*zip.File
	left  int64 // bytes that may still be unpacked
}

// manifest has the elements of a package document (EPUB 3.3, section 5) that are used.
type manifest struct {
	Titles []string `xml:"metadata>title"`
	Items  []struct {
		ID         string `xml:"id,attr"`
		Href       string `xml:"href,attr"`
		MediaType  string `xml:"media-type,attr"`
		Properties string `xml:"properties,attr"`
	} `xml:"manifest>item"`
	Spine []struct {
		ID     string `xml:"idref,attr"`
		Linear string `xml:"linear,attr"`
	} `xml:"spine>itemref"`
}

// book returns the text of an EPUB file in its reading order. Its title replaces that of the document, if it has one.
func book(ctx context.Context, s *source) (string, error) {
	a, err := openArchive(s.raw, s.limit)
	if err != nil {
		return "", err
	}
	var container struct {
		Roots []struct {
			Path string `xml:"full-path,attr"`
		} `xml:"rootfiles>rootfile"`
	}
	if err := a.xml("META-INF/container.xml", &container); err != nil {
		return "", err
	}
	if len(container.Roots) == 0 {
		return "", notEPUB(nil)
	}
	root := container.Roots[0].Path
	var m manifest
	if err := a.xml(root, &m); err != nil {
		return "", err
	}
	if len(m.Spine) > maxSpine {
		return "", tooMuch()
	}
	if len(m.Titles) > 0 && oneLine(m.Titles[0]) != "" {
		s.doc.Title = oneLine(m.Titles[0])
	}
	return a.read(ctx, m, path.Dir(root))
}

// read returns the text of the documents of the spine. folder is that of the package document.
func (a *archive) read(ctx context.Context, m manifest, folder string) (string, error) {
	locked, err := a.locked()
	if err != nil {
		return "", err
	}
	parts := map[string]string{}
	for _, item := range m.Items {
		document := item.MediaType == "application/xhtml+xml" || item.MediaType == "text/html" ||
			item.MediaType == "text/x-oeb1-document"
		navigation := strings.Contains(" "+item.Properties+" ", " nav ")
		href, err := url.PathUnescape(item.Href)
		if document && !navigation && err == nil {
			parts[item.ID] = path.Join(folder, href)
		}
	}
	var out strings.Builder
	for _, ref := range m.Spine {
		if err := ctx.Err(); err != nil {
			return "", backend.ErrCancelled.WithCause(err)
		}
		part, ok := parts[ref.ID]
		if !ok || ref.Linear == "no" {
			continue
		}
		if locked[part] {
			return "", backend.E(backend.CodeUnsupportedMedia, "This book is protected against copying.",
				"Only the program of its seller can open it; choose a book without such a protection.").With("reason", "locked")
		}
		raw, err := a.file(part)
		if err != nil {
			return "", err
		}
		page, _, err := decode(raw)
		if err != nil {
			return "", err
		}
		out.WriteString(pageText(page) + "\n\n")
	}
	return out.String(), nil
}

// openArchive returns an archive after checking the names of all its files.
func openArchive(raw []byte, limit int64) (*archive, error) {
	// Every entry of the list has this signature, so a list that is too long is not read into memory.
	if bytes.Count(raw, []byte("PK\x01\x02")) > maxEntries {
		return nil, tooMuch()
	}
	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, notEPUB(err)
	}
	a := &archive{files: make(map[string]*zip.File, len(r.File)), left: limit}
	for _, f := range r.File {
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || strings.Contains(name, `\`) {
			return nil, notEPUB(fmt.Errorf("invalid file name %q", f.Name))
		}
		if _, duplicate := a.files[name]; duplicate {
			return nil, notEPUB(fmt.Errorf("duplicate file name %q", f.Name))
		}
		a.files[name] = f
	}
	return a, nil
}

// locked returns the encrypted files. Fonts often are, and are not needed.
func (a *archive) locked() (map[string]bool, error) {
	const list = "META-INF/encryption.xml"
	if _, ok := a.files[list]; !ok {
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
			names[path.Clean(name)] = true
		}
	}
	return names, nil
}

// file unpacks one file within the limits.
func (a *archive) file(name string) (_ []byte, err error) {
	f, ok := a.files[name]
	if !ok {
		return nil, notEPUB(fmt.Errorf("%q is missing", name))
	}
	limit := min(maxPart, a.left)
	if f.UncompressedSize64 > uint64(limit) {
		return nil, tooMuch()
	}
	r, err := f.Open()
	if err != nil {
		return nil, notEPUB(err)
	}
	defer func() { _ = r.Close() }()
	raw, err := io.ReadAll(io.LimitReader(r, limit+1)) // the size in the list may be wrong
	if err != nil {
		return nil, notEPUB(err)
	}
	if a.left -= int64(len(raw)); int64(len(raw)) > limit {
		return nil, tooMuch()
	}
	return raw, nil
}

// xml decodes one XML file into out.
func (a *archive) xml(name string, out any) error {
	raw, err := a.file(name)
	if err != nil {
		return err
	}
	text, _, err := decode(raw)
	if err != nil {
		return err
	}
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 already
	if err := d.Decode(out); err != nil {
		return notEPUB(fmt.Errorf("read %s: %w", name, err))
	}
	return nil
}

// notEPUB returns the error for a file that is no valid EPUB file.
func notEPUB(cause error) error {
	if cause == nil {
		cause = errors.New("the container names no package document")
	}
	return unsupported("no_book", "This isn’t an EPUB file, or it is damaged.").WithCause(cause)
}

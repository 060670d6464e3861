package extract

import (
	"context"
	"fmt"
	"path"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/archive"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
)

// maxBlocks is the maximum of blocks of a book: many more than one of 2,000,000 characters has.
const maxBlocks = 400_000

// epubBook is an EPUB file that is read as a book.
type epubBook struct {
	*epubFile
	s        *source
	manifest manifest
	folder   string // of the package document

	contents []entry
	marks    []entry                    // landmarks and the guide
	wanted   map[string]map[string]bool // ids of a file that the table of contents links to
	matter   map[string]backend.TextClass
	begins   map[string]int // the block that a file, or an element in it, begins: see linkKey
	starts   []int          // the block that each file begins
	titles   []string       // of these files
}

// linkKey returns what names a place in a book, whose fragment is empty for the start of a file.
func linkKey(name, fragment string) string { return archive.Fold(archive.Clean(name)) + "#" + fragment }

// readEPUB fills in the manuscript of an EPUB file: the documents in the order of the spine, each once.
func readEPUB(ctx context.Context, _ *Extractor, s *source) error {
	a, m, root, err := s.openEPUB()
	if err != nil {
		return err
	}
	b := &epubBook{epubFile: a, s: s, manifest: m, folder: path.Dir(root), begins: map[string]int{}, matter: map[string]backend.TextClass{}}
	items := m.order(s, b.folder, true)
	if len(items) == 0 && len(s.doc.Notes) == 0 {
		return errNotEPUB(nil)
	}
	s.book.ManuscriptMeta = m.describe(s)
	b.readContents(items)
	locked, err := a.locked()
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if f := a.Find(item.path); f != nil && locked[archive.Fold(archive.Clean(f.Name))] {
			return errLocked()
		}
		if err := b.readItem(item); err != nil {
			return err
		}
	}
	b.beginSections()
	classes.Sections(s.book.Blocks, b.starts)
	s.book.Cover = b.cover()
	s.noteLeftOut()
	return nil
}

// readItem adds the blocks of a document to the book.
func (b *epubBook) readItem(item bookItem) error {
	start := len(b.s.book.Blocks)
	for _, name := range []string{item.path, item.listed} {
		b.begins[linkKey(name, "")] = start
	}
	b.starts = append(b.starts, start)
	text, err := b.document(b.s, item)
	if err != nil {
		return err
	}
	var read []backend.Block
	title := ""
	if mediaType(item.MediaType) == plainType {
		read = blocks.Paragraphs(tidy(text))
	} else {
		page := newPageBook(b.wanted[archive.Fold(archive.Clean(item.path))])
		title = b.s.readPage(text, page).title
		var places map[string]int
		read, places = page.finish()
		b.speaks(read, page.head["language"])
		for id, at := range places {
			b.begins[linkKey(item.path, id)] = start + at
		}
	}
	b.titles = append(b.titles, title)
	if class := b.matter[linkKey(item.path, "")]; class != "" {
		blocks.SetClass(read, class)
	}
	if item.aside && len(read) > 0 {
		blocks.SetClass(read, backend.ClassAside)
		name := shownName(item.path)
		b.s.note("part_outside", fmt.Sprintf("The part “%s” is outside of the reading order of the book (linear=\"no\").", name),
			map[string]any{"name": name})
	}
	if len(read) == 0 && b.linked(item.path) { // a chapter without words
		read = []backend.Block{{Kind: backend.BlockImage}}
	}
	if b.s.book.Blocks = append(b.s.book.Blocks, read...); len(b.s.book.Blocks) > maxBlocks {
		return errTooMuch()
	}
	return nil
}

// speaks notes the language of a document where it is another one than that of the book.
func (b *epubBook) speaks(read []backend.Block, language string) {
	tag, ok := backend.CanonicalLanguage(language)
	if !ok || tag == "" || !backend.KnownLanguage(tag) || b.s.book.Language == "" ||
		backend.BaseLanguage(tag) == backend.BaseLanguage(b.s.book.Language) {
		return
	}
	for i := range read {
		read[i].Language = tag
	}
}

// linked reports whether the table of contents links to a file.
func (b *epubBook) linked(name string) bool {
	return b.wanted[archive.Fold(archive.Clean(name))] != nil
}

// beginSections marks where the sections of the book begin: by the table of contents, else by headings, else by files.
func (b *epubBook) beginSections() {
	all := b.s.book.Blocks
	if b.beginEntries(all) > 0 {
		return
	}
	first := 0
	if at, ok := b.begins[b.textStart()]; ok {
		first = at
	}
	if blocks.BeginHeadings(all, first) > 0 {
		return
	}
	for i, start := range b.starts {
		if start < len(all) && (i+1 == len(b.starts) || b.starts[i+1] > start) {
			title := b.titles[i]
			if title == "" || i > 0 && title == b.titles[0] {
				title = fmt.Sprint(i + 1)
			}
			blocks.Begin(&all[start], title, 1)
		}
	}
}

// beginEntries marks where the entries of the table of contents begin, and returns how many do.
func (b *epubBook) beginEntries(all []backend.Block) (found int) {
	var lost []string
	taken := map[int]bool{}
	for i, e := range b.contents {
		at, ok := b.placeOf(i)
		if start, known := b.begins[linkKey(e.path, "")]; !ok && e.href != "" {
			lost = append(lost, e.title)
			at, ok = start, known && !taken[start] // the element is missing, but not its file
		} else if !ok {
			lost = append(lost, e.title)
		}
		if ok && at < len(all) {
			taken[at] = true
			blocks.Begin(&all[at], e.title, e.level)
			found++
		}
	}
	if len(lost) > 0 {
		title := shownName(lost[0])
		b.s.note("contents_lost", counted(len(lost), "%d entry of the table of contents leads nowhere:", "%d entries of the table of contents "+
			"lead nowhere, the first one is")+" “"+title+"”.", map[string]any{"count": len(lost), "title": title})
	}
	return found
}

// placeOf returns the block that an entry leads to. A label without a link has the place of the first entry below it.
func (b *epubBook) placeOf(i int) (at int, ok bool) {
	for j := i; j < len(b.contents) && (j == i || b.contents[j].level > b.contents[i].level); j++ {
		if e := b.contents[j]; e.href != "" {
			at, ok = b.begins[linkKey(e.path, e.fragment)]
			if ok || j == i {
				return at, ok
			}
		}
	}
	return 0, false
}

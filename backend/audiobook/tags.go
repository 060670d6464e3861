package audiobook

import (
	"cmp"
	"encoding/binary"

	"github.com/voicewright/voicewright/backend"
)

// usualGenre is that of a book without one.
const usualGenre = "Audiobook"

// The types of values in an atom of iTunes.
const (
	typeBinary = 0
	typeText   = 1
	typeJPEG   = 13
	typePNG    = 14
	typeNumber = 21
)

// audiobookKind is the kind of media (stik) with which Apple's players remember the place.
const audiobookKind = 2

// metaBox returns the box with what players show of the book (moov/udta/meta): atoms of iTunes, and free ones for what has none.
func (l Layout) metaBox() []byte {
	m := l.book.Meta
	title, description, statement := l.Title(), paragraphs(m.Description), oneLine(m.Statement)
	var list []byte
	text := func(kind, value string) {
		if value != "" {
			list = appendBox(list, kind, dataBox(typeText, []byte(value)))
		}
	}
	text("\xA9nam", title)
	text("\xA9alb", oneLine(m.Title))
	text("\xA9ART", oneLine(m.Author))
	text("aART", oneLine(m.Author))
	text("\xA9wrt", oneLine(m.Narrator))
	text("desc", description)
	text("ldes", description)
	if description != "" { // some players show a comment where there is no description
		text("\xA9cmt", statement)
	}
	text("\xA9day", oneLine(m.Year))
	text("\xA9gen", m.genre())
	text("\xA9grp", l.group())
	text("\xA9too", "Voicewright")
	list = appendBox(list, "stik", dataBox(typeNumber, []byte{audiobookKind}))
	if l.parts > 1 {
		list = appendBox(list, "disk", dataBox(typeBinary, []byte{0, 0, 0, byte(l.part), 0, byte(l.parts)}))
	}
	switch backend.CoverExtension(l.book.Cover) {
	case ".jpg":
		list = appendBox(list, "covr", dataBox(typeJPEG, l.book.Cover))
	case ".png":
		list = appendBox(list, "covr", dataBox(typePNG, l.book.Cover))
	}
	for _, t := range [][2]string{
		{"NARRATOR", m.Narrator},
		{"LANGUAGE", languageTag(m.Language)},
		{"ISBN", m.ISBN},
		{"PUBLISHER", m.Publisher},
		{"SERIES", m.Series},
		{"SERIES-PART", m.SeriesPart},
		{"SYNTHETIC-SPEECH", statement},
	} {
		if value := oneLine(t[1]); value != "" {
			space, name := fullBox("mean", []byte("com.apple.iTunes")), fullBox("name", []byte(t[0]))
			list = appendBox(list, "----", space, name, dataBox(typeText, []byte(value)))
		}
	}
	handler := fullBox("hdlr", []byte("\x00\x00\x00\x00mdirappl\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	return fullBox("meta", handler, appendBox(nil, "ilst", list))
}

// genre returns what the book is, in one line.
func (m Meta) genre() string { return cmp.Or(oneLine(m.Genre), usualGenre) }

// group returns the series with the number in it: "Earthsea #3".
func (l Layout) group() string {
	series, part := oneLine(l.book.Meta.Series), oneLine(l.book.Meta.SeriesPart)
	if series == "" || part == "" {
		return series
	}
	return oneLine(series + " #" + part)
}

// dataBox returns the value of an atom: its type, no country, its bytes.
func dataBox(kind uint32, value []byte) []byte {
	return appendBox(nil, "data", binary.BigEndian.AppendUint32(nil, kind), []byte{0, 0, 0, 0}, value)
}

// fullBox returns a box of version 0 without flags.
func fullBox(kind string, body ...[]byte) []byte {
	return appendBox(nil, kind, append([][]byte{{0, 0, 0, 0}}, body...)...)
}

// appendBox appends a box of an MP4 file (ISO 14496-12) to b.
func appendBox(b []byte, kind string, body ...[]byte) []byte {
	b = append(b, boxHead(kind, body...)...)
	for _, part := range body {
		b = append(b, part...)
	}
	return b
}

// boxHead returns the header of a box.
func boxHead(kind string, body ...[]byte) []byte {
	size := boxHeader
	for _, part := range body {
		size += len(part)
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(size)), kind...)
}

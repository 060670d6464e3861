package tokens

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// SentencePiece is a tokenizer of the library SentencePiece: unigram or BPE. It may be used by several goroutines.
type SentencePiece struct {
	model      *model
	normalizer normalizer
	reserved   Reserved
	bytes      [256]int32 // ids of the bytes, with byte fallback
	split      func(text string, visit func(part string, id int32))
}

// Reserved are the ids of the pieces with a meaning of their own, or -1 where a model has no such piece.
type Reserved struct{ Unknown, Begin, End, Padding int }

// ReadSentencePiece reads a model file of SentencePiece, which is usually named tokenizer.model.
func ReadSentencePiece(raw []byte) (*SentencePiece, error) {
	m, err := parseModel(raw)
	if err != nil {
		return nil, fmt.Errorf("read SentencePiece model: %w", err)
	}
	table, err := readCharsmap(m.charsmap)
	if err != nil {
		return nil, fmt.Errorf("read SentencePiece model: %w", err)
	}
	s := &SentencePiece{
		model: m,
		normalizer: normalizer{
			charsmap: table, dummyPrefix: m.dummyPrefix, removeSpaces: m.removeSpaces, escapeSpaces: m.escapeSpaces,
			asSuffix: m.spaceAsSuffix,
		},
		reserved: Reserved{none, none, none, none},
	}
	s.index()
	if m.modelType == modelBPE {
		s.split = newPairs(m, int32(s.reserved.Unknown), s.normalizer.userDefined).split
	} else {
		s.split = newUnigram(m, int32(s.reserved.Unknown)).split
	}
	return s, nil
}

// index finds the pieces of each kind.
func (s *SentencePiece) index() {
	var userDefined []entry
	for id, p := range s.model.pieces {
		switch p.kind {
		case kindUnknown:
			s.reserved.Unknown = id
		case kindControl:
			switch p.text {
			case s.model.beginPiece:
				s.reserved.Begin = id
			case s.model.endPiece:
				s.reserved.End = id
			case s.model.padding:
				s.reserved.Padding = id
			}
		case kindByte:
			b, _ := byteOf(p.text)
			s.bytes[b] = int32(id)
		case kindUserDefined:
			userDefined = append(userDefined, entry{p.text, int32(id)})
		case kindNormal, kindUnused:
		}
	}
	if len(userDefined) > 0 {
		s.normalizer.userDefined = newTrie(userDefined)
	}
}

// Size returns the number of pieces; ids are smaller.
func (s *SentencePiece) Size() int { return len(s.model.pieces) }

// Reserved returns the ids of the pieces with a meaning of their own.
func (s *SentencePiece) Reserved() Reserved { return s.reserved }

// Encode returns the ids of a text, without Begin and End.
func (s *SentencePiece) Encode(text string) []int {
	var ids []int
	s.pieces(text, func(_ string, id int32) { ids = append(ids, int(id)) })
	return ids
}

// pieces calls visit with the pieces of a text and their ids. Unknown characters are bytes, or neighbours are one piece.
func (s *SentencePiece) pieces(text string, visit func(part string, id int32)) {
	normalized := s.normalizer.normalize(text)
	unknown := int32(s.reserved.Unknown)
	at, start := 0, 0 // the end of the pieces so far, and the start of the unknown characters before it
	flush := func() {
		if start < at {
			visit(normalized[start:at], unknown)
		}
	}
	s.split(normalized, func(part string, id int32) {
		switch {
		case id != unknown:
			flush()
			visit(part, id)
			start = at + len(part)
		case s.model.byteFallback:
			for _, b := range []byte(part) {
				visit(s.model.pieces[s.bytes[b]].text, s.bytes[b])
			}
			start = at + len(part)
		}
		at += len(part)
	})
	flush()
}

// Decode returns the text of ids. Control pieces have none, and bytes that are no UTF-8 are U+FFFD. Ids that the model
// does not have are read as unknown pieces.
func (s *SentencePiece) Decode(ids []int) string {
	var out strings.Builder
	var pending []byte
	atStart := true // the space before the first piece is left out
	for _, id := range ids {
		p := piece{kind: kindUnknown}
		if id >= 0 && id < len(s.model.pieces) {
			p = s.model.pieces[id]
		}
		if p.kind == kindByte {
			b, _ := byteOf(p.text)
			pending = append(pending, b)
			continue
		}
		writeBytes(&out, pending)
		pending = pending[:0]
		atStart = atStart && out.Len() == 0
		switch p.kind {
		case kindControl:
		case kindUnknown:
			out.WriteString(s.model.unknownSurface)
		default:
			text := p.text
			if atStart && (s.model.dummyPrefix || s.model.removeSpaces) {
				text = strings.TrimPrefix(text, space)
				atStart = s.model.removeSpaces || text == p.text
			}
			out.WriteString(strings.ReplaceAll(text, space, " "))
		}
	}
	writeBytes(&out, pending)
	return out.String()
}

// writeBytes writes bytes as text, with U+FFFD for each that is no UTF-8.
func writeBytes(out *strings.Builder, raw []byte) {
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		out.WriteRune(r)
		raw = raw[size:]
	}
}

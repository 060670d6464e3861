package tokens

import (
	"errors"
	"fmt"
	"math"
)

// Limits on what a SentencePiece model may hold. The largest published ones have 4 MB, 262,144 pieces, and pieces of
// some 100 bytes.
const (
	maxModel  = 8 << 20
	maxPieces = 1 << 20
	maxPiece  = 1024 // bytes
)

// kind is the type of a piece in a SentencePiece model.
type kind uint64

const (
	kindNormal kind = iota + 1
	kindUnknown
	kindControl
	kindUserDefined
	kindUnused
	kindByte
)

// The types of SentencePiece models that this package reads.
const (
	modelUnigram = 1
	modelBPE     = 2
)

// piece is a row of the vocabulary; its index is its id.
type piece struct {
	text  string
	score float32
	kind  kind
}

// model is the content of a SentencePiece file.
type model struct {
	pieces                        []piece
	modelType                     uint64
	byteFallback                  bool
	spaceAsSuffix                 bool // treat_whitespace_as_suffix
	unknownSurface                string
	beginPiece, endPiece, padding string
	charsmap                      string
	dummyPrefix                   bool
	removeSpaces                  bool // remove_extra_whitespaces
	escapeSpaces                  bool // escape_whitespaces
}

// parseModel reads a ModelProto of sentencepiece_model.proto.
func parseModel(raw []byte) (*model, error) {
	if len(raw) > maxModel {
		return nil, fmt.Errorf("the file has %d bytes, more than %d", len(raw), maxModel)
	}
	m := &model{
		modelType: modelUnigram, unknownSurface: " ⁇ ", beginPiece: "<s>", endPiece: "</s>", padding: "<pad>",
		dummyPrefix: true, removeSpaces: true, escapeSpaces: true,
	}
	err := eachField(string(raw), func(f field) error {
		if f.tag < 1 || f.tag > 3 && f.tag != 5 {
			return nil
		}
		if err := f.expect(wireBytes); err != nil {
			return err
		}
		switch f.tag {
		case 1:
			return m.addPiece(f.bytes)
		case 2:
			return eachField(f.bytes, m.trainerField)
		case 3:
			return eachField(f.bytes, m.normalizerField)
		default:
			return eachField(f.bytes, denormalizerField)
		}
	})
	if err != nil {
		return nil, err
	}
	return m, m.check()
}

func (m *model) addPiece(message string) error {
	if len(m.pieces) == maxPieces {
		return fmt.Errorf("the model has more than %d pieces", maxPieces)
	}
	p := piece{kind: kindNormal}
	err := eachField(message, func(f field) error {
		switch f.tag {
		case 1:
			p.text = f.bytes
			return f.expect(wireBytes)
		case 2:
			p.score = f.float()
			return f.expect(wireFixed32)
		case 3:
			p.kind = kind(f.number)
			return f.expect(wireVarint)
		}
		return nil
	})
	m.pieces = append(m.pieces, p)
	return err
}

func (m *model) trainerField(f field) error {
	wire := wireVarint
	switch f.tag {
	case 3:
		m.modelType = f.number
	case 24:
		m.spaceAsSuffix = f.isTrue()
	case 35:
		m.byteFallback = f.isTrue()
	case 44:
		m.unknownSurface, wire = f.bytes, wireBytes
	case 46:
		m.beginPiece, wire = f.bytes, wireBytes
	case 47:
		m.endPiece, wire = f.bytes, wireBytes
	case 48:
		m.padding, wire = f.bytes, wireBytes
	default:
		return nil
	}
	return f.expect(wire)
}

func (m *model) normalizerField(f field) error {
	wire := wireVarint
	switch f.tag {
	case 2:
		m.charsmap, wire = f.bytes, wireBytes
	case 3:
		m.dummyPrefix = f.isTrue()
	case 4:
		m.removeSpaces = f.isTrue()
	case 5:
		m.escapeSpaces = f.isTrue()
	default:
		return nil
	}
	return f.expect(wire)
}

// denormalizerField refuses models that rewrite decoded text; no published speech model does.
func denormalizerField(f field) error {
	if f.tag == 2 && f.bytes != "" {
		return errors.New("models with a denormalizer are not supported")
	}
	return nil
}

// check returns an error unless the model can be used.
func (m *model) check() error {
	if m.modelType != modelUnigram && m.modelType != modelBPE {
		return fmt.Errorf("the model has the type %d; only unigram (1) and BPE (2) are supported", m.modelType)
	}
	if len(m.unknownSurface) > maxPiece {
		return fmt.Errorf("the text for unknown pieces has %d bytes, more than %d", len(m.unknownSurface), maxPiece)
	}
	seen := make(map[string]bool, len(m.pieces))
	var kinds [kindByte + 1]int
	for id, p := range m.pieces {
		if err := p.check(id, seen[p.text]); err != nil {
			return err
		}
		seen[p.text] = true
		kinds[p.kind]++
	}
	if kinds[kindUnknown] != 1 {
		return fmt.Errorf("the model has %d unknown pieces instead of one", kinds[kindUnknown])
	}
	if want := 256; m.byteFallback && kinds[kindByte] != want || !m.byteFallback && kinds[kindByte] != 0 {
		return fmt.Errorf("the model has %d byte pieces, with byte fallback %t", kinds[kindByte], m.byteFallback)
	}
	return nil
}

// check returns an error unless the piece can be used; twice is whether one before it has the same text.
func (p piece) check(id int, twice bool) error {
	switch {
	case p.text == "":
		return fmt.Errorf("piece %d is empty", id)
	case len(p.text) > maxPiece:
		return fmt.Errorf("piece %d has %d bytes, more than %d", id, len(p.text), maxPiece)
	case twice:
		return fmt.Errorf("piece %d (%q) occurs twice", id, p.text)
	case p.kind < kindNormal || p.kind > kindByte:
		return fmt.Errorf("piece %d has the unknown type %d", id, p.kind)
	case math.IsNaN(float64(p.score)) || math.IsInf(float64(p.score), 0):
		return fmt.Errorf("piece %d has the score %g", id, p.score)
	}
	if p.kind == kindByte {
		if _, ok := byteOf(p.text); !ok {
			return fmt.Errorf("piece %d (%q) is no byte", id, p.text)
		}
	}
	return nil
}

// byteOf returns the byte that a piece such as <0x0A> stands for.
func byteOf(text string) (byte, bool) {
	if len(text) != len("<0x0A>") || text[:3] != "<0x" || text[5] != '>' {
		return 0, false
	}
	high, ok1 := hexDigit(text[3])
	low, ok2 := hexDigit(text[4])
	return high<<4 | low, ok1 && ok2
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

package tokens

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// BPE is a tokenizer of a tokenizer.json file with a model of byte pair encoding. It may be used by several goroutines.
type BPE struct {
	vocabulary   map[string]int // of the model
	added        map[string]int
	texts        map[int]string
	special      map[int]bool
	merges       map[[2]int32]pairing
	bytes        [256]int32 // ids of the bytes, at byte level
	byteLevel    bool
	unknown      int32
	fuseUnknown  bool
	ignoreMerges bool

	raw, normalized *addedTokens
	normalizers     []func(string) string
	splitters       []splitter
	before, after   []int // ids that are added to a text
	joinBytes       bool  // the decoder is that of byte level
}

// ReadBPE reads a tokenizer.json file.
func ReadBPE(raw []byte) (*BPE, error) {
	b, err := readBPE(raw)
	if err != nil {
		return nil, fmt.Errorf("read tokenizer.json: %w", err)
	}
	return b, nil
}

func readBPE(raw []byte) (*BPE, error) {
	f, err := parseTokenizer(raw)
	if err != nil {
		return nil, err
	}
	b := &BPE{fuseUnknown: f.Model.FuseUnknown, ignoreMerges: f.Model.IgnoreMerges}
	if err := b.addTokens(f); err != nil {
		return nil, err
	}
	if err := b.addModel(f.Model); err != nil {
		return nil, err
	}
	if b.normalizers, err = readNormalizers(f.Normalizer); err != nil {
		return nil, err
	}
	if b.splitters, b.byteLevel, err = readPreTokenizers(f.PreTokenizer); err != nil {
		return nil, err
	}
	if b.before, b.after, err = f.template(); err != nil {
		return nil, err
	}
	if b.joinBytes, err = readDecoder(f.Decoder); err != nil {
		return nil, err
	}
	b.findAdded(f.AddedTokens)
	return b, nil
}

// addTokens fills the tables from texts to ids and back.
func (b *BPE) addTokens(f *tokenizerFile) error {
	b.vocabulary, b.added = f.Model.Vocab, make(map[string]int, len(f.AddedTokens))
	b.texts, b.special = make(map[int]string, len(b.vocabulary)+len(f.AddedTokens)), map[int]bool{}
	for text, id := range b.vocabulary {
		if _, ok := b.texts[id]; ok {
			return fmt.Errorf("the id %d occurs twice", id)
		}
		b.texts[id] = text
	}
	for _, t := range f.AddedTokens {
		b.added[t.Content], b.texts[t.ID] = t.ID, t.Content
		if t.Special {
			b.special[t.ID] = true
		}
	}
	return nil
}

// addModel fills the tables of merges and of bytes.
func (b *BPE) addModel(m bpeModel) error {
	b.merges = make(map[[2]int32]pairing, len(m.Merges))
	for rank, pair := range m.Merges {
		left, ok1 := m.Vocab[pair.left]
		right, ok2 := m.Vocab[pair.right]
		joined, ok3 := m.Vocab[pair.left+pair.right]
		if !ok1 || !ok2 || !ok3 {
			return fmt.Errorf("merge %d has the unknown token %.100q, %.100q or both joined", rank, pair.left, pair.right)
		}
		b.merges[[2]int32{int32(left), int32(right)}] = pairing{rank: float64(rank), id: int32(joined)}
	}
	for i, letter := range byteLetters {
		b.bytes[i] = idOr(m.Vocab, string(letter), none)
	}
	b.unknown = none
	if m.Unknown != nil {
		if b.unknown = idOr(m.Vocab, *m.Unknown, none); b.unknown == none {
			return fmt.Errorf("the model has no token %.100q, which is to stand for unknown characters", *m.Unknown)
		}
	}
	return nil
}

func idOr(vocabulary map[string]int, text string, otherwise int32) int32 {
	if id, ok := vocabulary[text]; ok {
		return int32(id)
	}
	return otherwise
}

// findAdded sorts the added tokens into those that are found in the text as it is, and those in the normalized text.
func (b *BPE) findAdded(tokens []addedToken) {
	var raw, normalized []addedToken
	for _, t := range tokens {
		if t.Normalized {
			normalized = append(normalized, t)
		} else {
			raw = append(raw, t)
		}
	}
	b.raw = newAddedTokens(raw, func(text string) string { return text })
	b.normalized = newAddedTokens(normalized, b.normalize)
}

// readDecoder reports whether decoding joins bytes. Without a decoder, tokens are joined with spaces.
func readDecoder(raw json.RawMessage) (joinBytes bool, err error) {
	decoders, err := steps(raw)
	if err != nil {
		return false, err
	}
	for _, d := range decoders {
		if d.Type != "ByteLevel" {
			return false, fmt.Errorf("the decoder %.100q is not supported", d.Type)
		}
		joinBytes = true
	}
	return joinBytes, nil
}

// ID returns the id of a token.
func (b *BPE) ID(token string) (int, bool) {
	if id, ok := b.added[token]; ok {
		return id, true
	}
	id, ok := b.vocabulary[token]
	return id, ok
}

// Encode returns the ids of a text; with special, also those that the file's template adds before and after them.
func (b *BPE) Encode(text string, special bool) []int {
	e := encoder{bpe: b, merger: merger{pair: b.pair}}
	e.visit = func(s symbol) { e.ids = append(e.ids, int(s.id)) }
	word := e.word // bound once, not for each part
	if special {
		e.ids = append(e.ids, b.before...)
	}
	b.raw.cut(strings.ToValidUTF8(text, "\uFFFD"), func(part string, id int) {
		if id != none {
			e.ids = append(e.ids, id)
			return
		}
		b.normalized.cut(b.normalize(part), func(part string, id int) {
			if id != none {
				e.ids = append(e.ids, id)
				return
			}
			split(b.splitters, part, word)
		})
	})
	if special {
		e.ids = append(e.ids, b.after...)
	}
	return e.ids
}

func (b *BPE) normalize(text string) string {
	for _, normalize := range b.normalizers {
		text = normalize(text)
	}
	return text
}

// split calls visit with the parts of a text after all splitters.
func split(splitters []splitter, text string, visit func(string)) {
	if len(splitters) == 0 {
		visit(text)
		return
	}
	splitters[0](text, func(part string) { split(splitters[1:], part, visit) })
}

// pair returns how two neighbours are joined.
func (b *BPE) pair(left, right symbol) (pairing, bool) {
	p, ok := b.merges[[2]int32{left.id, right.id}]
	return p, ok
}

// encoder collects the ids of one text.
type encoder struct {
	bpe    *BPE
	merger merger
	visit  func(symbol)
	ids    []int
}

// word appends the ids of a part that no token goes beyond.
func (e *encoder) word(part string) {
	b := e.bpe
	if b.ignoreMerges {
		if id, ok := b.vocabulary[b.spell(part)]; ok {
			e.ids = append(e.ids, id)
			return
		}
	}
	for start, size := 0, 0; start < len(part); start += size {
		var id int32
		if b.byteLevel {
			id, size = b.bytes[part[start]], 1
		} else {
			_, size = utf8.DecodeRuneInString(part[start:])
			id = idOr(b.vocabulary, part[start:start+size], none)
		}
		e.add(start, start+size, id)
	}
	e.merger.run(e.visit)
}

// spell returns a part as the model's tokens spell it.
func (b *BPE) spell(part string) string {
	if !b.byteLevel {
		return part
	}
	var out strings.Builder
	for _, c := range []byte(part) {
		out.WriteRune(byteLetters[c])
	}
	return out.String()
}

// add adds a symbol, or the unknown token. A model without that token leaves unknown characters out.
func (e *encoder) add(start, end int, id int32) {
	b := e.bpe
	if id == none {
		id = b.unknown
		if n := len(e.merger.symbols); b.fuseUnknown && n > 0 && e.merger.symbols[n-1].id == id {
			e.merger.symbols[n-1].end = end
			return
		}
	}
	if id != none {
		e.merger.add(start, end, id)
	}
}

// Decode returns the text of ids; without special, those of special tokens are left out. Ids that the file does not have
// are left out too.
func (b *BPE) Decode(ids []int, special bool) string {
	var texts []string
	for _, id := range ids {
		text, ok := b.texts[id]
		if !ok || b.special[id] && !special {
			continue
		}
		if b.joinBytes {
			text = bytesOf(text)
		}
		texts = append(texts, text)
	}
	if b.joinBytes {
		return lossy(strings.Join(texts, ""))
	}
	return strings.Join(texts, " ")
}

package tokens

import "unicode/utf8"

// joint is two characters that are neighbours in some piece. No piece goes over a place between two others, so a text is
// split there first, which keeps the queues of merges short.
type joint struct{ left, right rune }

// pairs splits a text into pieces by byte pair encoding: characters join to the pieces with the highest scores first.
type pairs struct {
	ids         map[string]int32 // of the pieces that are found in texts
	pieces      []piece
	unknown     int32
	userDefined *trie // pieces that join nothing; nil if there are none
	joints      map[joint]bool
}

func newPairs(m *model, unknown int32, userDefined *trie) *pairs {
	p := &pairs{
		ids: make(map[string]int32, len(m.pieces)), pieces: m.pieces, unknown: unknown, userDefined: userDefined,
		joints: map[joint]bool{},
	}
	for id, piece := range m.pieces {
		if piece.kind == kindNormal || piece.kind == kindUserDefined || piece.kind == kindUnused {
			p.ids[piece.text] = int32(id)
			p.addJoints(piece.text)
		}
	}
	return p
}

func (p *pairs) addJoints(piece string) {
	var last rune
	for i, r := range piece {
		if i > 0 {
			p.joints[joint{last, r}] = true
		}
		last = r
	}
}

// split calls visit with the pieces of a text and their ids, in order.
func (p *pairs) split(text string, visit func(part string, id int32)) {
	halves := map[int32]int{} // of unused pieces, the length of what joined to their left half
	m := merger{pair: func(left, right symbol) (pairing, bool) {
		if p.isUserDefined(left) || p.isUserDefined(right) {
			return pairing{}, false
		}
		id, ok := p.ids[text[left.start:right.end]]
		if !ok {
			return pairing{}, false
		}
		if p.pieces[id].kind == kindUnused {
			halves[id] = left.end - left.start
		}
		return pairing{rank: -float64(p.pieces[id].score), id: id}, true
	}}
	visitSymbol := func(s symbol) { p.resolve(text[s.start:s.end], s.id, halves, visit) }
	var last rune // of the text so far
	for start := 0; start < len(text); {
		size, id := p.first(text[start:])
		next, _ := utf8.DecodeRuneInString(text[start:])
		if !p.joints[joint{last, next}] {
			m.run(visitSymbol)
		}
		m.add(start, start+size, id)
		start += size
		last, _ = utf8.DecodeLastRuneInString(text[:start])
	}
	m.run(visitSymbol)
}

// first returns the length and the id of the symbol that a text begins with: a user-defined piece or a character.
func (p *pairs) first(text string) (size int, id int32) {
	if p.userDefined != nil {
		if id, size := p.userDefined.longest(text); size > 0 {
			return size, id
		}
	}
	_, size = utf8.DecodeRuneInString(text)
	if id, ok := p.ids[text[:size]]; ok {
		return size, id
	}
	return size, p.unknown
}

// isUserDefined reports whether a symbol is a user-defined piece of the text, which joins nothing.
func (p *pairs) isUserDefined(s symbol) bool {
	return p.pieces[s.id].kind == kindUserDefined
}

// resolve calls visit with a piece, or with the halves that joined to it where it is unused.
func (p *pairs) resolve(part string, id int32, halves map[int32]int, visit func(string, int32)) {
	half, ok := halves[id]
	if !ok {
		visit(part, id)
		return
	}
	for _, part := range []string{part[:half], part[half:]} {
		id, ok := p.ids[part]
		if !ok {
			id = p.unknown
		}
		p.resolve(part, id, halves, visit)
	}
}

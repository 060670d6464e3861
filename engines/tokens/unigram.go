package tokens

import (
	"math"
	"slices"
	"unicode/utf8"
)

// unknownPenalty is by how much the score of an unknown character is below the lowest score of a piece.
const unknownPenalty = 10

// userDefinedScore is the score of a user-defined piece for each byte after the first, which is above those of trained
// pieces. It is that of the library's version 0.2.3: where two ways are equally good, the rounding of sums with it decides.
const userDefinedScore = 0.1

// unigram splits a text into the pieces whose scores have the highest sum.
type unigram struct {
	pieces  *trie
	scores  []float32 // of each piece
	unknown int32     // id for characters that no piece covers
	lowest  float32   // score of an unknown character
}

// newUnigram returns the splitter of a model. Only normal and user-defined pieces are found in texts.
func newUnigram(m *model, unknown int32) *unigram {
	u := &unigram{scores: make([]float32, len(m.pieces)), unknown: unknown}
	lowest := float32(math.MaxFloat32)
	for _, p := range m.pieces {
		if p.kind == kindNormal {
			lowest = min(lowest, p.score)
		}
	}
	u.lowest = lowest - unknownPenalty
	var entries []entry
	for id, p := range m.pieces {
		switch p.kind {
		case kindNormal:
			u.scores[id] = p.score
		case kindUserDefined:
			u.scores[id] = float32(userDefinedScore*float64(len(p.text)) - userDefinedScore)
		default:
			continue
		}
		entries = append(entries, entry{p.text, int32(id)})
	}
	u.pieces = newTrie(entries)
	return u
}

// path is the best way to split a text up to a place: the piece that ends at it, and the sum of the scores.
type path struct {
	score float32
	start int32 // of the piece, or none while no way is found
	id    int32
}

// split calls visit with the pieces of a text and their ids, in order. Of ways with equal scores it takes the first.
func (u *unigram) split(text string, visit func(part string, id int32)) {
	best := make([]path, len(text)+1)
	for i := range best {
		best[i].start = none
	}
	best[0].start = 0
	for start := 0; start < len(text); {
		_, size := utf8.DecodeRuneInString(text[start:])
		u.extend(best, text, start, size)
		start += size
	}
	var ends []int
	for end := len(text); end > 0; end = int(best[end].start) {
		ends = append(ends, end)
	}
	for _, end := range slices.Backward(ends) {
		visit(text[best[end].start:end], best[end].id)
	}
}

// extend adds the pieces that begin at a place, where a character of some bytes begins, to the best ways.
func (u *unigram) extend(best []path, text string, start, size int) {
	score, covered := best[start].score, false
	node := int32(0)
	for end := start; end < len(text); {
		if node = u.pieces.child(node, text[end]); node == none {
			break
		}
		end++
		if id := u.pieces.nodes[node].id; id != none {
			best[end].improve(score+u.scores[id], start, id)
			covered = covered || end-start == size
		}
	}
	if !covered {
		best[start+size].improve(score+u.lowest, start, u.unknown)
	}
}

func (p *path) improve(score float32, start int, id int32) {
	if p.start == none || score > p.score {
		*p = path{score: score, start: int32(start), id: id}
	}
}

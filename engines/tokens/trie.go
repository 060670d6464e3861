package tokens

import (
	"slices"
	"strings"
)

// none is the id of no piece.
const none = -1

// trie finds the pieces that a text begins with. Nodes are in the order of their depth, and the children of a node are
// neighbours, so labels has the bytes that lead to them as one string.
type trie struct {
	nodes  []trieNode
	labels []byte
}

type trieNode struct {
	first int32 // of its children
	count int32 // of its children
	id    int32 // of the piece that ends at this node, or none
}

// entry is a piece to be found, and its id.
type entry struct {
	text string
	id   int32
}

// newTrie returns a trie of the entries, whose texts all differ. It sorts them.
func newTrie(entries []entry) *trie {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.text, b.text) })
	type span struct{ low, high, depth int32 } // of the entries below a node
	t := &trie{nodes: []trieNode{{id: none}}, labels: []byte{0}}
	spans := []span{{0, int32(len(entries)), 0}}
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		low := s.low
		if low < s.high && len(entries[low].text) == int(s.depth) {
			t.nodes[i].id = entries[low].id
			low++
		}
		t.nodes[i].first = int32(len(t.nodes))
		for low < s.high {
			label, high := entries[low].text[s.depth], low+1
			for high < s.high && entries[high].text[s.depth] == label {
				high++
			}
			spans = append(spans, span{low, high, s.depth + 1})
			t.nodes = append(t.nodes, trieNode{id: none})
			t.labels = append(t.labels, label)
			low = high
		}
		t.nodes[i].count = int32(len(t.nodes)) - t.nodes[i].first
	}
	return t
}

// child returns the node that a byte leads to from a node, or none.
func (t *trie) child(node int32, label byte) int32 {
	n := t.nodes[node]
	for i, l := range t.labels[n.first : n.first+n.count] {
		if l == label {
			return n.first + int32(i)
		}
	}
	return none
}

// longest returns the id and the length of the longest piece that the text begins with, or none.
func (t *trie) longest(text string) (id int32, length int) {
	id = none
	node := int32(0)
	for i := range len(text) {
		if node = t.child(node, text[i]); node == none {
			break
		}
		if t.nodes[node].id != none {
			id, length = t.nodes[node].id, i+1
		}
	}
	return id, length
}

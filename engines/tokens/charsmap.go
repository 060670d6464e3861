package tokens

import (
	"encoding/binary"
	"errors"
	"strings"
)

// charsmap replaces characters, such as full-width letters by ordinary ones. Its keys are in a double array, as the
// library Darts-clone writes it: the children of a node are found at its offset XOR the byte that leads to them.
type charsmap struct {
	units        []uint32
	replacements string // each ends with NUL
}

// The parts of a unit.
const (
	unitLabel  = 0x800000FF
	unitHasKey = 1 << 8 // a key ends at this node
	unitValue  = 0x7FFFFFFF
)

// The limits of maps, keys and replacements in bytes. Those of the published ones have up to 240,007, 18 and 33.
const (
	maxCharsmap    = 4 << 20
	maxKey         = 1024
	maxReplacement = 256
)

var errCharsmap = errors.New("the table of characters to be replaced is damaged")

// readCharsmap reads and checks a precompiled map. An empty one replaces nothing.
func readCharsmap(blob string) (charsmap, error) {
	if blob == "" {
		return charsmap{}, nil
	}
	if len(blob) < 4 || len(blob) > maxCharsmap {
		return charsmap{}, errCharsmap
	}
	raw := []byte(blob)
	size := binary.LittleEndian.Uint32(raw)
	if size%4 != 0 || size == 0 || uint64(size) > uint64(len(raw)-4) {
		return charsmap{}, errCharsmap
	}
	c := charsmap{units: make([]uint32, size/4), replacements: blob[4+size:]}
	for i := range c.units {
		c.units[i] = binary.LittleEndian.Uint32(raw[4+4*i:])
	}
	depths := make([]int16, len(c.units))
	if !c.check(0, 0, depths) {
		return charsmap{}, errCharsmap
	}
	return c, nil
}

// offset returns by how much the place of a node's children differs from its own.
func offset(unit uint32) uint32 { return (unit >> 10) << ((unit & (1 << 9)) >> 6) }

// check reports whether all keys below a node end, and within the limit, and lead to a replacement. heights has the
// length of the longest key below each node that was checked before, plus 1, or -1 while it is being checked: subtrees
// may be shared, but not contain themselves.
func (c charsmap) check(node uint32, depth int, heights []int16) bool {
	if heights[node] != 0 {
		return heights[node] > 0 && depth+int(heights[node]) <= maxKey
	}
	if depth >= maxKey {
		return false
	}
	heights[node] = -1
	if c.units[node]&unitHasKey != 0 {
		if _, ok := c.replacement(node); !ok {
			return false
		}
	}
	height := int16(1)
	for label := 1; label < 256; label++ {
		child, ok := c.child(node, byte(label))
		if !ok {
			continue
		}
		if !c.check(child, depth+1, heights) {
			return false
		}
		height = max(height, heights[child]+1)
	}
	heights[node] = height
	return true
}

// child returns the node that a byte leads to from a node. No key holds NUL.
func (c charsmap) child(node uint32, label byte) (uint32, bool) {
	child := node ^ offset(c.units[node]) ^ uint32(label)
	return child, label != 0 && child < uint32(len(c.units)) && c.units[child]&unitLabel == uint32(label)
}

// replacement returns the text for the key that ends at a node.
func (c charsmap) replacement(node uint32) (string, bool) {
	leaf := node ^ offset(c.units[node])
	if leaf >= uint32(len(c.units)) {
		return "", false
	}
	start := c.units[leaf] & unitValue
	if start >= uint32(len(c.replacements)) {
		return "", false
	}
	from := c.replacements[start:]
	text, _, found := strings.Cut(from[:min(len(from), maxReplacement+1)], "\x00")
	return text, found
}

// longest returns the replacement of the longest key that the text begins with, and the key's length, which is 0 if
// there is none.
func (c charsmap) longest(text string) (replacement string, length int) {
	if len(c.units) == 0 {
		return "", 0
	}
	node, found := uint32(0), uint32(0)
	for i := range len(text) {
		child, ok := c.child(node, text[i])
		if !ok {
			break
		}
		node = child
		if c.units[node]&unitHasKey != 0 {
			found, length = node, i+1
		}
	}
	if length == 0 {
		return "", 0
	}
	replacement, _ = c.replacement(found)
	return replacement, length
}

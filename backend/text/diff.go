package text

import "slices"

// EditKind is what became of an item of a list.
type EditKind int

// The kinds of edits.
const (
	Same    EditKind = iota // in both lists, in the same order as its neighbours
	Moved                   // in both lists, elsewhere
	Changed                 // in the place of another one
	Added                   // in the new list only
	Removed                 // in the old list only
)

// Edit is what became of an item: its index in the old and in the new list, -1 where it is not in that list.
type Edit struct {
	Kind     EditKind
	Old, New int
}

// Diff compares two lists of texts. Every index of both lists is in exactly one edit; edits are in the order of the new list,
// removed items where they were. As many equal items as possible are Same or Moved, so that nothing that is in both lists is
// Changed, Added or Removed. It is a patience diff (Cohen), with the longest common subsequence between the anchors.
func Diff(old, new []string) []Edit {
	d := differ{}
	d.old, d.new = d.numbers(old), d.numbers(new)
	d.to = slices.Repeat([]int{-1}, len(new))
	d.align(0, len(old), 0, len(new), 0)
	return d.edits(d.moves())
}

// Kept returns for each new item the index of the old one that is equal, -1 where there is none. Each old one is used once.
func Kept(old, new []string) []int {
	from := slices.Repeat([]int{-1}, len(new))
	for _, e := range Diff(old, new) {
		if e.Kind == Same || e.Kind == Moved {
			from[e.New] = e.Old
		}
	}
	return from
}

// differ compares lists of numbers, which are the same for equal items.
type differ struct {
	ids      map[string]int
	old, new []int
	to       []int // the old index of each item of new, -1 = none
}

func (d *differ) numbers(items []string) []int {
	if d.ids == nil {
		d.ids = make(map[string]int, len(items))
	}
	out := make([]int, len(items))
	for i, s := range items {
		id, ok := d.ids[s]
		if !ok {
			id = len(d.ids)
			d.ids[s] = id
		}
		out[i] = id
	}
	return out
}

const (
	maxAlignDepth = 64      // of nested anchors
	maxTableCells = 1 << 20 // of a longest common subsequence
)

// align matches old[a:b] and new[c:e] in order.
func (d *differ) align(a, b, c, e, depth int) {
	for a < b && c < e && d.old[a] == d.new[c] {
		d.to[c] = a
		a, c = a+1, c+1
	}
	for a < b && c < e && d.old[b-1] == d.new[e-1] {
		b, e = b-1, e-1
		d.to[e] = b
	}
	if a == b || c == e {
		return
	}
	anchors := d.anchors(a, b, c, e)
	switch {
	case len(anchors) > 0 && depth < maxAlignDepth:
		for _, at := range anchors {
			d.align(a, d.to[at], c, at, depth+1)
			a, c = d.to[at]+1, at+1
		}
		d.align(a, b, c, e, depth+1)
	case (b-a)*(e-c) <= maxTableCells:
		d.subsequence(a, b, c, e)
	}
}

// anchors matches the items that are in old[a:b] once and in new[c:e] once, as many as are in the same order, and returns their
// new indexes.
func (d *differ) anchors(a, b, c, e int) []int {
	type occurrence struct{ old, new, olds, news int }
	places := map[int]*occurrence{}
	for i := a; i < b; i++ {
		p := places[d.old[i]]
		if p == nil {
			p = &occurrence{}
			places[d.old[i]] = p
		}
		p.old, p.olds = i, p.olds+1
	}
	for k := c; k < e; k++ {
		if p := places[d.new[k]]; p != nil {
			p.new, p.news = k, p.news+1
		}
	}
	var news, olds []int
	for k := c; k < e; k++ {
		if p := places[d.new[k]]; p != nil && p.olds == 1 && p.news == 1 {
			news, olds = append(news, k), append(olds, p.old)
		}
	}
	kept := increasing(olds)
	for i, at := range kept {
		d.to[news[at]] = olds[at]
		kept[i] = news[at]
	}
	return kept
}

// increasing returns the indexes of a longest increasing subsequence.
func increasing(values []int) []int {
	before := make([]int, len(values))
	var piles []int // index of the smallest end of a subsequence, by its length
	for i, v := range values {
		at, _ := slices.BinarySearchFunc(piles, v, func(k, v int) int { return values[k] - v })
		before[i] = -1
		if at > 0 {
			before[i] = piles[at-1]
		}
		if at == len(piles) {
			piles = append(piles, i)
		} else {
			piles[at] = i
		}
	}
	out := make([]int, len(piles))
	if len(piles) > 0 {
		for at, i := len(piles)-1, piles[len(piles)-1]; at >= 0; at, i = at-1, before[i] {
			out[at] = i
		}
	}
	return out
}

// subsequence matches the longest common subsequence of old[a:b] and new[c:e].
func (d *differ) subsequence(a, b, c, e int) {
	width := e - c + 1
	lengths := make([]int32, (b-a+1)*width) // of what remains of both from each pair of indexes
	for i := b - 1; i >= a; i-- {
		row := lengths[(i-a)*width:]
		for k := e - 1; k >= c; k-- {
			if d.old[i] == d.new[k] {
				row[k-c] = row[width+k-c+1] + 1
			} else {
				row[k-c] = max(row[width+k-c], row[k-c+1])
			}
		}
	}
	for i, k := a, c; i < b && k < e; {
		row := lengths[(i-a)*width:]
		switch {
		case d.old[i] == d.new[k]:
			d.to[k] = i
			i, k = i+1, k+1
		case row[width+k-c] >= row[k-c+1]:
			i++
		default:
			k++
		}
	}
}

// moves matches the remaining items that are in both lists, and returns which of the new ones these are.
func (d *differ) moves() map[int]bool {
	used := make([]bool, len(d.old))
	for _, i := range d.to {
		if i >= 0 {
			used[i] = true
		}
	}
	free := map[int][]int{}
	for i, id := range d.old {
		if !used[i] {
			free[id] = append(free[id], i)
		}
	}
	moved := map[int]bool{}
	for k, id := range d.new {
		if d.to[k] < 0 && len(free[id]) > 0 {
			d.to[k], free[id] = free[id][0], free[id][1:]
			moved[k] = true
		}
	}
	return moved
}

// edits returns the edits in order. Between two items that are the same, removed items become the ones that were changed.
func (d *differ) edits(moved map[int]bool) []Edit {
	unmatched := make([]bool, len(d.old))
	for i := range unmatched {
		unmatched[i] = true
	}
	for _, i := range d.to {
		if i >= 0 {
			unmatched[i] = false
		}
	}
	var out []Edit
	next := 0 // the first old item that is in no edit
	removed := func(before int) (int, bool) {
		for ; next < before; next++ {
			if unmatched[next] {
				next++
				return next - 1, true
			}
		}
		return 0, false
	}
	until := d.nextSame(moved)
	for k, i := range d.to {
		switch {
		case i >= 0 && moved[k]:
			out = append(out, Edit{Moved, i, k})
		case i >= 0:
			for old, ok := removed(i); ok; old, ok = removed(i) {
				out = append(out, Edit{Removed, old, -1})
			}
			out = append(out, Edit{Same, i, k})
		default:
			if old, ok := removed(until[k]); ok {
				out = append(out, Edit{Changed, old, k})
			} else {
				out = append(out, Edit{Added, -1, k})
			}
		}
	}
	for old, ok := removed(len(d.old)); ok; old, ok = removed(len(d.old)) {
		out = append(out, Edit{Removed, old, -1})
	}
	return out
}

// nextSame returns for each new item the old index of the first one from it on that is the same.
func (d *differ) nextSame(moved map[int]bool) []int {
	out := make([]int, len(d.new))
	last := len(d.old)
	for k := len(d.new) - 1; k >= 0; k-- {
		if d.to[k] >= 0 && !moved[k] {
			last = d.to[k]
		}
		out[k] = last
	}
	return out
}

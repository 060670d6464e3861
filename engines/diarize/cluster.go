package diarize

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
)

// merge joins the clusters of two rows at a height.
type merge struct {
	a, b   int
	height float64
}

// dendrogram returns the merges of complete linkage over the cosine distances of rows, n-1 of them in the order of their heights,
// by the nearest-neighbour chain of Müllner's fastcluster (fastcluster_dm.cpp, NN_chain_core), whose choice among equal
// distances it has: the first in the order of rows. It takes 4 n² bytes, those of d, and a time in n². Error: cancelled.
func dendrogram(ctx context.Context, d *distances, rows [][]float32) ([]merge, error) {
	n := len(rows)
	if err := d.measure(ctx, rows); err != nil {
		return nil, err
	}
	alive := make([]int, n)
	for i := range alive {
		alive[i] = i
	}
	merges := make([]merge, 0, max(n-1, 0))
	chain := make([]int, 0, n)
	for len(merges) < n-1 {
		if err := ended(ctx); err != nil {
			return nil, err
		}
		var a, b int
		a, b, chain = nearestPair(d, alive, chain)
		merges = append(merges, merge{a: a, b: b, height: d.at(a, b)})
		smaller, kept := min(a, b), max(a, b)
		at, _ := slices.BinarySearch(alive, smaller)
		alive = slices.Delete(alive, at, at+1)
		for _, i := range alive {
			if i != kept {
				d.set(i, kept, max(d.at(i, kept), d.at(i, smaller)))
			}
		}
	}
	slices.SortStableFunc(merges, func(x, y merge) int { return cmp.Compare(x.height, y.height) })
	return merges, nil
}

// ended returns backend.ErrCancelled once ctx has ended.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	return nil
}

// nearestPair follows nearest neighbours until two clusters are that of each other. chain is where the last search was; after
// is where this one is.
func nearestPair(d *distances, alive, chain []int) (a, b int, after []int) {
	if len(chain) <= 3 {
		a = alive[0]
		chain = append(chain[:0], a)
		b = alive[1]
		for _, i := range alive[2:] {
			if d.at(a, i) < d.at(a, b) {
				b = i
			}
		}
	} else {
		chain = chain[:len(chain)-2]
		a, b = chain[len(chain)-2], chain[len(chain)-1]
		chain = chain[:len(chain)-1]
	}
	least := d.at(a, b)
	for {
		chain = append(chain, b)
		next := a
		for _, i := range alive {
			if i != b && d.at(i, b) < least {
				least, next = d.at(i, b), i
			}
		}
		if next == chain[len(chain)-2] {
			return b, next, chain
		}
		a, b = b, next
	}
}

// distances are those of each pair of rows: the upper triangle of their matrix.
type distances struct {
	n      int
	values []float64
}

// measure computes the distances of other rows in the same memory. Error: cancelled.
func (d *distances) measure(ctx context.Context, rows [][]float32) error {
	if err := ended(ctx); err != nil {
		return err
	}
	d.n = len(rows)
	size := d.n * (d.n - 1) / 2
	if cap(d.values) < size {
		d.values = nil // before the next, so that there are never both
		d.values = make([]float64, size)
	}
	d.values = d.values[:size]
	return each(ctx, d.n-1, onnx.Cores(), func(_ context.Context, i int) error {
		d.measureRow(rows, i)
		return nil
	})
}

// measureRow computes the distances of a row from the later ones.
func (d *distances) measureRow(rows [][]float32, i int) {
	at := d.index(i, i+1)
	for j, other := range rows[i+1:] {
		d.values[at+j] = max(0, 1-float64(dot(rows[i], other)))
	}
}

func (d *distances) index(i, j int) int {
	if i > j {
		i, j = j, i
	}
	return i*(2*d.n-i-1)/2 + j - i - 1
}

func (d *distances) at(i, j int) float64     { return d.values[d.index(i, j)] }
func (d *distances) set(i, j int, v float64) { d.values[d.index(i, j)] = v }

// dot has four sums, which the processor computes at once.
func dot(x, y []float32) float32 {
	var a, b, c, d float32
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += x[i] * y[i]
		b += x[i+1] * y[i+1]
		c += x[i+2] * y[i+2]
		d += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		a += x[i] * y[i]
	}
	return a + b + c + d
}

// unit returns a row with length 1; a row of zeros stays one.
func unit(row []float32) []float32 {
	sum := 0.0
	for _, v := range row {
		sum += float64(v) * float64(v)
	}
	out := slices.Clone(row)
	if sum == 0 {
		return out
	}
	length := float32(math.Sqrt(sum))
	for i := range out {
		out[i] /= length
	}
	return out
}

// cut returns the cluster of each of n rows, numbered by their first row, when only the first merges are done: below a
// threshold, a float32 as in the reference, or so many that there are count clusters, if count is not 0.
func cut(n int, merges []merge, threshold float32, count int) []int {
	done := 0
	switch {
	case count > 0:
		done = max(n-count, 0)
	default:
		for done < len(merges) && merges[done].height < float64(threshold) {
			done++
		}
	}
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, m := range merges[:done] {
		root[find(m.a)] = find(m.b)
	}
	return number(n, find)
}

// number numbers groups by their first member; of names the group of each.
func number(n int, of func(int) int) []int {
	labels := make([]int, n)
	known := map[int]int{}
	for i := range labels {
		group := of(i)
		label, ok := known[group]
		if !ok {
			label = len(known)
			known[group] = label
		}
		labels[i] = label
	}
	return labels
}

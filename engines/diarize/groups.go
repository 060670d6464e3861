package diarize

import (
	"context"
	"slices"
)

// Up to exactVoices are clustered as the reference does, in 64 MB. More are clustered in stretches of the sound first.
const (
	exactVoices    = 4000
	stretchSeconds = 20 * 60
)

// groups are the clusters of the voices of stretches, of which only the sums are kept, so that memory does not depend on the length
// of the sound.
type groups struct {
	of        []int       // the group of each of the first voices
	sums      [][]float32 // not normalised
	distances distances   // the memory of them
}

// stretchOf returns which stretch a window belongs to.
func (s *scan) stretchOf(window int) int { return window * s.shift / Rate / stretchSeconds }

// mostGroups returns how many groups a stretch may have, so that all of them can be compared.
func (s *scan) mostGroups() int {
	windows := stretchSeconds * Rate / max(s.shift, 1)
	parts := max((windows*s.locals+exactVoices-1)/exactVoices, 1) * (s.samples/Rate/stretchSeconds + 1)
	return max(exactVoices/parts, 1)
}

// fold makes groups of the voices that are in none, each stretch for itself. The voices must be those of whole stretches. Error:
// cancelled.
func (s *scan) fold(ctx context.Context, threshold float32, count int) error {
	for len(s.groups.of) < len(s.voices) {
		voices := s.voices[len(s.groups.of):]
		n := 1
		for n < min(len(voices), exactVoices) && s.stretchOf(voices[n].window) == s.stretchOf(voices[0].window) {
			n++
		}
		rows := vectors(voices[:n])
		labels, groups, err := s.cutStretch(ctx, rows, threshold, count)
		if err != nil {
			return err
		}
		before := len(s.groups.sums)
		for i, label := range labels {
			s.groups.of = append(s.groups.of, before+label)
			voices[i].vector = nil
		}
		s.groups.sums = append(s.groups.sums, sums(rows, labels, groups)...)
	}
	s.groups.distances = distances{} // not kept while the next stretch is heard
	return nil
}

// cutStretch returns the clusters of the rows of a stretch, and how many there are: at most as many as can be compared, and no fewer than
// count, since a threshold that joins speakers must not decide against their number.
func (s *scan) cutStretch(
	ctx context.Context, rows [][]float32, threshold float32, count int,
) (labels []int, n int, err error) {
	merges, err := dendrogram(ctx, &s.groups.distances, rows)
	if err != nil {
		return nil, 0, err
	}
	labels = cut(len(rows), merges, threshold, 0)
	n = slices.Max(labels) + 1
	if wanted := min(max(n, count), s.mostGroups(), len(rows)); wanted != n {
		labels, n = cut(len(rows), merges, threshold, wanted), wanted
	}
	return labels, n, nil
}

// cluster returns the cluster of each voice: with a distance below the threshold, or exactly count of them if it is not 0, numbered by
// their first voices. Where there are too many, those of each stretch are clustered, and then the sums of these clusters. Error:
// cancelled.
func (s *scan) cluster(ctx context.Context, threshold float32, count int) ([]int, error) {
	if len(s.voices) <= exactVoices {
		return s.cut(ctx, vectors(s.voices), threshold, count)
	}
	if err := s.fold(ctx, threshold, count); err != nil {
		return nil, err
	}
	rows := make([][]float32, len(s.groups.sums))
	for i, sum := range s.groups.sums {
		rows[i] = unit(sum)
	}
	labels, err := s.cut(ctx, rows, threshold, count)
	if err != nil {
		return nil, err
	}
	return number(len(s.voices), func(i int) int { return labels[s.groups.of[i]] }), nil
}

// cut clusters rows that are compared each with each.
func (s *scan) cut(ctx context.Context, rows [][]float32, threshold float32, count int) ([]int, error) {
	merges, err := dendrogram(ctx, &s.groups.distances, rows)
	if err != nil {
		return nil, err
	}
	return cut(len(rows), merges, threshold, count), nil
}

// prints returns the normalised sum of the vectors of each of n speakers; labels has those of the voices.
func (s *scan) prints(labels []int, n int) [][]float32 {
	rows, of := vectors(s.voices), labels
	if len(s.groups.of) > 0 {
		rows, of = s.groups.sums, make([]int, len(s.groups.sums))
		for i, group := range s.groups.of {
			of[group] = labels[i]
		}
	}
	out := sums(rows, of, n)
	for i := range out {
		out[i] = unit(out[i])
	}
	return out
}

// sums returns the sum of the rows of each of n groups.
func sums(rows [][]float32, labels []int, n int) [][]float32 {
	out := make([][]float32, n)
	for i, label := range labels {
		if out[label] == nil {
			out[label] = make([]float32, len(rows[i]))
		}
		for j, v := range rows[i] {
			out[label][j] += v
		}
	}
	return out
}

func vectors(voices []voice) [][]float32 {
	out := make([][]float32, len(voices))
	for i, v := range voices {
		out[i] = v.vector
	}
	return out
}

package diarize

import (
	"context"
	"slices"
)

// Up to exactVoices rows are clustered as the reference does, in 64 MB. More are clustered in stretches of the sound first.
const (
	exactVoices    = 4000
	stretchSeconds = 20 * 60
)

// stretches returns where those of 20 minutes begin among the voices, each with at most exactVoices of them.
func (s *scan) stretches() []int {
	var starts []int
	last := -1
	for i, v := range s.voices {
		stretch := v.window * s.shift / Rate / stretchSeconds
		if stretch != last || i-starts[len(starts)-1] >= exactVoices {
			starts = append(starts, i)
			last = stretch
		}
	}
	return starts
}

// group returns the cluster of each row: with a distance below the threshold, or exactly count of them if it is not 0, numbered by
// their first rows. Where there are too many rows, those of each stretch are clustered, and then the sums of these clusters.
// Error: cancelled.
func group(ctx context.Context, rows [][]float32, stretches []int, threshold float32, count int) ([]int, error) {
	if len(rows) <= exactVoices {
		return cluster(ctx, rows, threshold, count)
	}
	limit := max(exactVoices/len(stretches), 1)
	var parts [][]float32
	part := make([]int, 0, len(rows))
	for i, start := range stretches {
		end := len(rows)
		if i+1 < len(stretches) {
			end = stretches[i+1]
		}
		labels, n, err := cutStretch(ctx, rows[start:end], threshold, count, limit)
		if err != nil {
			return nil, err
		}
		for _, label := range labels {
			part = append(part, len(parts)+label)
		}
		parts = append(parts, sums(rows[start:end], labels, n)...)
	}
	labels, err := cluster(ctx, parts, threshold, count)
	if err != nil {
		return nil, err
	}
	return number(len(rows), func(i int) int { return labels[part[i]] }), nil
}

// cluster is group for rows that are compared each with each.
func cluster(ctx context.Context, rows [][]float32, threshold float32, count int) ([]int, error) {
	merges, err := dendrogram(ctx, rows)
	if err != nil {
		return nil, err
	}
	return cut(len(rows), merges, threshold, count), nil
}

// cutStretch returns the clusters of the rows of a stretch, and how many there are: at most limit, and no fewer than count, since a
// threshold that joins speakers must not decide against their number.
func cutStretch(
	ctx context.Context, rows [][]float32, threshold float32, count, limit int,
) (labels []int, n int, err error) {
	merges, err := dendrogram(ctx, rows)
	if err != nil {
		return nil, 0, err
	}
	labels = cut(len(rows), merges, threshold, 0)
	n = slices.Max(labels) + 1
	if wanted := min(max(n, count), limit, len(rows)); wanted != n {
		labels, n = cut(len(rows), merges, threshold, wanted), wanted
	}
	return labels, n, nil
}

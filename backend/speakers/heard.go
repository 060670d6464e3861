package speakers

import (
	"cmp"
	"slices"
	"sort"

	"github.com/voicewright/voicewright/backend"
)

// Heard returns who was heard when: turns as they were found, and in the time of segments that a person set those speakers; where two
// segments overlap, that of the last. Where nothing was found, the segments are the turns.
func Heard(segments []backend.Segment, turns []backend.SpeakerTurn) []backend.SpeakerTurn {
	var set []backend.Segment
	for _, s := range segments {
		if s.Speaker != "" && s.End > s.Start && (len(turns) == 0 || !s.SpeakerFound) {
			set = append(set, s)
		}
	}
	out := append(without(turns, set), inTheirTime(set)...)
	slices.SortStableFunc(out, func(a, b backend.SpeakerTurn) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// without returns turns with the time of segments taken out.
func without(turns []backend.SpeakerTurn, segments []backend.Segment) []backend.SpeakerTurn {
	type stretch struct{ start, end float64 }
	var taken []stretch
	for _, s := range slices.SortedFunc(slices.Values(segments), func(a, b backend.Segment) int { return cmp.Compare(a.Start, b.Start) }) {
		if last := len(taken) - 1; last >= 0 && s.Start < taken[last].end {
			taken[last].end = max(taken[last].end, s.End)
			continue
		}
		taken = append(taken, stretch{s.Start, s.End})
	}
	out := make([]backend.SpeakerTurn, 0, len(turns)+len(segments))
	for _, t := range turns {
		from, whole := t.Start, true
		first := sort.Search(len(taken), func(i int) bool { return taken[i].end > t.Start })
		for _, s := range taken[first:] {
			if s.start >= t.End {
				break
			}
			if s.start > from {
				out = append(out, backend.SpeakerTurn{Start: from, End: s.start, Speaker: t.Speaker})
			}
			from, whole = s.end, false
		}
		if whole || from < t.End {
			out = append(out, backend.SpeakerTurn{Start: from, End: t.End, Speaker: t.Speaker})
		}
	}
	return out
}

// inTheirTime returns segments as turns, without the time that a later one of them has too.
func inTheirTime(segments []backend.Segment) []backend.SpeakerTurn {
	var times []float64
	for _, s := range segments {
		times = append(times, s.Start, s.End)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	owners := make([]int, len(times)) // from each time to the next; 0 is nobody, else a segment counted from 1
	free := make([]int, len(times)+1) // leads from each of them to the first one from there on that has no owner
	for i := range free {
		free[i] = i
	}
	next := func(i int) int {
		for ; free[i] != i; i = free[i] {
			free[i] = free[free[i]]
		}
		return i
	}
	for n, s := range slices.Backward(segments) {
		from, _ := slices.BinarySearch(times, s.Start)
		to, _ := slices.BinarySearch(times, s.End)
		for i := next(from); i < to; i = next(i) {
			owners[i], free[i] = n+1, i+1
		}
	}
	var out []backend.SpeakerTurn
	for i, owner := range owners {
		switch {
		case owner == 0:
		case i > 0 && owners[i-1] == owner:
			out[len(out)-1].End = times[i+1]
		default:
			out = append(out, backend.SpeakerTurn{Start: times[i], End: times[i+1], Speaker: segments[owner-1].Speaker})
		}
	}
	return out
}

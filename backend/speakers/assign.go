// Package speakers brings together what was said and who was heard: segments of a transcript and turns of speakers.
package speakers

import (
	"cmp"
	"slices"
	"sort"

	"github.com/voicewright/voicewright/backend"
)

// Turn is a stretch in which one speaker was heard, in seconds. Speakers are numbered from 0.
type Turn struct {
	Start, End float64
	Speaker    int
}

// nobody is the speaker where nobody was heard in the whole sound.
const nobody = -1

// Result is what Assign returns.
type Result struct {
	Segments []backend.Segment
	Turns    []backend.SpeakerTurn // those given, with names
	Names    []string              // by speaker of the turns
}

// Assign returns segments with the speakers of their time, cut where the speaker changes. What was cut by an earlier call is joined
// first. A segment whose speaker a person set stays as it is. Names that persons gave go to the speakers who overlap most with them, the
// others are "Speaker 1", "Speaker 2" and so on, counted in the order of first words. Paragraphs are not marked.
func Assign(segments []backend.Segment, turns []Turn) Result {
	joined, sound := Join(segments), newTimeline(turns)
	next := NextID(segments)
	var lines []line
	for _, s := range joined {
		if IsSet(s) {
			lines = append(lines, line{s, nobody})
			continue
		}
		for i, l := range cut(s, sound) {
			if i > 0 {
				l.ID = next
				next++
			}
			lines = append(lines, l)
		}
	}
	names := nameAll(lines, segments, sound)
	out := Result{Segments: make([]backend.Segment, len(lines)), Turns: []backend.SpeakerTurn{}, Names: names}
	for i, l := range lines {
		if out.Segments[i] = l.Segment; !IsSet(l.Segment) {
			out.Segments[i].Speaker, out.Segments[i].SpeakerFound = "", false
			if l.speaker != nobody {
				out.Segments[i].Speaker, out.Segments[i].SpeakerFound = names[l.speaker], true
			}
		}
	}
	for _, t := range turns {
		out.Turns = append(out.Turns, backend.SpeakerTurn{Start: t.Start, End: t.End, Speaker: names[t.Speaker]})
	}
	return out
}

// Follow returns segments in which those without a speaker have that of turns that have names, as by Assign.
func Follow(segments []backend.Segment, turns []backend.SpeakerTurn) []backend.Segment {
	var names []string
	numbered := make([]Turn, len(turns))
	for i, t := range turns {
		at := slices.Index(names, t.Speaker)
		if at < 0 {
			at = len(names)
			names = append(names, t.Speaker)
		}
		numbered[i] = Turn{t.Start, t.End, at}
	}
	next, sound := NextID(segments), newTimeline(numbered)
	out := make([]backend.Segment, 0, len(segments))
	for _, s := range segments {
		if s.Speaker != "" {
			out = append(out, s)
			continue
		}
		for i, l := range cut(s, sound) {
			if i > 0 {
				l.ID = next
				next++
			}
			if l.speaker != nobody {
				l.Speaker, l.SpeakerFound = names[l.speaker], true
			}
			out = append(out, l.Segment)
		}
	}
	return out
}

// Remove returns segments without the speakers that were found, joined where they were cut. What a person set stays.
func Remove(segments []backend.Segment) []backend.Segment {
	out := Join(segments)
	for i := range out {
		if out[i].SpeakerFound {
			out[i].Speaker, out[i].SpeakerFound = "", false
		}
	}
	return out
}

// IsSet reports whether a person set the speaker of a segment.
func IsSet(s backend.Segment) bool { return s.Speaker != "" && !s.SpeakerFound }

// NextID returns an ID that no segment has.
func NextID(segments []backend.Segment) int {
	next := 1
	for _, s := range segments {
		next = max(next, s.ID+1)
	}
	return next
}

// line is a segment, and who was heard in it.
type line struct {
	backend.Segment
	speaker int
}

// timeline are turns that are found by their time.
type timeline struct {
	turns []Turn // by their starts
	last  []int  // of each turn and those before it the one that ends last
}

func newTimeline(turns []Turn) timeline {
	t := timeline{turns: slices.Clone(turns), last: make([]int, len(turns))}
	slices.SortStableFunc(t.turns, func(a, b Turn) int { return cmp.Compare(a.Start, b.Start) })
	for i := range t.turns {
		if t.last[i] = i; i > 0 && t.turns[t.last[i-1]].End > t.turns[i].End {
			t.last[i] = t.last[i-1]
		}
	}
	return t
}

// around returns the turns [from, to) among which are all that reach into a stretch.
func (t timeline) around(start, end float64) (from, to int) {
	from = sort.Search(len(t.turns), func(i int) bool { return t.turns[t.last[i]].End > start })
	to = sort.Search(len(t.turns), func(i int) bool { return t.turns[i].Start >= end })
	return from, max(from, to)
}

// heard returns who speaks in a stretch: the speaker with the most time in it, of equal ones the one before it, then the first. Where
// nobody speaks it is the nearest one.
func (t timeline) heard(start, end float64, before int) int {
	best, longest := nobody, 0.0
	for speaker, seconds := range t.shares(start, end) {
		if seconds > longest+tiny || seconds > longest-tiny && longest > 0 && speaker == before {
			best, longest = speaker, seconds
		}
	}
	if best != nobody || len(t.turns) == 0 {
		return best
	}
	middle := (start + end) / 2
	next := sort.Search(len(t.turns), func(i int) bool { return t.turns[i].Start > middle })
	if next == 0 {
		return t.turns[0].Speaker
	}
	former := t.turns[t.last[next-1]]
	if next < len(t.turns) && t.turns[next].Start-middle < middle-former.End {
		return t.turns[next].Speaker
	}
	return former.Speaker
}

// tiny is a time that is none, in seconds.
const tiny = 1e-6

// shares returns how long each speaker is heard in a stretch, by number.
func (t timeline) shares(start, end float64) []float64 {
	var out []float64
	from, to := t.around(start, end)
	for _, turn := range t.turns[from:to] {
		seconds := min(turn.End, end) - max(turn.Start, start)
		if seconds <= 0 {
			continue
		}
		if turn.Speaker >= len(out) {
			out = append(out, make([]float64, turn.Speaker+1-len(out))...)
		}
		out[turn.Speaker] += seconds
	}
	return out
}

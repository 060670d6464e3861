package diarize

import (
	"cmp"
	"context"
	"slices"

	"github.com/voicewright/voicewright/engines"
)

// The settings of the reference, and those that keep a threshold from finding too many speakers.
const (
	threshold = 0.5 // cosine distance from which on two voices are of two speakers; unverified with published networks
	minOn     = 0.3 // seconds; shorter turns are left out
	minOff    = 0.5 // seconds; shorter gaps are closed

	smallShare   = 0.03 // of all talk, and
	smallSeconds = 10   // fewer seconds than this: a speaker who is given to the most similar one
)

// speakers returns who speaks when. A number of speakers that is found has no small ones: they are given to others. Error: cancelled.
func (s *scan) speakers(ctx context.Context, o engines.DiarizeOptions) (engines.Speakers, error) {
	var out engines.Speakers
	labels, n, err := s.label(ctx, threshold, o.Count)
	if err == nil && o.Count == 0 && len(s.windows) > 1 {
		labels, n, err = s.absorb(ctx, labels, n, o.Max)
	}
	if err != nil {
		return engines.Speakers{}, err
	}
	turns, err := s.turns(ctx, labels, n, minOn, minOff)
	if err != nil {
		return engines.Speakers{}, err
	}
	first := inOrder(turns)
	length := float64(s.samples) / Rate
	for _, t := range turns {
		out.Turns = append(out.Turns, engines.Turn{Start: float64(t.start), End: min(float64(t.end), length), Speaker: t.speaker})
	}
	out.Uncounted = len(s.windows) <= 1 && (o.Count > 0 || o.Max > 0 && len(first) > o.Max)
	out.Fewer = o.Count > len(first) && !out.Uncounted
	if len(s.windows) > 1 {
		prints := s.prints(labels, n)
		for _, speaker := range first {
			out.Prints = append(out.Prints, prints[speaker])
		}
	}
	return out, nil
}

// label returns the speaker of each voice, and how many there are: exactly count, if it is not 0. Error: cancelled.
func (s *scan) label(ctx context.Context, threshold float32, count int) (labels []int, n int, err error) {
	if len(s.windows) == 1 {
		return nil, s.locals, nil
	}
	if len(s.voices) == 0 {
		return nil, 0, nil
	}
	if labels, err = s.cluster(ctx, threshold, max(count, 0)); err != nil {
		return nil, 0, err
	}
	return labels, slices.Max(labels) + 1, nil
}

// absorb makes the voices of speakers with little talk those of the most similar of the others, unless they have most of all talk
// together, and does so with more speakers, the quietest first, until there are no more than limit, if it is not 0. Error: cancelled.
func (s *scan) absorb(ctx context.Context, labels []int, n, limit int) ([]int, int, error) {
	talk, all := make([]float32, n), float32(0)
	turns, err := s.turns(ctx, labels, n, 0, 0)
	if err != nil {
		return nil, 0, err
	}
	for _, t := range turns {
		talk[t.speaker] += t.end - t.start
		all += t.end - t.start
	}
	prints := s.prints(labels, n)
	byTalk := make([]int, n)
	for i := range byTalk {
		byTalk[i] = i
	}
	slices.SortStableFunc(byTalk, func(x, y int) int { return cmp.Compare(talk[y], talk[x]) })
	upTo := n
	if limit > 0 {
		upTo = min(n, limit)
	}
	kept, large := 0, float32(0)
	for kept < upTo && talk[byTalk[kept]] >= min(smallShare*all, smallSeconds) {
		large += talk[byTalk[kept]]
		kept++
	}
	if 2*large < all { // many people who say little each
		kept = upTo
	}
	to := make([]int, n)
	for i, speaker := range byTalk {
		if to[speaker] = speaker; i >= kept {
			to[speaker] = nearest(prints, byTalk[:kept], prints[speaker])
		}
	}
	return number(len(labels), func(i int) int { return to[labels[i]] }), kept, nil
}

// nearest returns which of some speakers has the print that is most alike.
func nearest(prints [][]float32, of []int, to []float32) int {
	return slices.MaxFunc(of, func(x, y int) int { return cmp.Compare(dot(prints[x], to), dot(prints[y], to)) })
}

// inOrder numbers the speakers of turns by their first turns, and returns their former numbers in that order.
func inOrder(turns []turn) (former []int) {
	for i := range turns {
		at := slices.Index(former, turns[i].speaker)
		if at < 0 {
			at = len(former)
			former = append(former, turns[i].speaker)
		}
		turns[i].speaker = at
	}
	return former
}

package finder

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// voices returns a print of each speaker who was found, nil where nobody is known to compare them with. Of a sound that is no longer than a
// window of the model they are made here, of what each says alone; one who says too little has a nil print.
func (f *Finder) voices(ctx context.Context, loaded *engines.LoadedDiarizer, s *sound, found engines.Speakers) ([][]float32, error) {
	if f.o.Known == nil || !f.o.Known.Knows(loaded.Files) {
		return nil, nil
	}
	if found.Prints != nil {
		return found.Prints, nil
	}
	var voices [][]float32
	for speaker := range count(found.Turns) {
		var samples []float32
		for _, t := range found.Turns {
			if t.Speaker != speaker {
				continue
			}
			start, end := alone(t, found.Turns)
			part, err := s.part(ctx, backend.Segment{Start: start, End: end}, maxAnchor)
			if err != nil {
				return nil, err
			}
			samples = append(samples, part...)
		}
		var voice []float32
		if len(samples) >= minHeard {
			var err error
			if voice, _, err = loaded.Print(ctx, samples); err != nil {
				return nil, err
			}
		}
		voices = append(voices, voice)
	}
	return voices, nil
}

// alone returns the first part of a turn in which no other speaker speaks; it is empty where there is none.
func alone(t engines.Turn, all []engines.Turn) (start, end float64) {
	start, end = t.Start, t.End
	for _, other := range all { // in the order of their starts
		switch {
		case other.Speaker == t.Speaker || other.End <= start || other.Start >= end:
		case other.Start <= start:
			start = other.End
		default:
			end = other.Start
		}
	}
	return start, max(start, end)
}

func count(turns []engines.Turn) (n int) {
	for _, t := range turns {
		n = max(n, t.Speaker+1)
	}
	return n
}

package finder

import (
	"context"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/engines"
)

const (
	maxAnchor = 30 * engines.TranscriberRate     // samples: so much of a speaker is heard to know the voice
	minHeard  = engines.TranscriberRate * 8 / 10 // samples: in less no voice is told from another
)

// anchor is the voice of a speaker, and the IDs of the lines in which it was heard.
type anchor struct {
	print []float32
	lines []int
}

// reassign compares the lines with the voices of the lines that a person set, and of the speakers who have none of those. Lines that
// are too short keep their speaker.
func (f *Finder) reassign(ctx context.Context, j *Search, loaded *engines.LoadedDiarizer, s *sound) error {
	before := j.t.Segments
	voices, err := anchors(ctx, loaded, s, before)
	if err != nil {
		return err
	}
	heard := map[int]anchor{}
	for i, seg := range before {
		f.show(j, backend.StatusListening, float64(i)/float64(len(before)))
		samples, err := s.part(ctx, seg, maxAnchor)
		if err != nil {
			return err
		}
		if speakers.IsSet(seg) || len(samples) < minHeard || len(voices) == 0 {
			continue
		}
		voice, ok, err := loaded.Print(ctx, samples)
		if err != nil {
			return err
		}
		if ok {
			heard[seg.ID] = nearest(voices, voice)
		}
	}
	j.change = func(t *backend.Transcript) {
		segments := slices.Clone(t.Segments)
		changed := follow(segments, before, heard)
		turns := t.Turns
		if len(turns) > 0 {
			turns = speakers.Heard(changed, turns)
		}
		setSpeakers(t, segments, turns)
	}
	return nil
}

// follow sets the speakers of segments to those whose voices were heard in them when they were as before, by the names of now.
// Those whose text or speaker was changed meanwhile stay. It returns those that have another speaker, as if a person had set it.
func follow(segments, before []backend.Segment, heard map[int]anchor) (changed []backend.Segment) {
	now := map[int]backend.Segment{}
	for _, seg := range segments {
		now[seg.ID] = seg
	}
	was, lines := map[int]backend.Segment{}, map[string][]int{}
	for _, seg := range before {
		was[seg.ID] = seg
		if speakers.IsSet(seg) == speakers.IsSet(now[seg.ID]) {
			lines[seg.Speaker] = append(lines[seg.Speaker], seg.ID)
		}
	}
	names := map[string]string{}
	for name, ids := range lines {
		names[name] = majority(ids, now)
	}
	for i := range segments {
		seg := &segments[i]
		voice, ok := heard[seg.ID]
		old := was[seg.ID]
		if !ok || speakers.IsSet(*seg) || seg.Text != old.Text || seg.Speaker != names[old.Speaker] {
			continue
		}
		if name := majority(voice.lines, now); name != "" && name != seg.Speaker {
			seg.Speaker, seg.SpeakerFound = name, true
			line := *seg
			line.SpeakerFound = false
			changed = append(changed, line)
		}
	}
	return changed
}

// majority returns the speaker of most of some lines, the first of equal ones, empty where there is none.
func majority(lines []int, segments map[int]backend.Segment) (name string) {
	counts := map[string]int{}
	for _, id := range lines {
		if seg, ok := segments[id]; ok {
			counts[seg.Speaker]++
		}
	}
	best := 0
	for _, id := range lines {
		if speaker := segments[id].Speaker; counts[speaker] > best {
			best, name = counts[speaker], speaker
		}
	}
	return name
}

// anchors returns the voice of each speaker of segments, by the lines that a person set, else by all.
func anchors(ctx context.Context, loaded *engines.LoadedDiarizer, s *sound, segments []backend.Segment) ([]anchor, error) {
	var out []anchor
	for _, speaker := range speakers.Shares(segments) {
		var samples []float32
		var lines []int
		for _, set := range []bool{true, false} {
			for _, seg := range segments {
				if seg.Speaker != speaker.Name || speakers.IsSet(seg) != set || len(samples) >= maxAnchor {
					continue
				}
				part, err := s.part(ctx, seg, maxAnchor-len(samples))
				if err != nil {
					return nil, err
				}
				samples, lines = append(samples, part...), append(lines, seg.ID)
			}
			if len(samples) >= minHeard {
				break
			}
			samples, lines = samples[:0], lines[:0]
		}
		voice, ok, err := loaded.Print(ctx, samples)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, anchor{voice, lines})
		}
	}
	return out, nil
}

// nearest returns the one of some voices that is most like another.
func nearest(voices []anchor, to []float32) anchor {
	best, found := math.Inf(-1), anchor{}
	for _, v := range voices {
		if cosine := samples.Cosine(v.print, to); cosine > best {
			best, found = cosine, v
		}
	}
	return found
}

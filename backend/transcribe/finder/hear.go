package finder

import (
	"context"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
	"github.com/voicewright/voicewright/engines"
)

// hear finds who speaks when, and sets the change of a search: it is applied to the text as it is then.
func (f *Finder) hear(ctx context.Context, j *Search, loaded *engines.LoadedDiarizer, s *sound) error {
	o := engines.DiarizeOptions{
		Pace:     f.pace(j.options.Pace),
		Progress: func(done float64) { f.show(j, backend.StatusListening, min(max(done, 0), 1)) },
	}
	switch {
	case j.options.Mode == backend.SpeakersNumber:
		o.Count = j.options.Count
	case j.options.Count > 0:
		o.Max = j.options.Count
	default:
		o.Max = usualSpeakers
	}
	found, err := loaded.Diarize(ctx, s, o)
	if err != nil {
		return err
	}
	voices, err := f.voices(ctx, loaded, s, found)
	if err != nil {
		return err
	}
	turns := make([]speakers.Turn, len(found.Turns))
	for i, t := range found.Turns {
		turns[i] = speakers.Turn(t)
	}
	j.change = func(t *backend.Transcript) {
		r := speakers.Assign(t.Segments, turns)
		setSpeakers(t, r.Segments, r.Turns)
		if t.Matches = nil; len(voices) > 0 {
			t.Matches = f.o.Known.Match(loaded.Files, r.Names, voices)
		}
		if j.edit {
			t.Request.Speakers = &j.options
		}
		warn := func(code backend.Code, detail string) {
			t.Warnings = append(t.Warnings, backend.TranscriptWarning{Code: code, Detail: detail, End: t.Duration})
		}
		if found.Uncounted && j.options.Count > 0 {
			warn(backend.WarningSpeakersUncounted, "The sound is too short for a number of speakers: as many as there are were found.")
		}
		if found.Fewer {
			warn(backend.WarningSpeakersFewer, "There are fewer voices than the number of speakers that was asked for.")
		}
	}
	return nil
}

// pace returns the pace of a search, which may name none.
func (f *Finder) pace(named backend.SpeakerPace) engines.Pace {
	if named == "" && f.o.Pace != nil {
		named = f.o.Pace()
	}
	switch named {
	case backend.PaceBalanced:
		return engines.Balanced
	case backend.PaceFast:
		return engines.Fast
	case backend.PaceThorough:
	}
	return engines.Thorough
}

// setSpeakers sets the segments and turns of a transcript, and what follows from them.
func setSpeakers(t *backend.Transcript, segments []backend.Segment, turns []backend.SpeakerTurn) {
	t.Segments, t.Turns, t.SpeakersError = segments, turns, nil
	t.Warnings = slices.DeleteFunc(slices.Clone(t.Warnings), func(w backend.TranscriptWarning) bool {
		return w.Code == backend.WarningSpeakersUncounted || w.Code == backend.WarningSpeakersFewer
	})
	paragraphs.Mark(t.Segments)
	t.Text = paragraphs.Text(t.Segments)
}

const (
	maxAnchor = 30 * engines.TranscriberRate     // samples: so much of a speaker is heard to know the voice
	minHeard  = engines.TranscriberRate * 8 / 10 // samples: in less no voice is told from another
)

// reassign compares the lines with the voices of the lines that a person set, and of the speakers who have none of those. Lines that
// are too short keep their speaker.
func (f *Finder) reassign(ctx context.Context, j *Search, loaded *engines.LoadedDiarizer, s *sound) error {
	names, prints, err := anchors(ctx, loaded, s, j.t.Segments)
	if err != nil {
		return err
	}
	heard := map[int]string{}
	for i, seg := range j.t.Segments {
		f.show(j, backend.StatusListening, float64(i)/float64(len(j.t.Segments)))
		samples, err := s.part(ctx, seg, maxAnchor)
		if err != nil {
			return err
		}
		if speakers.IsSet(seg) || len(samples) < minHeard || len(prints) == 0 {
			continue
		}
		voice, ok, err := loaded.Print(ctx, samples)
		if err != nil {
			return err
		}
		if ok {
			heard[seg.ID] = names[nearest(prints, voice)]
		}
	}
	j.change = func(t *backend.Transcript) {
		segments := slices.Clone(t.Segments)
		var changed []backend.Segment
		for i := range segments {
			seg := &segments[i]
			if name := heard[seg.ID]; name != "" && !speakers.IsSet(*seg) && name != seg.Speaker {
				seg.Speaker, seg.SpeakerFound = name, true
				line := *seg
				line.SpeakerFound = false
				changed = append(changed, line)
			}
		}
		turns := t.Turns
		if len(turns) > 0 {
			turns = speakers.Heard(changed, turns)
		}
		setSpeakers(t, segments, turns)
	}
	return nil
}

// anchors returns the speakers of segments with a print of each voice: of the lines that a person set, else of all.
func anchors(
	ctx context.Context, loaded *engines.LoadedDiarizer, s *sound, segments []backend.Segment,
) (names []string, prints [][]float32, err error) {
	for _, speaker := range speakers.Shares(segments) {
		var samples []float32
		for _, set := range []bool{true, false} {
			for _, seg := range segments {
				if seg.Speaker != speaker.Name || speakers.IsSet(seg) != set || len(samples) >= maxAnchor {
					continue
				}
				part, err := s.part(ctx, seg, maxAnchor-len(samples))
				if err != nil {
					return nil, nil, err
				}
				samples = append(samples, part...)
			}
			if len(samples) >= minHeard {
				break
			}
			samples = samples[:0]
		}
		voice, ok, err := loaded.Print(ctx, samples)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			names, prints = append(names, speaker.Name), append(prints, voice)
		}
	}
	return names, prints, nil
}

// nearest returns which of some prints is most like another.
func nearest(prints [][]float32, to []float32) int {
	best, at := math.Inf(-1), 0
	for i, p := range prints {
		if cosine := samples.Cosine(p, to); cosine > best {
			best, at = cosine, i
		}
	}
	return at
}

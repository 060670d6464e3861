package finder

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
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

package finder

import (
	"context"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speakers"
	"github.com/voicewright/voicewright/backend/transcribe/paragraphs"
)

// Request says how the speakers of a transcript are found.
type Request struct {
	backend.SpeakerOptions
	// Reassign compares each line with the voices of those that a person set, and finds no new speakers.
	Reassign bool
}

// Find is Submit that waits for the end. When ctx ends, it is cancelled.
func (f *Finder) Find(ctx context.Context, id string, r Request) (backend.Transcript, error) {
	j, t, err := f.begin(ctx, id, r)
	if err != nil || j == nil {
		return t, err
	}
	f.jobs.Wait(ctx, j)
	if err := j.failure(); err != nil {
		return t, err
	}
	t, err = f.o.Store.Transcript(ctx, id)
	return f.Overlay(t), err
}

// Submit finds the speakers of a transcript by its stored audio, and returns at once; it can be undone. With the mode off what was
// found is removed, with channels those of the source are used; what a person set stays. Errors: transcript_not_found,
// ValidationError, audio_missing, queue_full, not_in_progress unless it is complete and nothing of it is being made.
func (f *Finder) Submit(ctx context.Context, id string, r Request) (backend.Transcript, error) {
	_, t, err := f.begin(ctx, id, r)
	return t, err
}

// begin returns the search that was begun, nil where there is nothing to find.
func (f *Finder) begin(ctx context.Context, id string, r Request) (*Search, backend.Transcript, error) {
	t, err := f.o.Store.Transcript(ctx, id)
	if err != nil {
		return nil, t, err
	}
	if err := f.check(t, r); err != nil {
		return nil, t, err
	}
	if change := r.atOnce(); change != nil {
		t, err = f.edit(ctx, id, change)
		return nil, t, err
	}
	if err := hasAudio(t); err != nil {
		return nil, t, err
	}
	j := newSearch(id, r.SpeakerOptions)
	j.reassign, j.edit, j.t, j.row = r.Reassign, true, t, t
	err = f.Enqueue(ctx, j, func() (err error) {
		t, err = f.store(id, false, func(t *backend.Transcript) { t.SpeakersError = ErrClosed.Failure() })
		return err
	})
	if err != nil {
		return nil, t, err
	}
	return j, f.o.Publish(t), nil
}

// atOnce returns the change of a request for which nothing is heard, nil for others.
func (r Request) atOnce() func(*backend.Transcript) error {
	switch {
	case r.Reassign:
		return nil
	case r.Mode == backend.SpeakersOff:
		return func(t *backend.Transcript) error {
			t.Request.Speakers = &r.SpeakerOptions
			setSpeakers(t, speakers.Remove(t.Segments), nil)
			t.Matches = nil
			return nil
		}
	case r.Mode == backend.SpeakersChannels:
		return func(t *backend.Transcript) error {
			if err := CheckChannels(*t, "body", "mode"); err != nil {
				return err
			}
			t.Request.Speakers = &r.SpeakerOptions
			SetChannels(t)
			return nil
		}
	}
	return nil
}

func (f *Finder) check(t backend.Transcript, r Request) error {
	if !r.Reassign {
		if err := Check(&r.SpeakerOptions, "body"); err != nil {
			return err
		}
	}
	if err := f.o.Busy(t.ID); err != nil {
		return err
	}
	switch {
	case r.Reassign && !slices.ContainsFunc(t.Segments, speakers.IsSet):
		return backend.Invalid("value_error", "Set the speaker of a line first", "body", "reassign")
	case f.jobs.Job(t.ID) != nil:
		return busyError(t.ID)
	case t.Status != backend.StatusComplete:
		return backend.E(backend.CodeNotInProgress, "This transcript is not complete.", "Transcribe it first.").With("transcript_id", t.ID)
	}
	return nil
}

// Check checks the options of speakers, which may be absent, at a place of the request.
func Check(o *backend.SpeakerOptions, loc ...string) error {
	if o == nil {
		return nil
	}
	at := func(name string) []string { return append(slices.Clone(loc), name) }
	switch {
	case !slices.Contains([]backend.SpeakerMode{
		backend.SpeakersAuto, backend.SpeakersNumber, backend.SpeakersChannels, backend.SpeakersOff,
	}, o.Mode):
		return backend.Invalid("enum", "Input should be auto, number, channels or off", at("mode")...)
	case !slices.Contains([]backend.SpeakerPace{"", backend.PaceThorough, backend.PaceBalanced, backend.PaceFast}, o.Pace):
		return backend.Invalid("enum", "Input should be thorough, balanced or fast", at("pace")...)
	case o.Count < 0:
		return backend.Invalid("greater_than_equal", "Input should be greater than or equal to 1", at("count")...)
	case o.Count > maxSpeakers:
		return backend.Invalid("less_than_equal", "Input should be less than or equal to "+strconv.Itoa(maxSpeakers), at("count")...)
	case o.Mode == backend.SpeakersNumber && o.Count == 0:
		return backend.Invalid("missing", "Field required", at("count")...)
	}
	return nil
}

// After returns the search for the speakers of a transcript that was transcribed, nil where there is none. Where nobody asked for one
// (o is nil), there is one if that downloads nothing. downloaded fails where the model is missing, instead of downloading it.
func (f *Finder) After(id string, o *backend.SpeakerOptions, downloaded bool) *Search {
	if f.o.Diarizers == nil || o == nil && !f.o.Diarizers.DiarizerDownloaded() {
		return nil
	}
	asked := o != nil
	if !asked {
		o = &backend.SpeakerOptions{Mode: backend.SpeakersAuto}
	}
	if o.Mode == backend.SpeakersOff || o.Mode == backend.SpeakersChannels {
		return nil
	}
	j := newSearch(id, *o)
	j.downloaded = downloaded || !asked
	return j
}

// Split cuts a segment before a word, counted from 1, so that its second part can be given to another speaker; it can be undone.
// Errors: transcript_not_found, ValidationError, not_in_progress while the transcript is made or waits for a rerun.
func (f *Finder) Split(ctx context.Context, id string, segment, word int) (backend.Transcript, error) {
	if err := f.o.Busy(id); err != nil {
		return backend.Transcript{}, err
	}
	return f.edit(ctx, id, func(t *backend.Transcript) error {
		i := slices.IndexFunc(t.Segments, func(s backend.Segment) bool { return s.ID == segment })
		if i < 0 {
			return backend.Invalid("value_error", "This transcript has no segment "+strconv.Itoa(segment), "path", "segment_id")
		}
		parts, ok := speakers.Split(t.Segments[i], word)
		if !ok {
			return backend.Invalid("value_error", "This segment has no such word, or begins with it", "body", "word")
		}
		parts[1].ID = speakers.NextID(t.Segments)
		t.Segments = slices.Replace(slices.Clone(t.Segments), i, i+1, parts[:]...)
		paragraphs.Mark(t.Segments)
		t.Text = paragraphs.Text(t.Segments)
		return nil
	})
}

func (f *Finder) edit(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	t, err := f.o.Store.EditTranscript(ctx, id, change)
	if err != nil {
		return t, err
	}
	f.Edited(t)
	return f.o.Publish(t), nil
}

package transcribe

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speakers"
)

// SpeakersRequest says how the speakers of a transcript are found.
type SpeakersRequest struct {
	backend.SpeakerOptions
	// Reassign compares each line with the voices of those that a person set, and finds no new speakers.
	Reassign bool
}

// Find is Submit that waits for the end. When ctx ends, it is cancelled.
func (f *Speakers) Find(ctx context.Context, id string, r SpeakersRequest) (backend.Transcript, error) {
	j, t, err := f.begin(ctx, id, r)
	if err != nil || j == nil {
		return t, err
	}
	f.jobs.Wait(ctx, j)
	if err := j.failure(); err != nil {
		return t, err
	}
	t, err = f.o.Store.Transcript(ctx, id)
	return f.overlay(t), err
}

// Submit finds the speakers of a transcript by its stored audio, and returns at once; it can be undone. With the mode off what was
// found is removed, and what a person set stays. Errors: transcript_not_found, ValidationError, audio_missing, queue_full,
// not_in_progress unless it is complete and nothing of it is being made.
func (f *Speakers) Submit(ctx context.Context, id string, r SpeakersRequest) (backend.Transcript, error) {
	_, t, err := f.begin(ctx, id, r)
	return t, err
}

// begin returns the search that was begun, nil where there is nothing to find.
func (f *Speakers) begin(ctx context.Context, id string, r SpeakersRequest) (*finding, backend.Transcript, error) {
	t, err := f.o.Store.Transcript(ctx, id)
	if err != nil {
		return nil, t, err
	}
	if err := f.check(t, r); err != nil {
		return nil, t, err
	}
	if r.Mode == backend.SpeakersOff && !r.Reassign {
		t, err = f.edit(ctx, id, func(t *backend.Transcript) error {
			t.Request.Speakers = &r.SpeakerOptions
			setSpeakers(t, speakers.Remove(t.Segments), nil)
			return nil
		})
		return nil, t, err
	}
	if _, err := os.Stat(t.AudioPath); t.AudioPath == "" || err != nil {
		return nil, t, errAudioGone(id)
	}
	j := newFinding(id, r.SpeakerOptions)
	j.reassign, j.edit, j.t = r.Reassign, true, t
	err = f.enqueue(ctx, j, func() (err error) {
		t, err = f.store(id, false, func(t *backend.Transcript) { t.SpeakersError = errSpeakersClosed.Failure() })
		return err
	})
	if err != nil {
		return nil, t, err
	}
	t = f.overlay(t)
	f.notify(t)
	return j, t, nil
}

func (f *Speakers) check(t backend.Transcript, r SpeakersRequest) error {
	if !r.Reassign {
		if err := checkSpeakers(&r.SpeakerOptions, "body"); err != nil {
			return err
		}
	}
	if err := f.busy(t.ID); err != nil {
		return err
	}
	switch {
	case r.Reassign && !slices.ContainsFunc(t.Segments, speakers.IsSet):
		return backend.Invalid("value_error", "Set the speaker of a line first", "body", "reassign")
	case f.live(t.ID):
		return withID(errSpeakersBusy, t.ID)
	case t.Status != backend.StatusComplete:
		return backend.E(backend.CodeNotInProgress, "This transcript is not complete.", "Transcribe it first.").With("transcript_id", t.ID)
	}
	return nil
}

// checkSpeakers checks the options of speakers, which may be absent, at a place of the request.
func checkSpeakers(o *backend.SpeakerOptions, loc ...string) error {
	if o == nil {
		return nil
	}
	at := func(name string) []string { return append(slices.Clone(loc), name) }
	switch {
	case o.Mode != backend.SpeakersAuto && o.Mode != backend.SpeakersNumber && o.Mode != backend.SpeakersOff:
		return backend.Invalid("enum", "Input should be auto, number or off", at("mode")...)
	case o.Count < 0:
		return backend.Invalid("greater_than_equal", "Input should be greater than or equal to 1", at("count")...)
	case o.Count > maxSpeakers:
		return backend.Invalid("less_than_equal", "Input should be less than or equal to "+strconv.Itoa(maxSpeakers), at("count")...)
	case o.Mode == backend.SpeakersNumber && o.Count == 0:
		return backend.Invalid("missing", "Field required", at("count")...)
	}
	return nil
}

// after returns the search for speakers that follows a transcription, nil where there is none. Where nobody asked for one, there is
// one if that downloads nothing.
func (f *Speakers) after(j *job) *finding {
	o := j.speakers
	if f.o.Diarizers == nil || j.former || o == nil && !f.o.Diarizers.DiarizerDownloaded() {
		return nil
	}
	if o == nil {
		o = &backend.SpeakerOptions{Mode: backend.SpeakersAuto}
	}
	if o.Mode == backend.SpeakersOff {
		return nil
	}
	search := newFinding(j.id, *o)
	search.downloaded = j.speakers == nil || j.installed
	return search
}

// applyNames changes the names of speakers in a transcript.
func applyNames(t *backend.Transcript, list []backend.SpeakerPatch) error {
	if len(list) == 0 {
		return nil
	}
	names := map[string]string{}
	for _, p := range list {
		name := strings.TrimSpace(p.NewName)
		if name == "" {
			return backend.Invalid("string_too_short", "String should have at least 1 character", "body", "speakers", "new_name")
		}
		names[p.Name] = name
	}
	t.Segments, t.Turns = slices.Clone(t.Segments), slices.Clone(t.Turns)
	if unknown := speakers.Rename(t.Segments, t.Turns, names); unknown != "" {
		return backend.Invalid("value_error", "This transcript has no speaker "+unknown, "body", "speakers", "name")
	}
	return nil
}

// Split cuts a segment before a word, counted from 1, so that its second part can be given to another speaker; it can be undone.
// Errors: transcript_not_found, ValidationError, not_in_progress while the transcript is made or waits for a rerun.
func (f *Speakers) Split(ctx context.Context, id string, segment, word int) (backend.Transcript, error) {
	if err := f.busy(id); err != nil {
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
		MarkParagraphs(t.Segments)
		t.Text = Text(t.Segments)
		return nil
	})
}

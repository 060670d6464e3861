package transcribe

import (
	"cmp"
	"context"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
)

// Rerun is SubmitRerun that waits for the end. When ctx ends, it is cancelled.
func (s *Service) Rerun(ctx context.Context, id string, r RerunRequest) (backend.Transcript, error) {
	j, err := s.rerun(ctx, id, r)
	if err != nil {
		return backend.Transcript{}, err
	}
	return s.wait(ctx, j)
}

// SubmitRerun transcribes a part of a transcript again, or everything, and returns at once. The new segments replace those of the
// part, have new IDs and can be undone. A transcript that is complete stays complete in the store until the rerun has ended;
// after a failed rerun it has its text as before, and the error. One that failed or was cancelled is transcribed as a whole.
// Errors: transcript_not_found, ValidationError, audio_missing, not_in_progress while it is transcribed, those of Submit,
// model_not_downloaded where r.NoDownload.
func (s *Service) SubmitRerun(ctx context.Context, id string, r RerunRequest) (backend.Transcript, error) {
	j, err := s.rerun(ctx, id, r)
	if err != nil {
		return backend.Transcript{}, err
	}
	return s.Overlay(j.snapshot()), nil
}

func (s *Service) rerun(ctx context.Context, id string, r RerunRequest) (*job, error) {
	t, err := s.o.Store.Transcript(ctx, id)
	if err != nil {
		return nil, err
	}
	if s.jobs.Job(id) != nil {
		return nil, busyError(id)
	}
	if err := s.Speakers.Busy(id); err != nil {
		return nil, err
	}
	j, err := s.prepareRerun(t, r)
	if err != nil {
		return nil, err
	}
	return j, s.enqueue(ctx, j, func(ctx context.Context) error {
		if j.again {
			return nil
		}
		_, err := s.o.Store.UpdateTranscript(ctx, id, func(t *backend.Transcript) error {
			t.Status, t.Error, t.Progress = backend.StatusQueued, nil, 0
			t.ModelName, t.Request = j.options.ModelName, j.t.Request
			return nil
		})
		return err
	})
}

func (s *Service) prepareRerun(t backend.Transcript, r RerunRequest) (*job, error) {
	if err := checkPart(t, r); err != nil {
		return nil, err
	}
	if err := checkSpeakers(t, r.Speakers); err != nil {
		return nil, err
	}
	if r.Speakers != nil {
		t.Request.Speakers = r.Speakers
	}
	t.Request.ModelName = cmp.Or(r.ModelName, t.Request.ModelName)
	t.Request.Language = cmp.Or(r.Language, t.Request.Language)
	if r.Prompt != nil {
		t.Request.Prompt = *r.Prompt
	}
	options, err := s.resolver.resolve(t.Request, t.ModelName)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(t.AudioPath); t.AudioPath == "" || err != nil {
		return nil, finder.ErrAudioGone(t.ID)
	}
	if r.NoDownload {
		if err := s.o.Models.Installed(options.ModelName); err != nil { // at once: the transcript stays as it was
			return nil, err
		}
	}
	j := &job{
		Handle: jobs.NewHandle(), id: t.ID, source: t.AudioPath, own: true, options: options, last: t.ModelName, installed: r.NoDownload,
		again: t.Status == backend.StatusComplete, speakers: t.Request.Speakers,
	}
	if j.again {
		j.from, j.to = widen(t.Segments, r.From, r.To)
	}
	if j.to >= t.Duration {
		j.to = 0
	}
	j.former = r.Speakers == nil && (j.from > 0 || j.to > 0)
	t.Status, t.Progress, t.Error = backend.StatusQueued, 0, nil
	j.t = t
	return j, nil
}

func checkPart(t backend.Transcript, r RerunRequest) error {
	switch {
	case r.From < 0:
		return backend.Invalid("greater_than_equal", "Input should be greater than or equal to 0", "body", "from")
	case r.To < 0:
		return backend.Invalid("greater_than_equal", "Input should be greater than or equal to 0", "body", "to")
	case r.To > 0 && r.To <= r.From:
		return backend.Invalid("greater_than", "Input should be greater than from", "body", "to")
	case t.Status == backend.StatusComplete && r.From > 0 && r.From >= t.Duration:
		return backend.Invalid("less_than", "Input should be less than the duration", "body", "from")
	}
	return nil
}

// checkSpeakers checks how the speakers of a rerun are to be found; nil is valid. Of a source that was not read it is not known what is
// on its channels.
func checkSpeakers(t backend.Transcript, o *backend.SpeakerOptions) error {
	err := finder.Check(o, "body", "speakers")
	if err != nil || o == nil || o.Mode != backend.SpeakersChannels || t.Status != backend.StatusComplete {
		return err
	}
	return finder.CheckChannels(t, "body", "speakers", "mode")
}

// touch is how far a part may reach into a segment without replacing it, in seconds.
const touch = 0.05

// widen returns a part that covers each segment it reaches into, so that no text is lost or doubled at its ends. to 0 is the
// end of the audio.
func widen(segments []backend.Segment, from, to float64) (float64, float64) {
	first, last := from, to
	for _, s := range segments {
		if !overlaps(s, from, to) {
			continue
		}
		first = min(first, s.Start)
		if to > 0 {
			last = max(last, s.End)
		}
	}
	return first, last
}

// overlaps reports whether a segment reaches into a part; to 0 is the end of the audio.
func overlaps(s backend.Segment, from, to float64) bool {
	middle := (s.Start + s.End) / 2
	inside := middle >= from && (to == 0 || middle < to)
	return inside || s.End > from+touch && (to == 0 || s.Start < to-touch)
}

// replacePart returns segments in order with those of a part replaced.
func replacePart(old, part []backend.Segment, from, to float64) []backend.Segment {
	out := make([]backend.Segment, 0, len(old)+len(part))
	at := -1 // of the new segments
	for _, s := range old {
		switch {
		case overlaps(s, from, to):
			continue
		case at < 0 && s.Start >= from:
			at = len(out)
			out = append(out, part...)
		}
		out = append(out, s)
	}
	if at < 0 {
		out = append(out, part...)
	}
	return out
}

package maker

import (
	"cmp"
	"context"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// Resume queues the generations whose hosted audio is paid and was not stored when the program ended last, those that
// were running among them. They fetch that audio and begin no call; one that had begun is sent again by its key.
func (s *Maker) Resume(ctx context.Context) {
	ids, err := s.o.Client.Pending(ctx)
	if err != nil {
		s.o.Log.Warn("find the hosted audio that was not fetched", "error", err)
	}
	queued := map[string]bool{}
	for _, g := range s.gens.Interrupted {
		if g.Source == backend.SourceHosted {
			ids = append(ids, g.ID)
		}
	}
	for _, id := range ids {
		if queued[id] {
			continue
		}
		queued[id] = true
		if err := s.resume(ctx, id); err != nil {
			s.o.Log.Warn("fetch hosted audio", "id", id, "error", err)
		}
	}
}

func (s *Maker) resume(ctx context.Context, id string) error {
	old, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return err
	}
	j, err := s.recordedJob(ctx, generations.Again(old), old)
	if err != nil {
		return err
	}
	if old.Status == backend.StatusComplete { // its text was being changed: what is paid is fetched for the next change
		return s.gens.ResumeChange(ctx, j, old, func(ctx context.Context) error { return s.fetchPaid(ctx, j) })
	}
	j.Hosted.Speech.FetchOnly = true
	return s.gens.Enqueue(ctx, j, s.gens.Requeue(id, generations.CheckRetryable))
}

// recordedJob returns the job of a request for a hosted generation with the voice that it was made with.
func (s *Maker) recordedJob(ctx context.Context, r generations.Request, old backend.Generation) (*generations.Job, error) {
	v := *cmp.Or(old.Request.HostedVoice, new(backend.HostedVoice{ID: old.Voice, Language: old.Language}))
	r.Seed = &old.Seed
	j, err := s.hostedJob(ctx, r, generations.RecordedProfile(old), v, old.ModelName)
	if err != nil {
		return nil, err
	}
	j.Hosted.Of(old.ID)
	return j, nil
}

// Preview returns the service's own preview of a hosted voice as a WAV file. It costs nothing.
func (s *Maker) Preview(ctx context.Context, profile backend.Profile) ([]byte, error) {
	path, err := s.o.Client.PreviewFile(ctx, profile.HostedVoiceID)
	if err != nil {
		return nil, err
	}
	wav, drop, err := s.decodedPreview(ctx, path)
	defer drop()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(wav)
	return raw, backend.FileError("read the preview", "the data directory", err)
}

// decodedPreview is decoded for a file without an extension.
func (s *Maker) decodedPreview(ctx context.Context, path string) (wav string, drop func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", func() {}, backend.FileError("read the preview", "the data directory", err)
	}
	_, notWAV := audio.ProbeWAV(f)
	_ = f.Close()
	if notWAV == nil {
		return path, func() {}, nil
	}
	return s.synth.Decoded(ctx, path, 0)
}

// Recorded returns the job of an ended generation, as far as listeners need it.
func (s *Maker) Recorded(ctx context.Context, g backend.Generation) (*generations.Job, error) {
	j, err := s.recordedJob(ctx, generations.Again(g), g)
	if err == nil {
		j.Row = g
	}
	return j, err
}

// Level returns that hosted audio is heard as it was received.
func (s *Maker) Level(context.Context, *generations.Job, speech.Sound) (speech.Level, error) {
	return speech.Level{Gain: 1}, nil
}

package speech

import (
	"cmp"
	"context"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Resume queues the generations whose hosted audio is paid and was not stored when the program ended last, those that
// were running among them. They fetch that audio and begin no call; one that had begun is sent again by its key.
func (s *HostedMaker) Resume(ctx context.Context, revise func(ctx context.Context, g backend.Generation) error) {
	ids, err := s.o.Client.Pending(ctx)
	if err != nil {
		s.o.Log.Warn("find the hosted audio that was not fetched", "error", err)
	}
	queued := map[string]bool{}
	for _, g := range s.gens.interrupted {
		if g.Source == backend.SourceHosted {
			ids = append(ids, g.ID)
		}
	}
	for _, id := range ids {
		if queued[id] {
			continue
		}
		queued[id] = true
		if err := s.resume(ctx, id, revise); err != nil {
			s.o.Log.Warn("fetch hosted audio", "id", id, "error", err)
		}
	}
}

func (s *HostedMaker) resume(ctx context.Context, id string, revise func(context.Context, backend.Generation) error) error {
	old, err := s.gens.o.Store.Generation(ctx, id)
	if err != nil {
		return err
	}
	if old.Status == backend.StatusComplete { // its text was being changed
		return revise(ctx, old)
	}
	j, err := s.recordedJob(ctx, again(old), old)
	if err != nil {
		return err
	}
	j.hosted.speech.FetchOnly = true
	return s.gens.enqueue(ctx, j, s.gens.requeue(id, retryable))
}

// recordedJob returns the job of a request for a hosted generation with the voice that it was made with.
func (s *HostedMaker) recordedJob(ctx context.Context, r Request, old backend.Generation) (*job, error) {
	v := *cmp.Or(old.Request.HostedVoice, new(backend.HostedVoice{ID: old.Voice, Language: old.Language}))
	r.Seed = &old.Seed
	j, err := s.hostedJob(ctx, r, recordedProfile(old), v, old.ModelName)
	if err != nil {
		return nil, err
	}
	j.hosted.of(old.ID)
	return j, nil
}

// Preview returns the service's own preview of a hosted voice as a WAV file. It costs nothing.
func (s *HostedMaker) Preview(ctx context.Context, profile backend.Profile) ([]byte, error) {
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
func (s *HostedMaker) decodedPreview(ctx context.Context, path string) (wav string, drop func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", func() {}, backend.FileError("read the preview", "the data directory", err)
	}
	_, notWAV := audio.ProbeWAV(f)
	_ = f.Close()
	if notWAV == nil {
		return path, func() {}, nil
	}
	return s.synth.decoded(ctx, path, 0)
}

// Recorded returns the job of an ended generation, as far as listeners need it.
func (s *HostedMaker) Recorded(ctx context.Context, g backend.Generation) (*job, error) {
	j, err := s.recordedJob(ctx, again(g), g)
	if err == nil {
		j.g = g
	}
	return j, err
}

// Level returns that hosted audio is heard as it was received.
func (s *HostedMaker) Level(context.Context, *job, sound) (level, error) { return level{gain: 1}, nil }

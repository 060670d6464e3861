package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Retry speaks a failed or cancelled generation again, with its id, voice and seed.
// Errors: generation_not_found, not_in_progress when it neither failed nor was cancelled, those of Submit.
func (s *Service) Retry(ctx context.Context, id string) (backend.Generation, error) {
	old, err := s.Generation(ctx, id)
	if err != nil {
		return old, err
	}
	if !old.Status.CanMove(backend.StatusQueued) {
		return old, backend.E(backend.CodeNotInProgress, "Only a failed or cancelled generation can be tried again.",
			"Use regenerate to make a new take of it.")
	}
	r := again(old)
	r.Seed = &old.Seed
	j, err := s.prepare(ctx, r, ghost(old))
	if err != nil {
		return old, err
	}
	j.g.ID, j.g.CreatedAt, j.g.ParentID, j.g.Favorite = old.ID, old.CreatedAt, old.ParentID, old.Favorite
	err = s.enqueue(ctx, j, func(ctx context.Context, j *job) error {
		_, err := s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
			*g = j.g
			return nil
		})
		return err
	})
	if err != nil {
		return old, err
	}
	return j.snapshot(), nil
}

// Regenerate speaks the text of a generation again as a new one, with another seed unless one is given.
// Errors: generation_not_found, those of Submit.
func (s *Service) Regenerate(ctx context.Context, id string, seed *int64) (backend.Generation, error) {
	old, err := s.Generation(ctx, id)
	if err != nil {
		return old, err
	}
	r := again(old)
	r.ParentID, r.Seed = &old.ID, seed
	j, err := s.prepare(ctx, r, ghost(old))
	if err != nil {
		return old, err
	}
	err = s.enqueue(ctx, j, s.create)
	if err != nil {
		return old, err
	}
	return j.snapshot(), nil
}

// again asks for the same voice, language and speed as were used, whatever became of the profile.
func again(old backend.Generation) Request {
	r := Request{ProfileID: old.ProfileID, Text: old.Text, GenerateOptions: old.Request}
	r.Voice, r.Language, r.Speed, r.Title = old.ModelName+":"+old.Voice, old.Language, &old.Speed, old.Title
	return r
}

// ghost stands for the profile that a generation was made with.
func ghost(old backend.Generation) backend.Profile {
	return backend.Profile{ID: old.ProfileID, Name: old.ProfileName, Speed: old.Speed}
}

package generations

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Retry generates a failed or cancelled generation again, with its id, voice and seed; finished chunks are not made again. accept is
// the price of what a hosted one still has to pay that the user accepts, nil = that of the first request.
// Errors: generation_not_found, not_in_progress when it neither failed nor was cancelled, those of Submit.
func (s *Service) Retry(ctx context.Context, id string, accept *int64) (backend.Generation, error) {
	old, err := s.Generation(ctx, id)
	if err != nil {
		return old, err
	}
	if err := CheckRetryable(old); err != nil {
		return old, err
	}
	s.ends.flush(ctx) // its row may still have an earlier status
	j, err := s.Makers.retry(ctx, old, accept)
	if err != nil {
		return old, err
	}
	err = s.Enqueue(ctx, j, s.Requeue(id, CheckRetryable))
	if err != nil {
		return old, err
	}
	return j.Snapshot(), nil
}

// retry returns the job that generates the rest of a generation.
func (m *Makers) retry(ctx context.Context, old backend.Generation, accept *int64) (*Job, error) {
	r := Again(old)
	r.Seed, r.Donors, r.Behind, r.BookID = &old.Seed, old.Request.Donors, old.Request.Behind, old.Request.BookID
	if accept != nil {
		r.AcceptCredits = accept
	}
	j, err := m.Prepare(ctx, r, RecordedProfile(old))
	if err == nil {
		j.Hosted.Of(old.ID)
	}
	return j, err
}

// Requeue returns a function that gives the row of an ended generation to its next job, where it may have one.
func (s *Service) Requeue(id string, may func(backend.Generation) error) func(context.Context, *Job) error {
	return func(ctx context.Context, j *Job) error {
		var err error
		j.Row, err = s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
			if err := may(*g); err != nil { // another retry was first
				return err
			}
			next := j.Row
			next.ID, next.CreatedAt, next.ParentID, next.Title, next.Favorite = g.ID, g.CreatedAt, g.ParentID, g.Title, g.Favorite
			next.Credits, next.Partial = g.Credits, g.Partial
			if p := g.Partial; p != nil { // what it has until it runs
				next.ChunksDone, next.ChunksBehind, next.ChunksTotal = p.Chunks, p.Behind, p.Total
			}
			*g = next
			return nil
		})
		return err
	}
}

// CheckRetryable returns why a generation cannot be tried again, nil where it can. Error: not_in_progress.
func CheckRetryable(g backend.Generation) error {
	switch {
	case g.Status.CanMove(backend.StatusQueued):
		return nil
	case g.Status.Ended():
		return backend.E(backend.CodeNotInProgress, "Only a failed or cancelled generation can be tried again.",
			"Use regenerate to make a new take of it.")
	default:
		return backend.E(backend.CodeNotInProgress, "This generation is already running.",
			"Wait for it to finish, or cancel it.")
	}
}

// Regenerate generates the text of a generation again as a new one, with another seed unless one is passed. A hosted one is
// paid again: accept is the price that the user accepts, nil = none was asked. Errors: generation_not_found, those of Submit.
func (s *Service) Regenerate(ctx context.Context, id string, seed, accept *int64) (backend.Generation, error) {
	old, err := s.Generation(ctx, id)
	if err != nil {
		return old, err
	}
	r := Again(old)
	r.ParentID, r.Seed, r.AcceptCredits = &old.ID, seed, accept
	if seed == nil || *seed != old.Seed { // other audio, levelled anew
		r.Limit = old.Request.Limit
	}
	j, err := s.Makers.Prepare(ctx, r, RecordedProfile(old))
	if err != nil {
		return old, err
	}
	if err := s.Makers.CheckHosted(ctx, accept, j); err != nil {
		return old, err
	}
	err = s.Enqueue(ctx, j, s.Create)
	if err != nil {
		return old, err
	}
	return j.Snapshot(), nil
}

// Again returns a request with the voice, language, speed and levelling that were used, even if the profile changed.
func Again(old backend.Generation) Request {
	r := Request{
		ProfileID: old.ProfileID, Text: old.Text, remade: true, pauses: old.Request.Pauses, Dialogue: old.Request.Dialogue,
		GenerateOptions: old.Request.GenerateOptions,
	}
	r.Voice, r.Language, r.Speed, r.Title = old.ModelName+":"+old.Voice, old.Language, &old.Speed, old.Title
	if old.Source == backend.SourceHosted {
		r.Voice, r.ModelName = backend.HostedEngine+":"+old.Voice, old.ModelName
		return r
	}
	if old.Receipt != nil && old.Receipt.Level == nil {
		r.Limit = new(false)
	}
	return r
}

// RecordedProfile returns the profile with which a generation was made.
func RecordedProfile(old backend.Generation) backend.Profile {
	return backend.Profile{ID: old.ProfileID, Name: old.ProfileName, Speed: old.Speed}
}

package scripts

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
)

// MaxTurns is how many turns a script may have.
const MaxTurns = 200

// Request is a request for a text in several voices.
type Request struct {
	Turns []generations.Request // 1 to MaxTurns
	Gap   time.Duration
	Title string
	// AcceptCredits is the price of all hosted turns that the user accepted; nil = none was asked.
	AcceptCredits *int64
	// Ended is called when the work of SubmitScript has ended and its result is stored; may be nil.
	Ended func(id string, err error)
	// Speakers are the names of the turns' speakers, empty for those without; nil where none has one.
	Speakers []string
	// Keep are the generations that the turns of a revision have, empty for those without; it may be shorter than Turns.
	Keep []string
}

// Script generates every turn as a generation of its own, then joins them into one file. A turn that fails does not stop the
// others; its error is returned with params.script_id, and after a retry of the turn JoinScript makes the file. When ctx
// ends, unfinished turns are cancelled. Errors: ValidationError naming the turn, those of Generate; the script is returned
// too once it is stored.
func (s *Service) Script(ctx context.Context, r Request) (backend.ScriptWithTurns, error) {
	stored, jobs, err := s.submitScript(ctx, r)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	defer s.scripts.hold(stored.ID)()
	if err := s.waitAll(ctx, jobs); err != nil {
		return backend.ScriptWithTurns{Script: stored}, withScript(err, stored.ID)
	}
	out, err := s.JoinScript(ctx, stored.ID)
	if err != nil {
		return backend.ScriptWithTurns{Script: stored}, err
	}
	return out, nil
}

// SubmitScript is like Script but returns once the turns are accepted. r.Ended is called when the file is made.
func (s *Service) SubmitScript(ctx context.Context, r Request) (backend.ScriptWithTurns, error) {
	stored, jobs, err := s.submitScript(ctx, r)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	err = s.finishScript(ctx, stored.ID, r.Ended, func(work context.Context) error {
		if err := s.waitAll(work, jobs); err != nil {
			return err
		}
		_, err := s.JoinScript(work, stored.ID)
		return err
	})
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	return s.oneWithTurns(ctx, stored)
}

// finishScript does work for a script in the background, then calls ended, which may be nil. No revision begins before.
func (s *Service) finishScript(ctx context.Context, id string, ended func(string, error), work func(context.Context) error) error {
	ctx, end, err := s.gens.Begin(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	release := s.scripts.hold(id)
	go func() {
		defer end()
		err := backend.Contain(func() error { return work(ctx) })
		release()
		if err != nil {
			s.o.Log.Warn("finish a script", "id", id, "request_id", backend.RequestID(ctx), "error", err)
		}
		if ended != nil {
			backend.Protect(s.o.Log, "the end of a script", func() { ended(id, err) })
		}
	}()
	return nil
}

// submitScript checks all turns and writes all rows before the first turn is accepted.
func (s *Service) submitScript(ctx context.Context, r Request) (backend.Script, []*generations.Job, error) {
	jobs, err := s.prepareTurns(ctx, r.Turns, preparing{s.gens.Profile, s.gens.Makers.Prepare})
	if err != nil {
		return backend.Script{}, nil, err
	}
	if err := s.gens.Makers.CheckHosted(ctx, r.AcceptCredits, jobs...); err != nil {
		return backend.Script{}, nil, err
	}
	acceptPrice(jobs, r.AcceptCredits)
	giveBack, err := s.gens.Reserve(jobs)
	if err != nil {
		return backend.Script{}, nil, err
	}
	stored, err := s.createScript(ctx, r, jobs)
	if err != nil {
		giveBack()
		return stored, nil, err
	}
	for _, j := range jobs {
		s.gens.Accept(ctx, j)
	}
	return stored, jobs, nil
}

// acceptPrice accepts the price of all hosted jobs together for each one.
func acceptPrice(jobs []*generations.Job, credits *int64) {
	for _, j := range jobs {
		if j.Hosted != nil {
			j.Hosted.Speech.AcceptCredits, j.Row.Request.AcceptCredits = credits, credits
		}
	}
}

// version returns the version that is asked for, without its turns.
func (r Request) version() backend.ScriptVersion {
	return backend.ScriptVersion{Title: strings.TrimSpace(r.Title), GapMS: int(r.Gap.Milliseconds()), Speakers: r.Speakers}
}

// createScript writes the rows of the turns, then that of the script. A failure removes the rows again.
func (s *Service) createScript(ctx context.Context, r Request, jobs []*generations.Job) (backend.Script, error) {
	stored := backend.Script{ID: s.o.NewID(), ScriptVersion: r.version()}
	for _, j := range jobs {
		if err := s.gens.Create(ctx, j); err != nil {
			return stored, s.takeBack(ctx, stored.Generations, err)
		}
		for range j.Turns() {
			stored.Generations = append(stored.Generations, j.Row.ID)
		}
	}
	stored, err := s.o.Store.CreateScript(ctx, stored)
	if err != nil {
		return stored, s.takeBack(ctx, stored.Generations, err)
	}
	return stored, nil
}

func (s *Service) takeBack(ctx context.Context, ids []string, cause error) error {
	_, err := s.o.Store.DeleteGenerations(context.WithoutCancel(ctx), ids)
	return errors.Join(cause, err)
}

// preparing is how turns become jobs.
type preparing struct {
	profile func(context.Context, generations.Request) (backend.Profile, error)
	prepare func(context.Context, generations.Request, backend.Profile) (*generations.Job, error)
}

// prepareTurns returns the jobs of turns.
func (s *Service) prepareTurns(ctx context.Context, turns []generations.Request, p preparing) ([]*generations.Job, error) {
	switch {
	case len(turns) == 0:
		return nil, backend.Invalid("too_short", "List should have at least 1 item", "body", "turns")
	case len(turns) > MaxTurns:
		return nil, backend.Invalid("too_long", "List should have at most "+strconv.Itoa(MaxTurns)+" items", "body", "turns")
	}
	profiles := make([]backend.Profile, len(turns))
	for i, r := range turns {
		var err error
		if profiles[i], err = p.profile(ctx, r); err != nil {
			return nil, generations.InTurnOf(err, i)
		}
	}
	if s.o.Hosted != nil {
		if jobs, ok, err := s.o.Hosted.Dialogue(ctx, turns, profiles); ok || err != nil {
			return jobs, err
		}
	}
	var jobs []*generations.Job
	for i, r := range turns {
		j, err := p.prepare(ctx, r, profiles[i])
		if err != nil {
			return nil, generations.InTurnOf(err, i)
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// waitAll waits for all jobs and returns the first failure.
func (s *Service) waitAll(ctx context.Context, jobs []*generations.Job) error {
	var first error
	for _, j := range jobs {
		if _, err := s.gens.Wait(ctx, j); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func withScript(err error, id string) error { return backend.AsError(err).With("script_id", id) }

// StoredScript returns a script. Errors: script_not_found.
func (s *Service) StoredScript(ctx context.Context, id string) (backend.ScriptWithTurns, error) {
	stored, err := s.o.Store.Script(ctx, id)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	return s.oneWithTurns(ctx, stored)
}

func (s *Service) oneWithTurns(ctx context.Context, stored backend.Script) (backend.ScriptWithTurns, error) {
	list, err := s.withTurns(ctx, []backend.Script{stored}, false)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	return list[0], nil
}

// withTurns returns the scripts with those of their turns that are still in the history, which it reads at once. Brief turns
// are as backend.Generation.Brief says.
func (s *Service) withTurns(ctx context.Context, stored []backend.Script, brief bool) ([]backend.ScriptWithTurns, error) {
	var ids []string
	for _, script := range stored {
		ids = append(ids, script.Generations...)
	}
	rows, err := s.o.Store.GenerationsByID(ctx, ids, brief)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]backend.Generation, len(rows))
	for _, g := range rows {
		byID[g.ID] = s.gens.Overlay(g)
	}
	out := make([]backend.ScriptWithTurns, len(stored))
	for i, script := range stored {
		out[i] = backend.ScriptWithTurns{Script: script, Turns: []backend.Generation{}}
		for _, id := range script.Generations {
			if g, ok := byID[id]; ok {
				out[i].Turns = append(out[i].Turns, g)
			}
		}
	}
	return out, nil
}

// List returns a page of the stored scripts, newest first, with brief turns where asked.
func (s *Service) List(ctx context.Context, page backend.Page, brief bool) (backend.List[backend.ScriptWithTurns], error) {
	list, err := s.o.Store.Scripts(ctx, page)
	if err != nil {
		return backend.List[backend.ScriptWithTurns]{}, err
	}
	out := backend.List[backend.ScriptWithTurns]{Total: list.Total, TotalCapped: list.TotalCapped, NextCursor: list.NextCursor}
	out.Items, err = s.withTurns(ctx, list.Items, brief)
	return out, err
}

// DeleteScript removes a script and its files; its turns stay in the history, those that only an earlier version has do not.
// Errors: script_not_found, cancelled.
func (s *Service) DeleteScript(ctx context.Context, id string) error {
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer done()
	defer s.synth.Deletions().Note(id)()
	row, err := s.o.Store.DeleteScript(ctx, id)
	if err != nil {
		return err
	}
	s.removeScriptFiles(id)
	s.dropTurns(ctx, unused(row))
	return nil
}

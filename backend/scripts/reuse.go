package scripts

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
)

// reusable are the generations that the turns of a new version of a script may keep or continue. Each is used once.
type reusable struct {
	all   []backend.Generation // complete or in progress
	begun []backend.Generation // stopped or failed, with finished chunks, or parts that are paid
}

// reusable returns the generations of a script that its turns may use, those of keep after the others.
func (s *Service) reusable(ctx context.Context, script backend.Script, keep []string) (*reusable, error) {
	ids := union(script.Generations, unused(script))
	for _, id := range keep {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	rows, err := s.o.Store.GenerationsByID(ctx, ids, false)
	if err != nil {
		return nil, err
	}
	out := &reusable{}
	for _, id := range ids {
		i := slices.IndexFunc(rows, func(g backend.Generation) bool { return g.ID == id })
		switch {
		case i < 0:
		case s.canKeep(rows[i]):
			out.all = append(out.all, rows[i])
		case generations.CheckRetryable(rows[i]) == nil && (rows[i].Partial != nil || rows[i].Source == backend.SourceHosted):
			out.begun = append(out.begun, rows[i])
		}
	}
	return out, nil
}

// canKeep reports whether a generation has audio, or will have.
func (s *Service) canKeep(g backend.Generation) bool {
	if g.Status != backend.StatusComplete {
		return s.gens.Job(g.ID) != nil
	}
	_, err := os.Stat(g.AudioPath)
	return err == nil
}

// preparing returns how turns are prepared: like those of a new script, but a turn that has a generation needs neither its
// profile nor its model.
func (u *reusable) preparing(s *Service) preparing {
	recorded := func(r generations.Request) (backend.Generation, bool) {
		i := slices.IndexFunc(u.all, func(g backend.Generation) bool { return sameRequest(g, r) })
		if i < 0 {
			return backend.Generation{}, false
		}
		return u.all[i], true
	}
	return preparing{
		profile: func(ctx context.Context, r generations.Request) (backend.Profile, error) {
			p, err := s.gens.Profile(ctx, r)
			if g, ok := recorded(r); ok && backend.CodeOf(err) == backend.CodeProfileNotFound {
				return generations.RecordedProfile(g), nil
			}
			return p, err
		},
		prepare: func(ctx context.Context, r generations.Request, p backend.Profile) (*generations.Job, error) {
			g, ok := recorded(r)
			if ok && p.VoiceType == "" { // its profile was deleted
				return &generations.Job{Row: g}, nil
			}
			if j, err := s.gens.Makers.Prepare(ctx, r, p); !ok || err == nil {
				return j, err
			}
			return &generations.Job{Row: g}, nil
		},
	}
}

// pick returns one of the generations that is the audio of a job, the one with the id wanted before others, and removes it.
func pick(from *[]backend.Generation, j *generations.Job, wanted string) (backend.Generation, bool) {
	same := func(g backend.Generation) bool { return sameSpeech(g, j.Row) }
	i := slices.IndexFunc(*from, func(g backend.Generation) bool { return g.ID == wanted && same(g) })
	if i < 0 {
		i = slices.IndexFunc(*from, same)
	}
	if i < 0 {
		return backend.Generation{}, false
	}
	g := (*from)[i]
	*from = slices.Delete(*from, i, i+1)
	return g, true
}

// sameSpeech reports whether a generation speaks the same words with the same voice as another one is to.
func sameSpeech(old, wanted backend.Generation) bool {
	seed := wanted.Request.Seed
	return old.ProfileID == wanted.ProfileID && old.Text == wanted.Text && old.Source == wanted.Source &&
		old.ModelName == wanted.ModelName && old.Voice == wanted.Voice && old.Language == wanted.Language && old.Speed == wanted.Speed &&
		(seed == nil || *seed == old.Seed) && slices.Equal(old.Request.Dialogue, wanted.Request.Dialogue)
}

// sameRequest is sameSpeech for a request whose profile or model may be gone.
func sameRequest(old backend.Generation, r generations.Request) bool {
	return old.ProfileID == r.ProfileID && old.Text == strings.TrimSpace(r.Text) &&
		(r.Voice == "" || r.Voice == old.ModelName+":"+old.Voice) &&
		(r.Language == "" || r.Language == old.Language) &&
		(r.Speed == nil || *r.Speed == old.Speed) && (r.Seed == nil || *r.Seed == old.Seed)
}

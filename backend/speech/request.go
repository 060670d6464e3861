package speech

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// The limits of a request (docs/contract/decisions.md, section 2).
const (
	MaxTextChars         = 200_000
	DefaultMaxChunkChars = 400
)

// Request is a request for a generation.
type Request struct {
	ProfileID string
	Text      string
	ParentID  *string // the generation that this one regenerates
	Pauses    backend.PauseOptions
	remade    bool     // all options are those of an earlier generation
	former    []string // the parts of the text before it was changed, of a hosted generation
	backend.GenerateOptions
}

// prepare checks a request and returns its job with the row to store.
func (s *Service) prepare(ctx context.Context, r Request, profile backend.Profile) (*job, error) {
	if tag, ok := backend.CanonicalLanguage(r.Language); ok {
		r.Language = tag
	}
	spoken := strings.TrimSpace(r.Text)
	if err := checkText(spoken); err != nil {
		return nil, err
	}
	if id, model, ok := hostedVoice(r, profile); ok {
		if s.maker == nil {
			return nil, errNoHosted
		}
		return s.maker.prepareHosted(ctx, r, profile, id, model)
	}
	if r.GenerateOptions.Pauses == nil && !r.remade {
		r.GenerateOptions.Pauses = new(r.Pauses.Over(s.o.Pauses()))
	}
	if r.Verify == nil && !r.remade && s.o.Verify() {
		r.Verify = new(true)
	}
	p, err := s.synth.newPlan(ctx, spoken, r.GenerateOptions, profile)
	if err != nil {
		return nil, err
	}
	format := or(r.Format, "wav")
	if err := s.o.Encoder.Ready(ctx, format); err != nil {
		return nil, err
	}
	if p.seed = orPointer(r.Seed, -1); p.seed < 0 {
		p.seed = s.o.NewSeed()
	}
	j := newJob(backend.Generation{
		ID: s.o.NewID(), ProfileID: profile.ID, ProfileName: profile.Name, Text: spoken, Language: p.voice.language,
		Seed: p.seed, CreatedAt: s.o.Now().UTC().Truncate(time.Millisecond), Status: backend.StatusQueued,
		Format: format, ModelName: p.voice.model, Engine: p.voice.engine, Voice: p.voice.id, Speed: p.speed,
		Source: backend.SourceLocal, Title: strings.TrimSpace(r.Title), ParentID: r.ParentID,
		Chunks: []backend.Chunk{}, Request: r.GenerateOptions,
	})
	j.plan = p
	return j, nil
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

func orPointer[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

// inTurnOf adds the turn to the location of a validation error.
func inTurnOf(err error, i int) error {
	var invalid *backend.ValidationError
	if !errors.As(err, &invalid) {
		return backend.AsError(err).With("turn", i)
	}
	out := &backend.ValidationError{}
	for _, f := range invalid.Fields {
		if len(f.Loc) > 1 && f.Loc[0] == "body" {
			f.Loc = append([]string{"body", "turns", strconv.Itoa(i)}, f.Loc[1:]...)
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

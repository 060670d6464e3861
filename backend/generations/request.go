package generations

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
)

// Request is a request for a generation.
type Request struct {
	ProfileID string
	Text      string
	ParentID  *string                // the generation that this one regenerates
	remade    bool                   // all options are those of an earlier generation
	pauses    *backend.Pauses        // its pauses; nil where they did not follow the structure of the text
	Former    []string               // the parts of the text before it was changed, of a hosted generation
	Dialogue  []backend.DialogueLine // of a hosted dialogue, which is then the text
	backend.GenerateOptions
}

// Stored returns the request as the row of its generation stores it, with the pauses that were chosen for it.
func (r Request) Stored(pauses *backend.Pauses, voice *backend.HostedVoice) backend.GenerationRequest {
	r.Pauses = backend.PauseOptions{}
	return backend.GenerationRequest{GenerateOptions: r.GenerateOptions, Pauses: pauses, Dialogue: r.Dialogue, HostedVoice: voice}
}

// Prepare checks a request and returns its job with the row to store.
func (s *Service) Prepare(ctx context.Context, r Request, profile backend.Profile) (*Job, error) {
	if tag, ok := backend.CanonicalLanguage(r.Language); ok {
		r.Language = tag
	}
	spoken := strings.TrimSpace(r.Text)
	if err := speech.CheckText(spoken); err != nil {
		return nil, err
	}
	m, err := s.makerOf(r, profile)
	if err != nil {
		return nil, err
	}
	return m.Prepare(ctx, r, profile)
}

// makerOf returns what makes a request. Error: hosted_not_configured.
func (s *Service) makerOf(r Request, profile backend.Profile) (maker, error) {
	if _, _, hosted := HostedVoice(r, profile); !hosted {
		return s.local, nil
	}
	if s.maker == nil {
		return nil, ErrNoHosted
	}
	return s.maker, nil
}

// InTurnOf adds the turn to the location of a validation error.
func InTurnOf(err error, i int) error {
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

package generations

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"github.com/voicewright/voicewright/backend"
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
	Donors    []string               // ids of finished generations whose passages are used, the preferred ones first
	Behind    bool                   // it waits for what is started by hand
	BookID    string                 // the book that it belongs to; empty for none
	backend.GenerateOptions
}

// Stored returns the request as the row of its generation stores it, with the pauses that were chosen for it.
func (r Request) Stored(pauses *backend.Pauses, voice *backend.HostedVoice) backend.GenerationRequest {
	r.Pauses = backend.PauseOptions{}
	return backend.GenerationRequest{
		GenerateOptions: r.GenerateOptions, Pauses: pauses, Dialogue: r.Dialogue, HostedVoice: voice,
		Donors: r.Donors, Behind: r.Behind, BookID: r.BookID,
	}
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

// Profile returns the profile of a request. Error: profile_not_found.
func (s *Service) Profile(ctx context.Context, r Request) (backend.Profile, error) {
	return s.o.Store.Profile(ctx, r.ProfileID)
}

// ProfileOrDefault is Profile; a request without one means the default voice.
func (s *Service) ProfileOrDefault(ctx context.Context, r Request) (backend.Profile, error) {
	if r.ProfileID == "" {
		return backend.Profile{VoiceType: backend.VoiceDefault, Language: cmp.Or(r.Language, "en"), Speed: 1}, nil
	}
	return s.Profile(ctx, r)
}

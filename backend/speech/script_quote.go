package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// QuoteScript returns the price of all turns of a script, planned as SubmitScript does. Errors: those of SubmitScript.
func (s *Scripts) QuoteScript(ctx context.Context, r ScriptRequest) (backend.HostedQuote, error) {
	jobs, err := s.prepareTurns(ctx, r.Turns, preparing{s.gens.profileOrDefault, s.gens.prepare})
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.gens.quote(ctx, speechesOf(jobs), r.AcceptCredits)
}

// QuoteRevision returns the price of the turns that a revision of a script generates, without the parts that are paid. Errors: those
// of ReviseScript.
func (s *Scripts) QuoteRevision(ctx context.Context, id string, r ScriptRequest) (backend.HostedQuote, error) {
	v, err := s.newVersion(ctx, id, r)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	unpaid, err := s.unpaid(ctx, v)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.gens.quote(ctx, unpaid, r.AcceptCredits)
}

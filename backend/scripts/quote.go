package scripts

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
)

// QuoteScript returns the price of all turns of a script, planned as SubmitScript does. Errors: those of SubmitScript.
func (s *Service) QuoteScript(ctx context.Context, r Request) (backend.HostedQuote, error) {
	jobs, err := s.prepareTurns(ctx, r.Turns, preparing{s.gens.ProfileOrDefault, s.gens.Makers.Prepare})
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.gens.Makers.Quote(ctx, generations.SpeechesOf(jobs), r.AcceptCredits)
}

// QuoteRevision returns the price of the turns that a revision of a script generates, without the parts that are paid. Errors: those
// of ReviseScript.
func (s *Service) QuoteRevision(ctx context.Context, id string, r Request) (backend.HostedQuote, error) {
	v, err := s.newVersion(ctx, id, r)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	unpaid, err := s.unpaid(ctx, v)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.gens.Makers.Quote(ctx, unpaid, r.AcceptCredits)
}

package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// QuoteRequest returns the price of a request, planned as Submit does. Local voices cost nothing. A request without a profile
// means the default voice. Errors: those of Submit.
func (s *Service) QuoteRequest(ctx context.Context, r Request) (backend.HostedQuote, error) {
	profile, err := s.profileOrDefault(ctx, r)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	j, err := s.prepare(ctx, r, profile)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.quote(ctx, []*job{j}, r.AcceptCredits)
}

// profile returns the profile of a request. Error: profile_not_found.
func (s *Service) profile(ctx context.Context, r Request) (backend.Profile, error) {
	return s.o.Store.Profile(ctx, r.ProfileID)
}

// profileOrDefault is profile; a request without one means the default voice.
func (s *Service) profileOrDefault(ctx context.Context, r Request) (backend.Profile, error) {
	if r.ProfileID == "" {
		return backend.Profile{VoiceType: backend.VoiceDefault, Language: or(r.Language, "en"), Speed: 1}, nil
	}
	return s.profile(ctx, r)
}

// QuoteScript returns the price of all turns of a script, planned as SubmitScript does. Errors: those of SubmitScript.
func (s *Service) QuoteScript(ctx context.Context, r ScriptRequest) (backend.HostedQuote, error) {
	jobs, err := s.prepareTurns(ctx, r.Turns, s.profileOrDefault)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.quote(ctx, jobs, r.AcceptCredits)
}

// rate is what a price depends on.
type rate struct{ model, provider string }

// quote returns the price of jobs together.
func (s *Service) quote(ctx context.Context, jobs []*job, accepted *int64) (backend.HostedQuote, error) {
	sent := map[rate][]string{}
	var order []rate
	for _, j := range jobs {
		if j.hosted == nil {
			continue
		}
		key := rate{j.hosted.speech.Model, j.hosted.speech.Voice.Provider}
		if _, known := sent[key]; !known {
			order = append(order, key)
		}
		sent[key] = append(sent[key], j.hosted.sent()...)
	}
	total := backend.HostedQuote{Credits: new(int64)}
	for i, key := range order {
		q, err := s.o.Hosted.Quote(ctx, key.model, key.provider, sent[key], accepted)
		if err != nil {
			return total, err
		}
		if i == 0 {
			total = q
			continue
		}
		total.Characters, total.Calls = total.Characters+q.Characters, total.Calls+q.Calls
		total.Warn, total.Ask = total.Warn || q.Warn, total.Ask || q.Ask
		total.Credits, total.Per1000 = sum(total.Credits, q.Credits), nil
	}
	return total, nil
}

// sum returns the sum of two prices, nil where one is unknown.
func sum(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	return new(*a + *b)
}

// checkScript refuses a script whose price together the user wants to be asked for, and turns that the service would refuse.
func (s *Service) checkScript(ctx context.Context, jobs []*job, accepted *int64) error {
	q, err := s.quote(ctx, jobs, accepted)
	if err != nil {
		return err
	}
	if q.Ask {
		return backend.E(backend.CodeHostedConfirm, "The price of this script is one before which you want to be asked.",
			"Accept the price, or raise the setting hosted.ask_credits.").With("credits", q.Credits).With("accepted", accepted)
	}
	for _, j := range jobs {
		if j.hosted == nil {
			continue
		}
		j.hosted.speech.AcceptCredits, j.g.Request.AcceptCredits = accepted, accepted
		if err := s.checkHosted(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

package hosted

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// Check applies the rules of the service to speeches together before the first call is made, so that none is wasted: there is a
// credential, each text is within the model's limit, the plan includes the providers, the user accepts the price of all, and the
// credits suffice for all. accepted is the price that the user has accepted. Errors: hosted_not_configured, offline,
// hosted_not_signed_in, hosted_text_too_long, hosted_paid_access_required, hosted_confirm, hosted_insufficient_credits, those of
// reading the balance.
func (s *Service) Check(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) error {
	if _, err := s.o.Credentials.ready(); err != nil {
		return err
	}
	for _, h := range speeches {
		limit := s.Limit(h.Model)
		for _, t := range textsOf(h) {
			if n := utf8.RuneCountInString(t); n > limit {
				return errTooLong(n, limit)
			}
		}
	}
	start := s.now()
	balance, err := s.balanceForCall(ctx)
	if err != nil {
		return err
	}
	refused := s.allows(speeches, accepted, balance)
	if refused == nil || !balance.ReadAt.Before(start) {
		return refused
	}
	if balance, err = s.Balance(ctx, true); err != nil { // who was refused may have bought a plan or credits since
		return err
	}
	return s.allows(speeches, accepted, balance)
}

// allows applies the rules about plan, price and credits with a balance.
func (s *Service) allows(speeches []backend.HostedSpeech, accepted *int64, balance Balance) error {
	for _, h := range speeches {
		if paidProvider(h.Voice.Provider) && !balance.paid() {
			return errPaidOnly(h.Voice.Name)
		}
	}
	quote, atLeast := s.quote(speeches, accepted)
	switch {
	case quote.Ask:
		return confirm(quote.Credits, accepted)
	case atLeast > balance.Credits:
		return errTooFewCredits(atLeast, balance.Credits)
	}
	return nil
}

// balanceForCall returns a balance of the last minute. Where the plan has ended by this machine's clock, the service is asked to
// check it first, because it refuses calls from then on.
func (s *account) balanceForCall(ctx context.Context) (Balance, error) {
	b, err := s.Balance(ctx, false)
	if err != nil || !s.ended(b) {
		return b, err
	}
	if err := s.renew(ctx); err != nil {
		return Balance{}, client.AsError(err)
	}
	return s.Balance(ctx, false)
}

// textsOf returns what is sent, one text for each call.
func textsOf(h backend.HostedSpeech) []string {
	if len(h.Turns) > 0 {
		var all strings.Builder
		for _, t := range h.Turns {
			all.WriteString(t.Text)
		}
		return []string{all.String()}
	}
	texts := make([]string, len(h.Texts))
	for i, t := range h.Texts {
		texts[i] = t.Text
	}
	return texts
}

// paidProvider reports whether the voices of a provider need a plan or pay-as-you-go credits.
func paidProvider(provider string) bool {
	return slices.Contains([]string{providerA, providerB}, provider)
}

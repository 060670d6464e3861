package hosted

import (
	"context"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// The providers of the contract.
const (
	providerA = "ProviderA"
	providerB = "ProviderB"
)

// The numbers of the contract, and our own limit of texts for models whose limit it does not state.
const (
	v3Rate       = 2100 // credits per 1,000 characters
	v3Limit      = 5000
	defaultLimit = 5000
)

// A price is in 1/10,000 of a credit until it is rounded up: characters x rate / 1,000, times 9/10 with an API key.
const (
	fullTenths = 10
	keyTenths  = 9
	perCredit  = 1000 * 10
)

// Limit returns how many characters a model takes in one call. The contract states that of v3; for all others it is our own.
func (s *Service) Limit(model string) int {
	if model == backend.HostedV3 {
		return v3Limit
	}
	return defaultLimit
}

// rateOf returns the credits for 1,000 characters before the discount, as the service states them, else the contract; ok is false
// where neither does.
func (s *voiceList) rateOf(model, provider string) (credits int64, ok bool) {
	if account, err := s.o.Credentials.account(); err == nil {
		return s.kept(account).rate(model, provider)
	}
	return (*catalogue)(nil).rate(model, provider)
}

// rate is Service.rateOf by a list, which may be nil.
func (c *catalogue) rate(model, provider string) (credits int64, ok bool) {
	if c != nil {
		if credits, ok = c.Prices[model]; ok {
			return credits, true
		}
	}
	if model != backend.HostedV3 || provider != providerA {
		return 0, false
	}
	return v3Rate, true
}

// tenths returns how many tenths of the full price the present credential pays.
func (s *connection) tenths() int64 {
	if at, err := s.o.Credentials.origin(); err == nil && s.o.Credentials.hasKey(at) {
		return keyTenths
	}
	return fullTenths
}

// cost returns the price of one text, rounded up.
func cost(characters int, rate, tenths int64) int64 {
	return (int64(characters)*rate*tenths + perCredit - 1) / perCredit
}

// per1000 returns what the present credential pays for 1,000 characters at a rate, nil where that is unknown.
func (s *connection) per1000(rate int64, known bool) *int64 {
	if !known {
		return nil
	}
	per := cost(1000, rate, s.tenths())
	return &per
}

// Quote returns the price of speeches together. accepted is the price that the user has accepted.
func (s *Service) Quote(_ context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error) {
	q, _ := s.quote(speeches, accepted)
	return q, nil
}

// quote is Quote; atLeast is the price of the speeches whose rate is known.
func (s *Service) quote(speeches []backend.HostedSpeech, accepted *int64) (q backend.HostedQuote, atLeast int64) {
	allKnown, tenths := true, s.tenths()
	for i, h := range speeches {
		rate, known := s.rateOf(h.Model, h.Voice.Provider)
		allKnown = allKnown && known
		for _, t := range textsOf(h) {
			n := utf8.RuneCountInString(t)
			q.Characters, q.Calls = q.Characters+n, q.Calls+1
			atLeast += cost(n, rate, tenths)
		}
		if i == 0 {
			q.Per1000 = s.per1000(rate, known)
		} else if h.Model != speeches[0].Model || h.Voice.Provider != speeches[0].Voice.Provider {
			q.Per1000 = nil
		}
	}
	if allKnown {
		q.Credits = &atLeast
	}
	if b, ok := s.lastBalance(); ok {
		q.Left = &b.Credits
	}
	warn, ask := s.o.Credentials.config.Warn(), s.o.Credentials.config.Ask()
	q.Warn = warn > 0 && atLeast >= warn
	q.Ask = ask > 0 && (!allKnown || atLeast >= ask) && !accepts(accepted, q.Credits)
	return q, atLeast
}

// accepts reports whether a price is within what the user accepted; any acceptance covers an unknown price.
func accepts(accepted, price *int64) bool {
	return accepted != nil && (price == nil || *accepted >= *price)
}

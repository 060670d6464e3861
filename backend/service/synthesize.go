package service

import (
	"context"
	"errors"
	"time"
)

// synthesis speaks texts for credits.
type synthesis struct {
	o       *Config
	calls   *calls
	voices  *catalogue
	speaker *speaker
	files   *storedFiles
	refunds *refunds
}

// Synthesize speaks a text with one voice. The first check that fails answers: fields, voice, length, plan, rate, one at a time,
// credits. Every error but those of the checks before the rate leaves the call counted; none leaves anything charged. A repeat of
// a call with its idempotency key gets the answer of that call instead.
func (s *synthesis) Synthesize(ctx context.Context, caller Caller, q SynthesizeRequest) (Result, error) {
	ctx, end, err := s.calls.begin(ctx)
	if err != nil {
		return Result{}, err
	}
	defer end()
	return s.speakOnce(ctx, caller, newIdempotency(KindSynthesize, q.IdempotencyKey, q.canonical()), func() (call, error) {
		return s.checkSynthesize(ctx, caller, q)
	})
}

// canonical returns the request with the id of its voice as the service writes it.
func (q SynthesizeRequest) canonical() SynthesizeRequest {
	if id, ok := canonicalID(q.Voice); ok {
		q.Voice = id
	}
	return q
}

// checkSynthesize returns the call that a request asks for.
func (s *synthesis) checkSynthesize(ctx context.Context, caller Caller, q SynthesizeRequest) (call, error) {
	switch {
	case blank(q.Text):
		return call{}, errInvalid("The field \"text\" is missing or empty. Send the text to speak.")
	case q.Voice == "":
		return call{}, errInvalid("The field \"voice\" is missing. Send an id from the list of voices.")
	}
	named, err := namedModel(q.TTSModel)
	if err != nil {
		return call{}, err
	}
	v, err := s.voices.voice(ctx, q.Voice)
	if errors.Is(err, ErrNotFound) {
		err = errUnknownVoice("voice")
	}
	if err != nil {
		return call{}, err
	}
	m := serving(v.Provider, named)
	settings, err := q.settings(m, named)
	if err != nil {
		return call{}, err
	}
	return s.newCall(call{
		caller: caller, kind: KindSynthesize, model: m,
		speech: Speech{Turns: []Turn{{Voice: v, Text: q.Text}}, Settings: settings},
	}, q.Options)
}

// settings returns how a model speaks. The fields of v3 count only where the request names v3 and v3 speaks; v3 has no speed.
func (q SynthesizeRequest) settings(m, named Model) (VoiceSettings, error) {
	switch {
	case m.ID != ModelV3:
		speed, err := inRange("speed", q.Speed, 1, minSpeed, maxSpeed)
		return VoiceSettings{Speed: speed}, err
	case named.ID != ModelV3:
		return Options{}.expressive()
	default:
		return q.expressive()
	}
}

// newCall returns c with the rest of its fields, after the checks of format, title, length and plan.
func (s *synthesis) newCall(c call, o Options) (call, error) {
	var err error
	if c.format, err = o.format(); err != nil {
		return call{}, err
	}
	if c.title, err = o.title(); err != nil {
		return call{}, err
	}
	c.started = s.o.Now()
	for _, t := range c.speech.Turns {
		c.characters += length(t.Text)
	}
	account := c.caller.Account
	if err := s.checkLength(c, account); err != nil {
		return call{}, err
	}
	if c.model.Provider.Paid() && !account.Paid() {
		return call{}, errPaidVoice
	}
	c.speech.Priority = account.ActivePlan != Free
	c.credits = Cost(c.characters, s.o.Prices.rate(c.model), c.caller.ByKey())
	return c, nil
}

// checkLength returns nil for a call within the limits of its model, its kind and the plan.
func (s *synthesis) checkLength(c call, account Account) error {
	limit := s.o.Prices.limit(c.model, account.ActivePlan)
	if c.kind == KindDialogue {
		limit = min(limit, MaxDialogue)
	}
	if c.characters > limit {
		return errTooLong(c.characters, limit)
	}
	return nil
}

// call is a synthesis whose checks are done.
type call struct {
	caller     Caller
	kind       string
	model      Model
	speech     Speech
	format     Format
	title      string
	characters int
	credits    int64
	started    time.Time

	idempotency *Idempotency
}

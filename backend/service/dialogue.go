package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// SynthesizeDialogue speaks turns of several voices one after another, with v3. Checks and errors are those of Synthesize.
func (s *synthesis) SynthesizeDialogue(ctx context.Context, caller Caller, q DialogueRequest) (Result, error) {
	ctx, end, err := s.calls.begin(ctx)
	if err != nil {
		return Result{}, err
	}
	defer end()
	return s.speakOnce(ctx, caller, newIdempotency(KindDialogue, q.IdempotencyKey, q.canonical()), func() (call, error) {
		return s.checkDialogue(ctx, caller, q)
	})
}

// canonical returns the request with the ids of its voices as the service writes them.
func (q DialogueRequest) canonical() DialogueRequest {
	q.Turns = slices.Clone(q.Turns)
	for i := range q.Turns {
		if id, ok := canonicalID(q.Turns[i].Voice); ok {
			q.Turns[i].Voice = id
		}
	}
	return q
}

// checkDialogue returns the call that a request asks for.
func (s *synthesis) checkDialogue(ctx context.Context, caller Caller, q DialogueRequest) (call, error) {
	if err := q.complete(); err != nil {
		return call{}, err
	}
	named, err := namedModel(q.TTSModel)
	if err != nil {
		return call{}, err
	}
	turns := make([]Turn, len(q.Turns))
	for i, t := range q.Turns {
		if turns[i], err = s.dialogueTurn(ctx, i, t); err != nil {
			return call{}, err
		}
	}
	m := serving(ProviderA, named)
	if m.ID != ModelV3 {
		return call{}, errInvalid("The field \"ttsModel\" must be %s: no other model speaks dialogues.", ModelV3)
	}
	settings, err := q.expressive()
	if err != nil {
		return call{}, err
	}
	return s.newCall(call{
		caller: caller, kind: KindDialogue, model: m,
		speech: Speech{Turns: turns, Settings: settings},
	}, q.Options)
}

// complete returns nil when the number of turns is right and each has a text and a voice.
func (q DialogueRequest) complete() error {
	if n := len(q.Turns); n < 1 || n > MaxTurns {
		return errInvalid("The field \"turns\" must have 1 to %d turns, not %d.", MaxTurns, n)
	}
	for i, t := range q.Turns {
		switch {
		case blank(t.Text):
			return errInvalid("The field \"turns[%d].text\" is missing or empty. Send a text for each turn.", i)
		case t.Voice == "":
			return errInvalid("The field \"turns[%d].voice\" is missing. Send an id from the list of voices for each turn.", i)
		}
	}
	return nil
}

// dialogueTurn returns turn i with its voice.
func (s *synthesis) dialogueTurn(ctx context.Context, i int, t DialogueTurn) (Turn, error) {
	field := fmt.Sprintf("turns[%d].voice", i)
	v, err := s.voices.voice(ctx, t.Voice)
	switch {
	case errors.Is(err, ErrNotFound):
		return Turn{}, errUnknownVoice(field)
	case err != nil:
		return Turn{}, err
	case v.Provider != ProviderA:
		return Turn{}, errInvalid("The field %q names a voice of %s. Dialogues take voices of %s only.", field, v.Provider, ProviderA)
	}
	return Turn{Voice: v, Text: t.Text}, nil
}

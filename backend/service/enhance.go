package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service/tags"
)

// enhanceTimeout is the time after which the enhancement of a request falls back to the original.
const enhanceTimeout = 10 * time.Second

// errWordsChanged is the failure of an enhancement that changed more than tags.
var errWordsChanged = errors.New("the enhancement changed more than audio tags")

// enhancement inserts audio tags into texts.
type enhancement struct {
	o      *Config
	calls  *calls
	voices *catalogue
}

// Enhance inserts audio tags into a text. A failure returns the original. It is free, but counts as a call.
func (e *enhancement) Enhance(ctx context.Context, caller Caller, q EnhanceRequest) (Enhanced, error) {
	ctx, end, err := e.calls.begin(ctx)
	if err != nil {
		return Enhanced{}, err
	}
	defer end()
	if blank(q.Text) {
		return Enhanced{}, errInvalid("The field \"text\" is missing or empty. Send the text to enhance.")
	}
	v, err := e.enhanceVoice(ctx, "voiceId", q.VoiceID)
	if err != nil {
		return Enhanced{}, err
	}
	if n := length(q.Text); n > MaxEnhance {
		return Enhanced{}, errTooLong(n, MaxEnhance)
	}
	if err := e.countCall(ctx, caller); err != nil {
		return Enhanced{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, enhanceTimeout)
	defer cancel()
	text, fallback := e.enhance(ctx, q.Text, v)
	return Enhanced{Text: text, Original: q.Text, Fallback: fallback}, nil
}

// EnhanceDialogue enhances turns, as one call. fallback is true when a turn has its original text because of a failure.
func (e *enhancement) EnhanceDialogue(
	ctx context.Context, caller Caller, turns []EnhanceTurn,
) (enhanced []EnhanceTurn, fallback bool, err error) {
	ctx, end, err := e.calls.begin(ctx)
	if err != nil {
		return nil, false, err
	}
	defer end()
	voices, err := e.checkEnhanceTurns(ctx, turns)
	if err != nil {
		return nil, false, err
	}
	if err := e.countCall(ctx, caller); err != nil {
		return nil, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, enhanceTimeout)
	defer cancel()
	enhanced = make([]EnhanceTurn, len(turns))
	for i, t := range turns {
		text, failed := e.enhance(ctx, t.Text, voices[i])
		enhanced[i] = EnhanceTurn{ID: t.ID, Text: text}
		fallback = fallback || failed
	}
	return enhanced, fallback, nil
}

// checkEnhanceTurns returns the voice of each turn, nil where it names none.
func (e *enhancement) checkEnhanceTurns(ctx context.Context, turns []EnhanceTurn) ([]*Voice, error) {
	if n := len(turns); n < 1 || n > MaxTurns {
		return nil, errInvalid("The field \"turns\" must have 1 to %d turns, not %d.", MaxTurns, n)
	}
	characters := 0
	for i, t := range turns {
		if blank(t.Text) {
			return nil, errInvalid("The field \"turns[%d].text\" is missing or empty. Send a text for each turn.", i)
		}
		characters += length(t.Text)
	}
	voices := make([]*Voice, len(turns))
	for i, t := range turns {
		v, err := e.enhanceVoice(ctx, fmt.Sprintf("turns[%d].voiceId", i), t.VoiceID)
		if err != nil {
			return nil, err
		}
		voices[i] = v
	}
	if characters > MaxEnhance {
		return nil, errTooLong(characters, MaxEnhance)
	}
	return voices, nil
}

// enhanceVoice returns the voice that a field names, nil where it is empty.
func (e *enhancement) enhanceVoice(ctx context.Context, field, id string) (*Voice, error) {
	if id == "" {
		return nil, nil
	}
	v, err := e.voices.voice(ctx, id)
	if errors.Is(err, ErrNotFound) {
		err = errUnknownVoice(field)
	}
	return &v, err
}

// countCall counts an enhancement in the rate that it shares with speech.
func (e *enhancement) countCall(ctx context.Context, caller Caller) error {
	err := e.o.Store.CountCall(ctx, caller.Account.ID, CallsPerMinute)
	if errors.Is(err, ErrNotFound) {
		return errNoAccount
	}
	return answer(err)
}

// enhance returns a text with tags, or the text itself and fallback when that fails.
func (e *enhancement) enhance(ctx context.Context, text string, v *Voice) (enhanced string, fallback bool) {
	err := backend.Contain(func() (err error) {
		if enhanced, err = e.o.Enhancer.Enhance(ctx, text, v); err != nil {
			return err
		}
		if !tags.OnlyInserted(text, enhanced) {
			return errWordsChanged
		}
		return nil
	})
	if err != nil {
		e.o.logUnlessEnded(ctx, "enhance a text", err)
		enhanced = text
	}
	e.o.Observer.Enhancement(err != nil)
	return enhanced, err != nil
}

package hosted

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

const (
	// answerGrace is how long a cancelled call waits for an answer that is under way.
	answerGrace = 150 * time.Millisecond
	// lostBalance is how long the balance may take after a lost answer.
	lostBalance = 5 * time.Second
	// recordTime is how long the state of a call may take to be stored after a cancel.
	recordTime = 5 * time.Second

	defaultFormat = "mp3_44100_128"
)

// formatOf returns the format of the service's answer.
func formatOf(o backend.HostedOptions) string {
	if o.ResponseFormat == "" {
		return defaultFormat
	}
	return o.ResponseFormat
}

// suffix returns the end of the name of a file in a format.
func suffix(format string) string {
	kind, _, _ := strings.Cut(format, "_")
	return "." + kind
}

// hashOf returns the SHA-256 of all that is sent for a part.
func hashOf(h backend.HostedSpeech, turns []backend.HostedTurn) string {
	sent, _ := json.Marshal(struct { // of plain values: it cannot fail
		Model   string
		Turns   []backend.HostedTurn
		Options backend.HostedOptions
		Format  string
		Speed   float64
	}{h.Model, turns, h.Options, formatOf(h.Options), speedOf(h)})
	sum := sha256.Sum256(sent)
	return hex.EncodeToString(sum[:])
}

// speedOf returns the speed that is sent, 0 for none: v3 has none, and 1 is the service's own.
func speedOf(h backend.HostedSpeech) float64 {
	if h.Model == backend.HostedV3 || h.Speed == 1 {
		return 0
	}
	return h.Speed
}

// pay makes the call of a part. Its state is stored before it, and the address of the audio after it.
func (t *speechTask) pay(ctx context.Context, p *part) error {
	if t.repeatable(p) {
		return t.repeat(ctx, p)
	}
	release, err := t.s.slot(ctx, t.wait)
	if err != nil {
		return backend.AsError(err)
	}
	defer release()
	t.report(nil)
	before := t.s.held()
	if err := t.begin(ctx, p); err != nil {
		return err
	}
	result, err := t.send(ctx, p, false)
	if err != nil {
		return t.fail(ctx, p, err, before)
	}
	t.charge(p, result, before)
	return t.keepAnswer(ctx, p, result)
}

// begin stores that the call of a part is about to be made, and with what it can be repeated.
func (t *speechTask) begin(ctx context.Context, p *part) error {
	body, err := json.Marshal(t.request(p))
	if err != nil {
		return fmt.Errorf("encode a hosted call: %w", err)
	}
	p.key, p.request = t.s.o.NewID(), string(body)
	row := backend.HostedPart{
		GenerationID: t.h.GenerationID, N: p.n, Kind: p.kind, State: backend.HostedSent, Hash: p.hash, Characters: p.characters,
		Quoted: t.price(p, t.s.tenths()), Format: formatOf(t.h.Options),
	}
	if account, err := t.s.o.Credentials.account(); err == nil && t.s.keepsKeys(ctx) {
		row.Key, row.Account, row.Request = p.key, account, p.request
	}
	if row, err = t.s.o.Parts.AddHostedPart(ctx, row); err != nil {
		return err
	}
	t.replace(p, row)
	return nil
}

// price returns the price of a part, nil where it is unknown.
func (t *speechTask) price(p *part, tenths int64) *int64 {
	rate, known := t.s.rateOf(t.h.Model, t.h.Voice.Provider)
	if !known {
		return nil
	}
	price := cost(p.characters, rate, tenths)
	return &price
}

// send sends a part. After a cancel nothing more is sent, and an answer that is under way has answerGrace to arrive. again says that
// it was sent before and its answer was lost.
func (t *speechTask) send(ctx context.Context, p *part, again bool) (result client.SynthesizeResult, err error) {
	patient, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		_ = t.s.o.Sleep(patient, answerGrace)
		cancel()
	})
	defer stop()
	how := client.Sending{
		IdempotencyKey: p.key, Kept: p.row.Key != "", Lost: again, Waiting: t.wait,
		SameAccount: func() bool { return p.row.Account == "" || t.s.isOfAccount(*p.row) },
		Resuming: func() bool {
			t.report(nil)
			return ctx.Err() == nil
		},
	}
	if p.row.Kind == backend.HostedKindDialogue {
		r := client.DialogueRequest{}
		if err := json.Unmarshal([]byte(p.request), &r); err != nil {
			return result, fmt.Errorf("read the request of a hosted call: %w", err)
		}
		r.Sending = how
		return t.s.o.Client.SynthesizeDialogue(patient, r)
	}
	r := client.SynthesizeRequest{}
	if err := json.Unmarshal([]byte(p.request), &r); err != nil {
		return result, fmt.Errorf("read the request of a hosted call: %w", err)
	}
	r.Sending = how
	return t.s.o.Client.Synthesize(patient, r)
}

// request returns what is sent for a part.
func (t *speechTask) request(p *part) any {
	o := t.h.Options
	if p.kind == backend.HostedKindDialogue {
		r := client.DialogueRequest{
			Model: t.h.Model, Stability: o.Stability, SimilarityBoost: o.SimilarityBoost, SpeakerBoost: o.SpeakerBoost,
			LanguageOverride: o.LanguageOverride, ResponseFormat: o.ResponseFormat, Title: t.h.Title,
		}
		for _, turn := range t.h.Turns {
			r.Turns = append(r.Turns, client.DialogueTurn{Voice: turn.Voice, Text: turn.Text})
		}
		return r
	}
	r := client.SynthesizeRequest{
		Text: p.text.Text, Voice: t.h.Voice.ID, Model: t.h.Model, Stability: o.Stability, SimilarityBoost: o.SimilarityBoost,
		SpeakerBoost: o.SpeakerBoost, LanguageOverride: o.LanguageOverride, ResponseFormat: o.ResponseFormat, Title: t.h.Title,
	}
	if speed := speedOf(t.h); speed != 0 {
		r.Speed = &speed
	}
	return r
}

// record stores the state of a call, also after a cancel.
func (t *speechTask) record(ctx context.Context, p *part) error {
	if p.row.State != backend.HostedSent && p.row.State != backend.HostedLost {
		p.row.Request = ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	row, err := t.s.o.Parts.UpdateHostedPart(ctx, *p.row)
	if err == nil {
		p.row = &row
	}
	return err
}

// charge notes what a call cost.
func (t *speechTask) charge(p *part, r client.SynthesizeResult, before holding) {
	tenths := int64(fullTenths)
	if r.Key {
		tenths = keyTenths
	}
	p.row.Credits = t.price(p, tenths)
	left := r.RemainingCredits
	if left == nil {
		return
	}
	if used := before.Credits - *left; p.row.Credits == nil && before.known && used >= 0 {
		p.row.Credits = &used
	}
	t.s.spent(before, *left)
}

// keepAnswer stores the address of the audio.
func (t *speechTask) keepAnswer(ctx context.Context, p *part, r client.SynthesizeResult) error {
	p.row.State, p.row.URL, p.row.Left = backend.HostedAnswered, r.URL, r.RemainingCredits
	err := t.record(ctx, p)
	if backend.CodeOf(err) == backend.CodeGenerationNotFound {
		return err
	}
	if err != nil { // the audio is paid: it is stored with its state if the database can be written again by then
		t.s.o.Log.ErrorContext(ctx, "store the answer of a hosted call", "generation", t.h.GenerationID, "error", err)
	}
	return nil
}

// fail stores what became of a call that brought no audio, and returns its error.
func (t *speechTask) fail(ctx context.Context, p *part, cause error, before holding) error {
	var failed *client.Error
	switch known := errors.As(cause, &failed); {
	case known && failed.Outcome == client.Lost:
		return t.lose(ctx, p, cause, before)
	case known && failed.AudioGone() && p.row.Key != "":
		p.row.State, p.row.Credits = backend.HostedExpired, p.row.Quoted
		return errors.Join(errLinkExpired(), t.record(ctx, p))
	}
	p.row.State, p.row.Credits = backend.HostedRefused, nil
	err := client.AsError(cause)
	if t.done > 0 {
		err = afterPaid(err)
	}
	return errors.Join(err, t.record(ctx, p))
}

// lose stores that the answer of a call was lost, and returns an error that says whether the credits went down.
func (t *speechTask) lose(ctx context.Context, p *part, cause error, before holding) error {
	p.row.State = backend.HostedLost
	err := errAnswerLost(cause, p.row.Key != "")
	if ctx.Err() != nil { // nobody waits for the balance any more
		t.s.refreshBalance()
		return errors.Join(err, t.record(ctx, p))
	}
	recorded := t.record(ctx, p)
	limited, cancel := context.WithTimeout(ctx, lostBalance)
	defer cancel()
	after, readErr := t.s.Balance(limited, true)
	if !before.known || readErr != nil || t.s.held().account != before.account {
		return errors.Join(err, recorded)
	}
	used := max(0, before.Credits-after.Credits)
	p.row.Credits, p.row.Left = &used, &after.Credits
	return errors.Join(withBalance(err, before.Credits, after.Credits, p.row.Key != ""), t.record(ctx, p))
}

// refreshBalance reads the balance in the background.
func (s *account) refreshBalance() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goRun("hosted balance", func(ctx context.Context) { _, _ = s.Balance(ctx, true) })
}

package hosted

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// speechTask is a generation that is being spoken.
type speechTask struct {
	s        *Service
	h        backend.HostedSpeech
	progress func(done, total int, wait *backend.Wait)
	parts    []*part
	rows     []backend.HostedPart // its earlier calls that no part uses
	done     int
}

// part is a text that is sent in one call, or a dialogue.
type part struct {
	n          int
	kind       backend.HostedKind
	text       backend.HostedText // or the turns of the generation
	hash       string
	characters int
	row        *backend.HostedPart // its last call; nil before the first one
	donor      *backend.HostedPart // that has its audio; nil where none has

	key, request string // of its last call: the Idempotency-Key and the body in JSON
}

// in reports whether the last call of a part is in a state.
func (p *part) in(state backend.HostedState) bool { return p.row != nil && p.row.State == state }

// paid reports whether a part needs no further call.
func (p *part) paid() bool { return p.row != nil && isPaid(*p.row) }

// isPaid reports whether the audio of a call is stored, or can be fetched.
func isPaid(row backend.HostedPart) bool {
	return row.State == backend.HostedStored || row.State == backend.HostedAnswered
}

// Speak returns the audio of each text, or of the dialogue. The parts that an earlier attempt of the same generation has paid are
// not sent again, also where the text was changed meanwhile; a part is matched by all that is sent. The rules of Check are
// applied to the others together before the first call. A call whose answer was lost is asked for again where its service keeps the
// answer, else nothing is repeated. progress is called with how many parts are stored, and why the work waits. The
// bill is of all calls for the generation, also after an error.
// Errors: those of Check; hosted_answer_lost with the params credits_before and credits_after; hosted_link_expired, which only the
// next Speak pays again; hosted_unreachable for paid audio that could not be fetched; those of the service.
func (s *Service) Speak(
	ctx context.Context, h backend.HostedSpeech, progress func(done, total int, wait *backend.Wait),
) ([]backend.HostedAudio, backend.HostedBill, error) {
	if !filepath.IsLocal(h.GenerationID) {
		return nil, backend.HostedBill{}, fmt.Errorf("speak hosted: the id %q", h.GenerationID)
	}
	if !s.running.begin(h.GenerationID) {
		return nil, backend.HostedBill{}, errSpeaking
	}
	defer s.running.end(h.GenerationID)
	t := &speechTask{s: s, h: h, progress: progress}
	if err := t.load(ctx); err != nil {
		return nil, backend.HostedBill{}, err
	}
	audio, err := t.speak(ctx)
	return audio, t.bill(), err
}

// Received returns the stored audio of the parts before the first one that is missing, and makes no call. Errors: those of reading
// the earlier calls.
func (s *Service) Received(ctx context.Context, h backend.HostedSpeech) ([]backend.HostedAudio, error) {
	if !s.running.begin(h.GenerationID) {
		return nil, errSpeaking
	}
	defer s.running.end(h.GenerationID)
	t := &speechTask{s: s, h: h}
	if err := t.load(ctx); err != nil {
		return nil, err
	}
	var received []backend.HostedAudio
	for _, p := range t.parts {
		if !p.in(backend.HostedStored) {
			break
		}
		received = append(received, audioOf(p))
	}
	return received, nil
}

// Unpaid returns what Speak would send and pay for. Errors: those of reading the earlier calls.
func (s *Service) Unpaid(ctx context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error) {
	if !s.running.begin(h.GenerationID) {
		return h, errSpeaking
	}
	defer s.running.end(h.GenerationID)
	t := &speechTask{s: s, h: h}
	if err := t.load(ctx); err != nil {
		return h, err
	}
	return t.unpaid(), nil
}

// FetchPaid stores the audio of a generation that is paid and was not fetched, and makes no call but for answers that were lost when
// the program ended last. The bill is of all calls for the generation, also after an error. Errors: those of Speak with FetchOnly,
// such as hosted_answer_lost for such an answer that the service does not keep.
func (s *Service) FetchPaid(ctx context.Context, generationID string) (backend.HostedBill, error) {
	if !s.running.begin(generationID) {
		return backend.HostedBill{}, errSpeaking
	}
	defer s.running.end(generationID)
	rows, err := s.o.Parts.HostedParts(ctx, generationID)
	if err != nil {
		return backend.HostedBill{}, err
	}
	t := &speechTask{s: s, h: backend.HostedSpeech{GenerationID: generationID}, progress: func(int, int, *backend.Wait) {}}
	var missing []error
	for _, row := range rows {
		p := &part{row: &row}
		t.parts = append(t.parts, p)
		if s.running.wasLost(row.Seq) {
			missing = append(missing, t.findLost(ctx, p))
		}
		if p.in(backend.HostedAnswered) {
			missing = append(missing, t.fetch(ctx, p))
		}
	}
	return t.bill(), errors.Join(missing...)
}

// findLost finds an answer that was lost when the program ended. Errors: hosted_answer_lost where it cannot be asked for, those of
// repeat.
func (t *speechTask) findLost(ctx context.Context, p *part) error {
	if !t.repeatable(p) {
		return lostEarlier()
	}
	return t.repeat(ctx, p)
}

// load finds the earlier call of each part.
func (t *speechTask) load(ctx context.Context) error {
	t.parts = partsOf(t.h)
	var moved []backend.HostedPart // calls whose part is not in its place any more
	rows, err := t.s.o.Parts.HostedParts(ctx, t.h.GenerationID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.State == backend.HostedSent { // of a run of the program that ended
			row.State = backend.HostedLost
			if row, err = t.s.o.Parts.UpdateHostedPart(ctx, row); err != nil {
				return err
			}
		}
		if row.N < len(t.parts) && t.parts[row.N].hash == row.Hash {
			t.use(t.parts[row.N], row)
			continue
		}
		moved = append(moved, row)
	}
	for _, row := range moved {
		t.reassign(row)
	}
	for _, p := range t.parts {
		if p.in(backend.HostedStored) {
			if err := t.check(ctx, p); err != nil {
				return err
			}
		}
	}
	return t.findDonors(ctx)
}

// use makes a stored call that of a part, unless it has a better one: one that is paid stays, and one whose answer can be asked for
// gives way to a paid one alone.
func (t *speechTask) use(p *part, row backend.HostedPart) {
	if p.paid() || t.repeatable(p) && !isPaid(row) {
		t.rows = append(t.rows, row)
		return
	}
	t.replace(p, row)
}

// replace makes a call the one of a part.
func (t *speechTask) replace(p *part, row backend.HostedPart) {
	if p.row != nil {
		t.rows = append(t.rows, *p.row)
	}
	p.row = &row
}

// reassign makes a paid call, or one whose answer can be asked for, that of an equal part that has none.
func (t *speechTask) reassign(row backend.HostedPart) {
	if isPaid(row) || t.s.canRepeat(row) {
		for _, p := range t.parts {
			if p.hash == row.Hash && !p.paid() && !t.repeatable(p) {
				t.use(p, row)
				return
			}
		}
	}
	t.rows = append(t.rows, row)
}

func (t *speechTask) speak(ctx context.Context) ([]backend.HostedAudio, error) {
	t.report(nil)
	if t.h.FetchOnly {
		return t.fetchOnly(ctx)
	}
	if unpaid := t.unpaid(); len(unpaid.Texts)+len(unpaid.Turns) > 0 {
		if err := t.s.Check(ctx, []backend.HostedSpeech{unpaid}, unpaid.AcceptCredits); err != nil {
			return nil, err
		}
	}
	for _, p := range t.parts {
		if err := t.own(ctx, p); err != nil {
			return nil, err
		}
		if err := t.store(ctx, p); err != nil {
			return nil, err
		}
	}
	return t.audio(), nil
}

// own makes the audio of a part that of the generation: it is paid already, or copied, or paid now.
func (t *speechTask) own(ctx context.Context, p *part) error {
	switch {
	case p.paid():
		return nil
	case p.donor != nil:
		return t.copyDonor(ctx, p)
	default:
		return t.pay(ctx, p)
	}
}

// unpaid returns what has still to be paid.
func (t *speechTask) unpaid() backend.HostedSpeech {
	unpaid := t.h
	unpaid.Texts = nil
	for _, p := range t.parts {
		switch {
		case t.settled(p) && p.kind == backend.HostedKindDialogue:
			unpaid.Turns = nil
		case !t.settled(p) && p.kind == backend.HostedKindText:
			unpaid.Texts = append(unpaid.Texts, p.text)
		}
	}
	return unpaid
}

// settled reports whether a part needs no further payment: it is paid, or copied, or its lost answer is asked for.
func (t *speechTask) settled(p *part) bool { return p.paid() || p.donor != nil || t.repeatable(p) }

// fetchOnly stores what is paid, and makes no call but for lost answers. Errors: why a part is missing.
func (t *speechTask) fetchOnly(ctx context.Context) ([]backend.HostedAudio, error) {
	var missing []error
	for _, p := range t.parts {
		if err := t.fetchPaid(ctx, p); err != nil {
			missing = append(missing, err)
		}
		if err := ctx.Err(); err != nil {
			return nil, backend.ErrCancelled.WithCause(err)
		}
	}
	if len(missing) > 0 {
		return nil, errors.Join(missing...)
	}
	return t.audio(), nil
}

func (t *speechTask) fetchPaid(ctx context.Context, p *part) error {
	switch {
	case p.paid():
		return t.store(ctx, p)
	case p.in(backend.HostedLost):
		if err := t.findLost(ctx, p); err != nil {
			return err
		}
		return t.store(ctx, p)
	case p.in(backend.HostedExpired):
		return errLinkExpired()
	}
	return errUnsent
}

// audio returns the stored audio of all parts.
func (t *speechTask) audio() []backend.HostedAudio {
	all := make([]backend.HostedAudio, len(t.parts))
	for i, p := range t.parts {
		all[i] = audioOf(p)
	}
	return all
}

func audioOf(p *part) backend.HostedAudio {
	return backend.HostedAudio{Path: p.row.File, Format: p.row.Format, SHA256: p.row.SHA256, Credits: p.row.Credits, From: p.row.CopiedFrom}
}

// report says how many parts are stored, and why the work waits; nil where it does not.
func (t *speechTask) report(wait *backend.Wait) { t.progress(t.done, len(t.parts), wait) }

// wait reports a wait.
func (t *speechTask) wait(w backend.Wait) { t.report(&w) }

// bill returns what all calls of the generation cost. It is unknown where that of a call is, such as one whose answer was lost.
func (t *speechTask) bill() backend.HostedBill {
	rows := t.rows
	for _, p := range t.parts {
		if p.row != nil {
			rows = append(rows, *p.row)
		}
	}
	bill, last := backend.HostedBill{Credits: new(int64)}, int64(0)
	for _, row := range rows {
		if row.State == backend.HostedRefused {
			bill.Refunded = true
			continue
		}
		if row.CopiedFrom != "" {
			continue
		}
		bill.Calls++
		switch {
		case row.Credits == nil:
			bill.Credits = nil
		case bill.Credits != nil:
			sum := *bill.Credits + *row.Credits
			bill.Credits = &sum
		}
		if row.Seq > last && row.Left != nil {
			bill.Left, last = row.Left, row.Seq
		}
	}
	return bill
}

// partsOf returns the parts of a speech.
func partsOf(h backend.HostedSpeech) []*part {
	if len(h.Turns) > 0 {
		characters := 0
		for _, turn := range h.Turns {
			characters += utf8.RuneCountInString(turn.Text)
		}
		return []*part{{kind: backend.HostedKindDialogue, characters: characters, hash: hashOf(h, h.Turns)}}
	}
	parts := make([]*part, len(h.Texts))
	for i, text := range h.Texts {
		parts[i] = &part{
			n: i, kind: backend.HostedKindText, text: text, characters: utf8.RuneCountInString(text.Text),
			hash: hashOf(h, []backend.HostedTurn{{Voice: h.Voice.ID, Text: text.Text}}),
		}
	}
	return parts
}

// fileOf returns the path for the audio of a part.
func (t *speechTask) fileOf(p *part) string {
	return filepath.Join(t.s.partsDir(t.h.GenerationID), filepath.Base(strconv.FormatInt(p.row.Seq, 10)+suffix(p.row.Format)))
}

package hosted

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/tags"
	"github.com/voicewright/voicewright/backend/text"
)

// The limits of one request to enhance.
const (
	enhanceLimit = 2000 // code points, of all turns together
	enhanceTurns = 100
)

// enhanceWait is how long a caller of enhance waits for the rate, without being told, at most. A text of more than ratePerWindow
// requests waits in the middle.
const enhanceWait = 10 * time.Second

// Why a text is returned as it was.
const (
	reasonService = "service" // the service fell back
	reasonWords   = "words"   // the words of its answer differed
)

// EnhanceTurn is a turn to enhance.
type EnhanceTurn struct {
	ID    string
	Text  string
	Voice string // id of a hosted voice, for tags that fit it; may be empty
}

// Enhanced is a text with audio tags.
type Enhanced struct {
	Text     string  `json:"text"`
	Original string  `json:"original"`
	Fallback bool    `json:"fallback" doc:"the text, or a part of a long one, is the original"`
	Reason   *string `json:"reason" enum:"service,words" doc:"why: the service fell back, or its words differed"`
}

// EnhancedTurn is a turn with audio tags.
type EnhancedTurn struct {
	ID string `json:"id"`
	Enhanced
}

// passage is a part of a turn that fits into a request.
type passage struct {
	voice  string
	at     int              // byte of core in the text without our markup
	core   string           // what is sent, without the white space around it
	tags   []tags.Insertion // of the answer
	reason string           // why there are none; empty where the answer was used
}

// work is a turn that is being enhanced.
type work struct {
	turn     EnhanceTurn
	marks    []text.Mark
	passages []*passage
}

// Enhance returns a text with audio tags that the service inserts, in several requests where it is long. Where the words of its
// answer are not those of the text, the original is used. It is free, and counts for the rate: nobody sees its wait, so
// that a long one is an error.
// Errors: hosted_voice_not_found, hosted_not_signed_in, hosted_rate_limited, those of the service.
func (s *enhancer) Enhance(ctx context.Context, t EnhanceTurn) (Enhanced, error) {
	all, err := s.prepareEnhance(ctx, []EnhanceTurn{t})
	if err != nil {
		return Enhanced{}, err
	}
	if err := s.enhanceSoon(len(all[0].passages)); err != nil {
		return Enhanced{}, err
	}
	for _, p := range all[0].passages {
		if err := s.enhance(ctx, p); err != nil {
			return Enhanced{}, err
		}
	}
	return all[0].result(), nil
}

// EnhanceDialogue is Enhance for the turns of a dialogue, as many in one request as fit.
func (s *enhancer) EnhanceDialogue(ctx context.Context, turns []EnhanceTurn) (out []EnhancedTurn, fallback bool, err error) {
	all, err := s.prepareEnhance(ctx, turns)
	if err != nil {
		return nil, false, err
	}
	var passages []*passage
	for _, w := range all {
		passages = append(passages, w.passages...)
	}
	requests := groups(passages)
	if err := s.enhanceSoon(len(requests)); err != nil {
		return nil, false, err
	}
	for _, group := range requests {
		if err := s.enhanceGroup(ctx, group); err != nil {
			return nil, false, err
		}
	}
	out = make([]EnhancedTurn, len(all))
	for i, w := range all {
		out[i] = EnhancedTurn{turns[i].ID, w.result()}
		fallback = fallback || out[i].Fallback
	}
	return out, fallback, nil
}

// prepareEnhance checks voices and credentials before anything is sent, and divides the texts.
func (s *enhancer) prepareEnhance(ctx context.Context, turns []EnhanceTurn) ([]*work, error) {
	if _, err := s.o.Credentials.ready(); err != nil {
		return nil, err
	}
	all := make([]*work, len(turns))
	for i, t := range turns {
		t.Voice = strings.TrimPrefix(t.Voice, backend.HostedEngine+":")
		if t.Voice != "" {
			list, _, err := s.catalogue(ctx, false)
			if err != nil {
				return nil, err
			}
			v, ok := list.voice(t.Voice)
			if !ok {
				return nil, errVoiceNotFound(t.Voice)
			}
			t.Voice = v.ID
		}
		all[i] = newWork(t)
	}
	return all, nil
}

func newWork(t EnhanceTurn) *work {
	w := &work{turn: t}
	plain, marks := text.Extract(t.Text)
	w.marks = marks
	at := 0
	for _, part := range split(plain, enhanceLimit) {
		before, core := trimmed(part)
		w.passages = append(w.passages, &passage{voice: t.Voice, at: at + len(before), core: core})
		at += len(part)
	}
	return w
}

// result inserts the tags into the text. Nothing else of it changes: without them it is the original, code point by code point.
func (w *work) result() Enhanced {
	out := Enhanced{Original: w.turn.Text}
	var all []tags.Insertion
	for _, p := range w.passages {
		for _, tag := range p.tags {
			tag.At += p.at
			all = append(all, tag)
		}
		if p.reason != "" && out.Reason == nil {
			out.Fallback, out.Reason = true, &p.reason
		}
	}
	out.Text = tags.Insert(w.turn.Text, w.marks, all)
	return out
}

// enhanceSoon refuses requests for which the rate has no room soon.
func (s *enhancer) enhanceSoon(requests int) error {
	if d := s.rate.until(requests); d > enhanceWait {
		return errRateLimited(d)
	}
	return nil
}

// enhance enhances one passage.
func (s *enhancer) enhance(ctx context.Context, p *passage) error {
	if p.core == "" {
		return nil
	}
	if err := s.rate.wait(ctx, func(backend.Wait) {}); err != nil {
		return err
	}
	answer, err := s.o.Client.Enhance(ctx, client.EnhanceRequest{Text: p.core, Voice: p.voice})
	if err != nil {
		return client.AsError(err)
	}
	p.use(answer.Text, answer.Fallback)
	return nil
}

// enhanceGroup enhances passages in one request.
func (s *enhancer) enhanceGroup(ctx context.Context, group []*passage) error {
	if err := s.rate.wait(ctx, func(backend.Wait) {}); err != nil {
		return err
	}
	q := client.EnhanceDialogueRequest{}
	for i, p := range group {
		q.Turns = append(q.Turns, client.EnhanceTurn{ID: strconv.Itoa(i + 1), Text: p.core, Voice: p.voice})
	}
	answer, err := s.o.Client.EnhanceDialogue(ctx, q)
	if err != nil {
		return client.AsError(err)
	}
	texts := map[string]string{}
	for _, t := range answer.Turns {
		texts[t.ID] = t.Text
	}
	for i, p := range group {
		enhanced, ok := texts[q.Turns[i].ID]
		p.use(enhanced, !ok || answer.Fallback && enhanced == p.core)
	}
	return nil
}

// use takes over the tags of what the service returned, if its words are those of the passage.
func (p *passage) use(enhanced string, fallback bool) {
	found, same := tags.Added(p.core, strings.TrimSpace(enhanced))
	switch {
	case fallback:
		p.reason = reasonService
	case !same:
		p.reason = reasonWords
	default:
		p.tags = found
	}
}

// groups divides passages in their order into requests.
func groups(all []*passage) [][]*passage {
	var out [][]*passage
	total := 0
	for _, p := range all {
		n := utf8.RuneCountInString(p.core)
		if n == 0 {
			continue
		}
		if len(out) == 0 || total+n > enhanceLimit || len(out[len(out)-1]) == enhanceTurns {
			out, total = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], p)
		total += n
	}
	return out
}

package speech

import (
	"context"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// mostUnread is the number of runs of characters that are looked up in one text, and mostReplaced in one chunk.
const (
	mostUnread   = 200
	mostReplaced = 20
)

// unread finds the characters that a voice skips.
type unread struct {
	s       *Synthesizer
	voice   Voice
	voicing *text.Speaker
	model   engines.Model
	scripts []*unicode.RangeTable
	known   map[string]bool
}

func (s *Synthesizer) newUnread(v Voice, voicing *text.Speaker) *unread {
	u := &unread{s: s, voice: v, voicing: voicing, scripts: text.Scripts(v.Language), known: map[string]bool{}}
	u.model, _ = s.o.Models.Model(v.Model) // an unknown model is reported when it is loaded
	return u
}

// of returns the characters of a written text that are missing from the spoken one.
func (u *unread) of(ctx context.Context, written, spoken string) []string {
	var all []string
	for i, run := range text.Foreign(written, u.scripts, mostUnread) {
		if !strings.Contains(spoken, run) {
			if i < mostReplaced && !u.replaced(written, run) {
				all = append(all, run)
			}
			continue
		}
		lost, ok := u.known[run]
		if !ok && len(u.known) < mostUnread {
			lost = u.lost(ctx, run)
			u.known[run] = lost
		}
		if lost {
			all = append(all, run)
		}
	}
	return all
}

// replaced reports whether words are spoken in place of a run of characters, as in "minus five" for −5: without it other words
// are spoken.
func (u *unread) replaced(written, run string) bool {
	plain := text.Plain(written)
	return spokenWords(u.voicing.Speak(strings.ReplaceAll(plain, run, " ")).Text) != spokenWords(u.voicing.Speak(plain).Text)
}

// spokenWords returns the letters and digits of a text.
func spokenWords(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, s)
}

// lost reports whether the engine does not pronounce a run of characters.
func (u *unread) lost(ctx context.Context, run string) bool {
	lost, err := u.s.o.Unread(ctx, u.model, u.voice.Language, run)
	if err != nil {
		u.s.o.Log.Debug("find out what a voice reads", "error", err)
	}
	return lost
}

package speech

import (
	"context"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// mostUnread bounds what is looked up of one text.
const mostUnread = 200

// unread finds the characters that a voice leaves out.
type unread struct {
	s       *Service
	voice   voice
	voicing *text.Speaker
	model   engines.Model
	scripts []*unicode.RangeTable
	known   map[string]bool
}

func (s *Service) newUnread(v voice, voicing *text.Speaker) *unread {
	u := &unread{s: s, voice: v, voicing: voicing, scripts: text.Scripts(v.language), known: map[string]bool{}}
	u.model, _ = s.o.Models.Model(v.model) // a model that is gone is missed when it is loaded
	return u
}

// of returns what is not heard of a text that becomes spoken.
func (u *unread) of(ctx context.Context, written, spoken string) []string {
	var all []string
	for _, run := range text.Foreign(written, u.scripts, mostUnread) {
		lost, ok := u.known[run]
		if !ok && len(u.known) < mostUnread {
			lost = u.lost(ctx, run, strings.Contains(spoken, run))
			u.known[run] = lost
		}
		if lost {
			all = append(all, run)
		}
	}
	return all
}

// lost reports whether nothing is heard of a run of characters, which the engine gets or which became words before.
func (u *unread) lost(ctx context.Context, run string, kept bool) bool {
	if !kept {
		return !text.Speakable(u.voicing.Speak(run).Text)
	}
	lost, err := u.s.o.Unread(ctx, u.model, u.voice.language, run)
	if err != nil {
		u.s.o.Log.Debug("find out what a voice reads", "error", err)
	}
	return lost
}

package speech

import (
	"context"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// mostUnread is the number of characters that are looked up in one text.
const mostUnread = 200

// unread finds the characters that a voice skips.
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
	u.model, _ = s.o.Models.Model(v.model) // an unknown model is reported when it is loaded
	return u
}

// of returns the characters of a written text that are missing from the spoken one.
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

// lost reports whether a run of characters is not pronounced, by the engine or by the words that replaced it.
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

package maker

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/text"
)

// maxDialogueTurns is how many turns the service takes in one call.
const maxDialogueTurns = 100

// hostedTurn is a turn of a script with a hosted voice of v3.
type hostedTurn struct {
	request    generations.Request
	profile    backend.Profile
	voice      backend.HostedVoice
	characters int // that are sent
}

// writeDialogue sets the turns that are sent. Pauses cannot be made within one call: they are left out.
func writeDialogue(h *generations.HostedPlan, lines []backend.DialogueLine, o text.VerbatimOptions) error {
	o.Limit = 0
	for _, line := range lines {
		script := text.Verbatim(line.Text, o)
		if len(script.Parts) == 0 {
			return speech.ErrNothing
		}
		var parts []string
		for _, p := range script.Parts {
			parts = append(parts, p.Text)
		}
		h.Speech.Turns = append(h.Speech.Turns, backend.HostedTurn{Voice: line.Voice, Text: strings.Join(parts, " ")})
		for _, source := range append(script.Dropped, script.Pauses...) {
			if !slices.Contains(h.Script.Dropped, source) {
				h.Script.Dropped = append(h.Script.Dropped, source)
			}
		}
		for word, spoken := range script.Used {
			if h.Script.Used == nil {
				h.Script.Used = map[string]string{}
			}
			h.Script.Used[word] = spoken
		}
	}
	return nil
}

// Dialogue returns the jobs of a script whose turns all are hosted voices of v3: one for each call. ok is false for
// other scripts.
func (s *Maker) Dialogue(
	ctx context.Context, turns []generations.Request, profiles []backend.Profile,
) (jobs []*generations.Job, ok bool, err error) {
	all := make([]hostedTurn, len(turns))
	for i, r := range turns {
		id, model, hosted := generations.HostedVoice(r, profiles[i])
		if !hosted {
			return nil, false, nil
		}
		v, m, err := s.o.Client.Voice(ctx, id, model)
		if err != nil {
			return nil, false, generations.InTurnOf(err, i)
		}
		if m.ID != backend.HostedV3 {
			return nil, false, nil
		}
		if err := speech.CheckText(strings.TrimSpace(r.Text)); err != nil {
			return nil, false, generations.InTurnOf(err, i)
		}
		alone, err := s.hostedJob(ctx, r, profiles[i], v, m.ID) // it finds what cannot be spoken, and what is sent
		if err != nil {
			return nil, false, generations.InTurnOf(err, i)
		}
		all[i] = hostedTurn{r, profiles[i], v, 0}
		for k, t := range alone.Hosted.Speech.Texts {
			all[i].characters += utf8.RuneCountInString(t.Text) + min(k, 1) // a space instead of the pause
		}
	}
	for _, group := range groups(all, s.o.Client.Limit(backend.HostedV3)) {
		j, err := s.dialogueJob(ctx, group)
		if err != nil {
			return nil, false, err
		}
		jobs = append(jobs, j)
	}
	return jobs, true, nil
}

// groups divides turns into calls within the limits of the service. A turn over the limit is a group of its own.
func groups(all []hostedTurn, limit int) [][]hostedTurn {
	var out [][]hostedTurn
	characters := 0
	for i, t := range all {
		last := len(out) - 1
		if i == 0 || len(out[last]) == maxDialogueTurns || characters+t.characters > limit {
			out, characters = append(out, nil), 0
			last++
		}
		out[last] = append(out[last], t)
		characters += t.characters
	}
	return out
}

// dialogueJob returns the job of turns that are spoken in one call, or of one turn that is too long for a dialogue.
func (s *Maker) dialogueJob(ctx context.Context, group []hostedTurn) (*generations.Job, error) {
	first := group[0]
	r := first.request
	if len(group) == 1 && first.characters > s.o.Client.Limit(backend.HostedV3) {
		return s.hostedJob(ctx, r, first.profile, first.voice, backend.HostedV3)
	}
	var texts []string
	r.Dialogue = nil
	for _, t := range group {
		line := strings.TrimSpace(t.request.Text)
		texts = append(texts, line)
		r.Dialogue = append(r.Dialogue, backend.DialogueLine{
			ProfileID: t.profile.ID, ProfileName: t.profile.Name, Voice: t.voice.ID, Text: line,
		})
	}
	r.Text = strings.Join(texts, "\n")
	return s.hostedJob(ctx, r, first.profile, first.voice, backend.HostedV3)
}

package generations

import (
	"cmp"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/text"
)

// HostedPlan is what a job asks of the hosted service.
type HostedPlan struct {
	Speech backend.HostedSpeech
	Script text.Script // what was taken out of the text, and the pause at its end
	Kept   int         // parts that a changed text keeps
	Spent  *int64      // credits of the parts that are paid; nil where unknown
	From   []string    // the generations that parts were copied from, empty for those that were paid; nil before they are there
}

// ErrNoHosted is the error of a hosted voice without a hosted service.
var ErrNoHosted = backend.E(backend.CodeHostedNotConfigured, "No hosted service is set up.",
	"Choose a profile with a local voice.")

// HostedVoice returns the hosted voice of a request and its model, which may be empty; ok is false for a local voice.
func HostedVoice(r Request, p backend.Profile) (id, model string, ok bool) {
	if name, id, found := strings.Cut(r.Voice, ":"); found && name == backend.HostedEngine {
		return id, r.ModelName, true
	}
	if r.Voice == "" && p.VoiceType == backend.VoiceHosted {
		return p.HostedVoiceID, cmp.Or(r.ModelName, p.HostedModelID), true
	}
	return "", "", false
}

// Of makes the parts those of a generation, so that the ones that it has paid are not paid again.
func (h *HostedPlan) Of(id string) {
	if h != nil {
		h.Speech.GenerationID = id
	}
}

// SpeechesOf returns what the hosted service is to speak for jobs.
func SpeechesOf(jobs []*Job) []backend.HostedSpeech {
	var all []backend.HostedSpeech
	for _, j := range jobs {
		if j.Hosted != nil {
			all = append(all, j.Hosted.Speech)
		}
	}
	return all
}

// Texts returns what each part speaks, as it is shown.
func (h *HostedPlan) Texts() []backend.HostedText {
	if len(h.Speech.Turns) == 0 {
		return h.Speech.Texts
	}
	var lines []string
	for _, t := range h.Speech.Turns {
		lines = append(lines, t.Text)
	}
	return []backend.HostedText{{Text: strings.Join(lines, "\n")}}
}

// ReceiptChunks returns the parts for the receipt. What was left out is listed with the first one.
func (h *HostedPlan) ReceiptChunks(seed int64) []backend.ReceiptChunk {
	var all []backend.ReceiptChunk
	for i, t := range h.Texts() {
		c := backend.ReceiptChunk{Text: t.Text, PauseMS: t.Pause.Milliseconds(), ReceiptTake: backend.ReceiptTake{Spoken: t.Text, Seed: seed}}
		if t.Pause > 0 {
			c.Break = speech.MarkupBreak
		}
		if i < len(h.From) {
			c.From = h.From[i]
		}
		all = append(all, c)
	}
	all[0].Dropped, all[0].Pronounced = h.Script.Dropped, h.Script.Used
	return all
}

// Turns returns how many turns of a script a job speaks.
func (j *Job) Turns() int { return max(1, len(j.Row.Request.Dialogue)) }

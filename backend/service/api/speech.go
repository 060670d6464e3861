package api

import (
	"net/http"

	"github.com/voicewright/voicewright/backend/service"
)

// resultView is the result of a synthesis.
type resultView struct {
	URL              string `json:"url" format:"uri" doc:"the finished audio, for 24 hours"`
	RemainingCredits int64  `json:"remainingCredits"`
	ProjectCreated   bool   `json:"projectCreated"`
}

// speechHandlers speak and enhance texts.
type speechHandlers struct {
	bodies
	service Service
	links   links
}

func (h *speechHandlers) resultView(result service.Result) resultView {
	return resultView{
		URL: h.links.file(result.File.Name), RemainingCredits: result.RemainingCredits, ProjectCreated: result.ProjectCreated,
	}
}

const idempotencyHeader = "Idempotency-Key"

// idempotencyKey returns the key with which a request may be repeated, empty without one.
func idempotencyKey(r *http.Request) (string, error) {
	values := r.Header.Values(idempotencyHeader)
	switch len(values) {
	case 0:
		return "", nil
	case 1:
		return values[0], service.CheckIdempotencyKey(values[0])
	default:
		return "", errBadRequest("The header %s is there twice. Send it once.", idempotencyHeader)
	}
}

// mayRepeat reports whether a request has a key with which it may be a repeat.
func mayRepeat(r *http.Request) bool {
	key, err := idempotencyKey(r)
	return err == nil && key != ""
}

// readCall reads the body and the idempotency key of a call. A caller who may only repeat earlier calls is refused where it can be
// no repeat.
func (h *speechHandlers) readCall(w *response, r *http.Request, caller service.Caller, body any, key *string) error {
	err := h.readJSON(w, r, body, false)
	if err == nil {
		*key, err = idempotencyKey(r)
	}
	if err != nil && caller.Refused != nil {
		return caller.Refused
	}
	return err
}

func (h *speechHandlers) synthesize(w *response, r *http.Request, caller service.Caller) error {
	var q service.SynthesizeRequest
	if err := h.readCall(w, r, caller, &q, &q.IdempotencyKey); err != nil {
		return err
	}
	result, err := h.service.Synthesize(r.Context(), caller, q)
	if err != nil {
		return err
	}
	respond(w, http.StatusOK, h.resultView(result))
	return nil
}

func (h *speechHandlers) synthesizeDialogue(w *response, r *http.Request, caller service.Caller) error {
	var q service.DialogueRequest
	if err := h.readCall(w, r, caller, &q, &q.IdempotencyKey); err != nil {
		return err
	}
	result, err := h.service.SynthesizeDialogue(r.Context(), caller, q)
	if err != nil {
		return err
	}
	respond(w, http.StatusOK, h.resultView(result))
	return nil
}

type (
	enhancedView struct {
		Text     string `json:"text" doc:"the text with audio tags"`
		Original string `json:"original"`
		Fallback bool   `json:"fallback,omitempty" doc:"the enhancement failed and text is the original"`
	}
	enhanceDialogueRequest struct {
		Turns []service.EnhanceTurn `json:"turns" minItems:"1" nullable:"false" doc:"at most 2,000 characters in all"`
	}
	enhancedTurnView struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	enhancedTurnsView struct {
		Turns    []enhancedTurnView `json:"turns" nullable:"false"`
		Fallback bool               `json:"fallback,omitempty" doc:"a turn could not be enhanced and has its original text"`
	}
)

func (h *speechHandlers) enhance(w *response, r *http.Request, caller service.Caller) error {
	var q service.EnhanceRequest
	if err := h.readJSON(w, r, &q, false); err != nil {
		return err
	}
	result, err := h.service.Enhance(r.Context(), caller, q)
	if err != nil {
		return err
	}
	respond(w, http.StatusOK, enhancedView{Text: result.Text, Original: result.Original, Fallback: result.Fallback})
	return nil
}

func (h *speechHandlers) enhanceDialogue(w *response, r *http.Request, caller service.Caller) error {
	var q enhanceDialogueRequest
	if err := h.readJSON(w, r, &q, false); err != nil {
		return err
	}
	for i, turn := range q.Turns {
		if turn.ID == "" {
			return errBadRequest("The field \"turns[%d].id\" is missing or empty. Send an id for each turn, to find it in the answer.", i)
		}
	}
	turns, fallback, err := h.service.EnhanceDialogue(r.Context(), caller, q.Turns)
	if err != nil {
		return err
	}
	view := enhancedTurnsView{Turns: make([]enhancedTurnView, len(turns)), Fallback: fallback}
	for i, turn := range turns {
		view.Turns[i] = enhancedTurnView{ID: turn.ID, Text: turn.Text}
	}
	respond(w, http.StatusOK, view)
	return nil
}

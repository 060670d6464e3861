package httpapi

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/dictation"
)

// dictationHandlers are the routes of dictation.
type dictationHandlers struct {
	service *dictation.Service
}

func (h *dictationHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	get(r, "/dictation", "dictation", "What dictation is doing", h.dictation)
	post(r, "/dictation/start", "start-dictation", "Open the microphone and dictate", h.startDictation, status(http.StatusAccepted),
		describe("Dictation is off until the setting `dictation.enabled` is true: 409 `dictation_off`. "+
			"Where the transcription model is missing, the microphone stays closed: 409 `model_not_downloaded`."))
	post(r, "/dictation/stop", "stop-dictation", "Stop dictating and return the text", h.stopDictation)
	post(r, "/dictation/cancel", "cancel-dictation", "Stop dictating without a text", h.cancelDictation)
	get(r, "/dictation/last", "last-dictation", "The text of the last dictation, which is in memory only", h.lastDictation)
}

type dictationOutput struct {
	Body Dictation
}

type dictatedOutput struct {
	Body DictatedText
}

func (h *dictationHandlers) dictation(context.Context, *struct{}) (*dictationOutput, error) {
	return &dictationOutput{Dictation(h.service.State())}, nil
}

type startDictationInput struct {
	Body *struct {
		Device string `json:"device,omitempty" doc:"id of a microphone of /recordings/devices; absent: the default one"`
		Target string `json:"target,omitempty" enum:"field,clipboard,page" doc:"where the text goes: into the focused text field of any program, onto the clipboard, or only into the answer of stop; absent: the setting dictation.target"`
	} `nameHint:"DictationRequest"`
}

func (h *dictationHandlers) startDictation(ctx context.Context, in *startDictationInput) (*dictationOutput, error) {
	device, target := "", ""
	if in.Body != nil {
		device, target = in.Body.Device, in.Body.Target
	}
	if err := h.service.Start(ctx, device, target); err != nil {
		return nil, err
	}
	return h.dictation(ctx, nil)
}

func (h *dictationHandlers) stopDictation(ctx context.Context, _ *struct{}) (*dictatedOutput, error) {
	text, err := h.service.Stop(ctx)
	return &dictatedOutput{DictatedText(text)}, err
}

func (h *dictationHandlers) cancelDictation(ctx context.Context, _ *struct{}) (*dictationOutput, error) {
	if err := h.service.Cancel(); err != nil {
		return nil, err
	}
	return h.dictation(ctx, nil)
}

func (h *dictationHandlers) lastDictation(context.Context, *struct{}) (*dictatedOutput, error) {
	text, err := h.service.Last()
	return &dictatedOutput{DictatedText(text)}, err
}

// Dictation is what dictation is doing; it is exported for huma.
type Dictation backend.Dictation

// DictatedText is the text of a dictation; it is exported for huma.
type DictatedText backend.DictatedText

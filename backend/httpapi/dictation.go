package httpapi

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
)

func (a *API) dictationRoutes() {
	if a.opts.Dictation == nil {
		return
	}
	get(a, "/dictation", "dictation", "What dictation is doing", a.dictation)
	post(a, "/dictation/start", "start-dictation", "Open the microphone and dictate", a.startDictation, status(http.StatusAccepted),
		describe("Dictation is off until the setting `dictation.enabled` is true: 409 `dictation_off`. "+
			"Where the transcription model is missing, the microphone stays closed: 409 `model_not_downloaded`."))
	post(a, "/dictation/stop", "stop-dictation", "Stop dictating and return the text", a.stopDictation)
	post(a, "/dictation/cancel", "cancel-dictation", "Stop dictating without a text", a.cancelDictation)
	get(a, "/dictation/last", "last-dictation", "The text of the last dictation, which is in memory only", a.lastDictation)
}

type dictationOutput struct {
	Body Dictation
}

type dictatedOutput struct {
	Body DictatedText
}

func (a *API) dictation(context.Context, *struct{}) (*dictationOutput, error) {
	return &dictationOutput{Dictation(a.opts.Dictation.State())}, nil
}

type startDictationInput struct {
	Body *struct {
		Device string `json:"device,omitempty" doc:"id of a microphone of /recordings/devices; absent: the default one"`
		Target string `json:"target,omitempty" enum:"field,clipboard,page" doc:"where the text goes: into the focused text field of any program, onto the clipboard, or only into the answer of stop; absent: the setting dictation.target"`
	} `nameHint:"DictationRequest"`
}

func (a *API) startDictation(ctx context.Context, in *startDictationInput) (*dictationOutput, error) {
	device, target := "", ""
	if in.Body != nil {
		device, target = in.Body.Device, in.Body.Target
	}
	if err := a.opts.Dictation.Start(ctx, device, target); err != nil {
		return nil, err
	}
	return a.dictation(ctx, nil)
}

func (a *API) stopDictation(ctx context.Context, _ *struct{}) (*dictatedOutput, error) {
	text, err := a.opts.Dictation.Stop(ctx)
	return &dictatedOutput{DictatedText(text)}, err
}

func (a *API) cancelDictation(ctx context.Context, _ *struct{}) (*dictationOutput, error) {
	if err := a.opts.Dictation.Cancel(); err != nil {
		return nil, err
	}
	return a.dictation(ctx, nil)
}

func (a *API) lastDictation(context.Context, *struct{}) (*dictatedOutput, error) {
	text, err := a.opts.Dictation.Last()
	return &dictatedOutput{DictatedText(text)}, err
}

// Dictation is what dictation is doing; it is exported for huma.
type Dictation backend.Dictation

// DictatedText is the text of a dictation; it is exported for huma.
type DictatedText backend.DictatedText

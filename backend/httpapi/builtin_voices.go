package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

type builtInVoicesOutput struct {
	Body struct {
		Voices   []backend.ModelVoice `json:"voices" nullable:"false"`
		Variants []backend.ModelVoice `json:"variants" nullable:"false" doc:"other speakers of the first voice; all voices have them, with the same endings of their ids"`
	} `nameHint:"BuiltInVoices"`
}

func (h *modelHandlers) builtInVoices(context.Context, *struct{}) (*builtInVoicesOutput, error) {
	out := &builtInVoicesOutput{}
	out.Body.Voices, out.Body.Variants = h.service.BuiltInVoices()
	return out, nil
}

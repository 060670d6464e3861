package httpapi

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
)

type enhanceInput struct {
	Body struct {
		Text  *string `json:"text,omitempty" minLength:"1" maxLength:"200000" doc:"or turns"`
		Voice string  `json:"voice,omitempty" maxLength:"200" doc:"id of a hosted voice, for tags that fit it"`
		Turns []struct {
			ID    string `json:"id" maxLength:"200"`
			Text  string `json:"text" minLength:"1" maxLength:"200000"`
			Voice string `json:"voice,omitempty" maxLength:"200"`
		} `json:"turns,omitempty" minItems:"1" maxItems:"1000" doc:"of a dialogue"`
	} `nameHint:"HostedEnhanceRequest"`
}

type enhanceOutput struct {
	Body HostedEnhancement
}

// HostedEnhancedTurns are the turns of a dialogue with audio tags; it is exported for huma.
type HostedEnhancedTurns struct {
	Turns    []hosted.EnhancedTurn `json:"turns"`
	Fallback bool                  `json:"fallback" doc:"of one turn at least"`
}

// HostedEnhancement is a text with audio tags, or turns of a dialogue; it is exported for huma.
type HostedEnhancement struct {
	text  *hosted.Enhanced
	turns *HostedEnhancedTurns
}

// Schema describes the two forms.
func (HostedEnhancement) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		huma.SchemaFromType(r, reflect.TypeFor[hosted.Enhanced]()), huma.SchemaFromType(r, reflect.TypeFor[HostedEnhancedTurns]()),
	}}
}

// MarshalJSON writes the form that there is.
func (e HostedEnhancement) MarshalJSON() ([]byte, error) {
	if e.text != nil {
		return json.Marshal(e.text)
	}
	return json.Marshal(e.turns)
}

func (h *hostedHandlers) enhance(ctx context.Context, in *enhanceInput) (*enhanceOutput, error) {
	b := in.Body
	switch {
	case (b.Text == nil) == (len(b.Turns) == 0):
		return nil, backend.Invalid("value_error", "Value error, send either text or turns", "body", "text")
	case b.Text != nil:
		e, err := h.service.Enhance(ctx, hosted.EnhanceTurn{Text: *b.Text, Voice: b.Voice})
		return &enhanceOutput{HostedEnhancement{text: &e}}, err
	}
	turns := make([]hosted.EnhanceTurn, len(b.Turns))
	for i, t := range b.Turns {
		turns[i] = hosted.EnhanceTurn(t)
	}
	enhanced, fallback, err := h.service.EnhanceDialogue(ctx, turns)
	return &enhanceOutput{HostedEnhancement{turns: &HostedEnhancedTurns{enhanced, fallback}}}, err
}

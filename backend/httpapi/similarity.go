package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

type similarityInput struct {
	ProfilePath
	Body *struct {
		ModelName string `json:"model_name,omitempty" maxLength:"64" doc:"of transcription; absent: that of proof-listening"`
	} `nameHint:"SimilarityRequest"`
}

type similarityOutput struct{ Body backend.Similarity }

func (h *profileHandlers) similarity(ctx context.Context, in *similarityInput) (*similarityOutput, error) {
	model := ""
	if in.Body != nil {
		model = in.Body.ModelName
	}
	out, err := h.speech.Proof.Similarity(ctx, string(in.ID), model)
	return &similarityOutput{out}, err
}

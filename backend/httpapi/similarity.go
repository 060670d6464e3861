package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/voiceprints"
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

// voiceHandlers are the routes of voice prints.
type voiceHandlers struct{ service *voiceprints.Service }

func (h *voiceHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	post(r, "/speakers/verify", "verify-speakers", "Measure how well voices are told apart, with recordings of your own", h.verify,
		describe("The folder has a folder for each person. Nothing is stored."))
}

type voiceCheckInput struct {
	Body struct {
		Path string `json:"path" minLength:"1" doc:"a folder on this machine, also as a file: URL, where its bytes are no UTF-8"`
	} `nameHint:"VoiceCheckRequest"`
}

type voiceCheckOutput struct{ Body backend.VoiceCheck }

func (h *voiceHandlers) verify(ctx context.Context, in *voiceCheckInput) (*voiceCheckOutput, error) {
	path, err := localPath(in.Body.Path)
	if err != nil {
		return nil, err
	}
	out, err := h.service.Verify(ctx, path)
	return &voiceCheckOutput{out}, err
}

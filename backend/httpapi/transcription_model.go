package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

type transcriptionModelInput struct {
	Use       string `query:"use" enum:"transcription,verification" default:"transcription" doc:"what it listens to: files, or generated speech"`
	ModelName string `query:"model_name" maxLength:"64" doc:"as in the request"`
	Language  string `query:"language" maxLength:"35" doc:"BCP 47; absent or auto: unknown"`
	Translate bool   `query:"translate" doc:"into English"`
}

// TranscriptionModel is the model that a request would use.
type TranscriptionModel struct {
	ModelName   string `json:"model_name"`
	DisplayName string `json:"display_name"`
	Downloaded  bool   `json:"downloaded" doc:"false: the request would download it"`
	SizeMB      int    `json:"size_mb" doc:"of the download; 0 where it is unknown"`
	Named       bool   `json:"named" doc:"the request or the user's settings name it; else it was chosen"`
}

type transcriptionModelOutput struct{ Body TranscriptionModel }

func (h *transcriptHandlers) transcriptionModel(ctx context.Context, in *transcriptionModelInput) (*transcriptionModelOutput, error) {
	name, named, err := h.listenerOf(in)
	if err != nil {
		return nil, err
	}
	if err := h.models.Installed(name); err != nil && backend.CodeOf(err) != backend.CodeModelNotDownloaded {
		return nil, err
	}
	m, err := h.models.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	return &transcriptionModelOutput{TranscriptionModel{m.ModelName, m.DisplayName, m.Downloaded, m.SizeMB, named}}, nil
}

func (h *transcriptHandlers) listenerOf(in *transcriptionModelInput) (name string, named bool, err error) {
	if in.Language == "auto" {
		in.Language = ""
	}
	if in.Use == "verification" && in.ModelName == "" {
		name, named = h.speech.Proof.VerifierOf(in.Language)
		return name, named, nil
	}
	return h.service.ModelFor(backend.TranscribeOptions{
		ModelName: in.ModelName, Language: in.Language, Translate: in.Translate,
	})
}

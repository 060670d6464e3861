package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/httpapi/openai"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// openAIPrefix begins the paths of the routes in the shape of OpenAI's API, for its clients and programs that use them.
const openAIPrefix = "/v1/"

// openAIHandlers are the routes in OpenAI's shape.
type openAIHandlers struct {
	speech         *studio.Studio
	store          Store
	models         *models.Manager
	export         *export.Service
	settings       *settings.Settings
	transcriptions *transcribe.Service
	forms          *forms
}

func (h *openAIHandlers) routes(r *router) {
	if h.speech == nil || h.store == nil || h.models == nil || h.export == nil || h.settings == nil {
		return
	}
	post(r, "/v1/audio/speech", "openai-speech", "Generate speech, in OpenAI's shape", h.openAISpeech,
		returnsFile("audio/mpeg", "audio/ogg", "audio/aac", "audio/flac", "audio/wav", "audio/pcm", eventType),
		describe("`model` is a model name, `espeak`, or one of OpenAI's names for the default; `voice` is the name or id of a profile, "+
			"a voice of the model, or one of OpenAI's names for the default. pcm is 24 kHz 16-bit little-endian mono."))
	get(r, "/v1/audio/voices", "openai-voices", "List the usable voices, as clients of OpenAI's shape ask for them", h.openAIAudioVoices)
	get(r, "/v1/models", "openai-models", "List the usable models, in OpenAI's shape", h.openAIModels)
	get(r, "/v1/models/{model}", "openai-model", "Get a model, in OpenAI's shape", h.openAIModel)
	if h.transcriptions == nil {
		return
	}
	const about = "A form with the part `file`, as OpenAI's clients send it. With `stream` the text comes as server-sent events."
	returns := returnsFile(jsonType, "text/plain", "application/x-subrip", "text/vtt", eventType)
	post(r, "/v1/audio/transcriptions", "openai-transcription", "Transcribe a file, in OpenAI's shape", h.openAITranscription,
		h.forms.acceptForm(maxUpload, "OpenAITranscriptionRequest"), returns, describe(about))
	post(r, "/v1/audio/translations", "openai-translation", "Translate a file into English text, in OpenAI's shape",
		h.openAITranslation, h.forms.acceptForm(maxUpload, "OpenAITranscriptionRequest"), returns, describe(about))
}

// OpenAIModel is a model in OpenAI's shape.
type OpenAIModel struct {
	ID      string `json:"id"`
	Object  string `json:"object" enum:"model"`
	Created int64  `json:"created" doc:"always 0"`
	OwnedBy string `json:"owned_by"`
}

type openAIModelsOutput struct {
	Body struct {
		Object string        `json:"object" enum:"list"`
		Data   []OpenAIModel `json:"data"`
	} `nameHint:"OpenAIModels"`
}

// openAIModels lists the models that work without a download, and the names that mean the defaults.
func (h *openAIHandlers) openAIModels(ctx context.Context, _ *struct{}) (*openAIModelsOutput, error) {
	out := &openAIModelsOutput{}
	out.Body.Object = "list"
	add := func(names ...string) {
		for _, name := range names {
			out.Body.Data = append(out.Body.Data, OpenAIModel{ID: name, Object: "model", OwnedBy: "voicewright"})
		}
	}
	add(openai.SpeechModels...)
	transcribes := false
	for _, m := range h.models.Status(ctx) {
		transcribes = transcribes || m.Supported && m.Family == registry.Transcription
		if m.Downloaded && m.Supported && m.Family != registry.Speakers { // OpenAI's API has nothing for it
			add(m.ModelName)
		}
	}
	if transcribes {
		add(openai.TranscriptionModels...)
	}
	add(h.models.BuiltIn())
	return out, nil
}

type openAIModelInput struct {
	Model string `path:"model"`
}

type openAIModelOutput struct {
	Body OpenAIModel
}

func (h *openAIHandlers) openAIModel(ctx context.Context, in *openAIModelInput) (*openAIModelOutput, error) {
	list, err := h.openAIModels(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, m := range list.Body.Data {
		if strings.EqualFold(m.ID, in.Model) {
			return &openAIModelOutput{m}, nil
		}
	}
	return nil, backend.E(backend.CodeModelUnknown, "There is no usable model "+in.Model+".", "See /v1/models for all of them.").
		With("model_name", in.Model)
}

// openAIError is the name of OpenAIError in the document.
const openAIError = "OpenAIError"

// OpenAIError is the body of an error in OpenAI's shape.
type OpenAIError struct {
	Body OpenAIErrorDetail `json:"error"`

	status int
	header http.Header
}

// OpenAIErrorDetail says what is wrong.
type OpenAIErrorDetail struct {
	Message string  `json:"message"`
	Type    string  `json:"type" enum:"invalid_request_error,server_error"`
	Param   *string `json:"param" doc:"the field that is wrong"`
	Code    string  `json:"code" doc:"as in the other routes, or the type of a validation error"`
}

// Error returns the sentences.
func (e *OpenAIError) Error() string { return e.Body.Message }

// GetStatus returns the HTTP status.
func (e *OpenAIError) GetStatus() int { return e.status }

// GetHeaders returns headers such as Retry-After.
func (e *OpenAIError) GetHeaders() http.Header { return e.header }

var (
	_ huma.StatusError  = (*OpenAIError)(nil)
	_ huma.HeadersError = (*OpenAIError)(nil)
)

// openAIFields are our names of fields whose names in OpenAI's shape differ.
var openAIFields = map[string]string{"text": "input", "model_name": "model"}

// inShape returns an error in the shape of its route: OpenAI's below /v1/, else as it is.
func inShape(path string, err huma.StatusError) huma.StatusError {
	if !strings.HasPrefix(path, openAIPrefix) {
		return err
	}
	out := &OpenAIError{status: err.GetStatus(), header: http.Header{}}
	out.Body.Message, out.Body.Type = err.Error(), "invalid_request_error"
	if out.status >= http.StatusInternalServerError {
		out.Body.Type = "server_error"
	}
	switch e := err.(type) {
	case *Problem:
		out.Body.Message, out.Body.Code, out.header = e.Detail+" "+e.Remedy, e.Code, e.header
	case *Invalid:
		if len(e.Detail) > 0 {
			first := e.Detail[0]
			name := strings.Join(first.Loc[min(1, len(first.Loc)):], ".")
			if theirs, ok := openAIFields[name]; ok {
				name = theirs
			}
			out.Body.Message, out.Body.Code = first.Msg, first.Type
			if name != "" { // the body itself has none
				out.Body.Message, out.Body.Param = name+": "+first.Msg, &name
			}
		}
	}
	if out.header.Get("Retry-After") == "" {
		out.header.Set("X-Should-Retry", "false") // their clients repeat conflicts and failures otherwise
	}
	return out
}

// openAIAudio are the content types of the formats of speech.
var openAIAudio = map[string]string{
	"mp3": audioTypes[".mp3"], "opus": audioTypes[".opus"], "aac": "audio/aac", "flac": audioTypes[".flac"],
	"wav": audioTypes[".wav"], "pcm": "audio/pcm",
}

// storedFormat returns the format in which a generation is stored whose speech is sent in a format.
func storedFormat(format string) string {
	if format == "pcm" || format == audio.FormatAAC {
		return backend.FormatWAV
	}
	return format
}

// hasModel reports whether there is a model with a name.
func (h *openAIHandlers) hasModel(name string) bool {
	_, err := h.models.Model(name)
	return err == nil
}

package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
)

type modelsOutput struct {
	Body struct {
		Models []ModelStatus `json:"models"`
	} `nameHint:"ModelsStatus"`
}

func modelView(m backend.ModelStatus) ModelStatus { return ModelStatus(m) }

func modelList(list []backend.ModelStatus) *modelsOutput {
	out := &modelsOutput{}
	out.Body.Models = mapAll(list, modelView)
	return out
}

// modelHandlers are the routes of models.
type modelHandlers struct {
	*responder
	service *models.Manager
	folder  ModelsFolder
	events  *events.Streams
}

func (h *modelHandlers) modelsStatus(ctx context.Context, _ *struct{}) (*modelsOutput, error) {
	return modelList(h.service.Status(ctx)), nil
}

type loadedOutput struct {
	Body List[ModelStatus] `nameHint:"LoadedModels"`
}

func (h *modelHandlers) modelsLoaded(ctx context.Context, _ *struct{}) (*loadedOutput, error) {
	list := h.service.Loaded(ctx)
	return &loadedOutput{List[ModelStatus]{Items: mapAll(list, modelView), Total: len(list)}}, nil
}

type modelOutput struct {
	Body ModelStatus
}

func modelAnswer(s backend.ModelStatus, err error) (*modelOutput, error) {
	if err != nil {
		return nil, err
	}
	return &modelOutput{ModelStatus(s)}, nil
}

// ModelPath is the name of a model in a path; it is exported for huma.
type ModelPath struct {
	Name string `path:"name" doc:"model_name"`
}

type modelDetailOutput struct {
	Body ModelDetail
}

func (h *modelHandlers) model(ctx context.Context, in *ModelPath) (*modelDetailOutput, error) {
	d, err := h.service.Detail(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return &modelDetailOutput{ModelDetail{ModelStatus(d.ModelStatus), d.VoicesList, d.Files}}, nil
}

// ModelName is the name of a model in a body; it is exported for huma.
type ModelName struct {
	ModelName string `json:"model_name" minLength:"1" maxLength:"64"`
}

// AcceptLicense is the acceptance of a licence in a body; it is exported for huma.
type AcceptLicense struct {
	AcceptLicense bool `json:"accept_license,omitempty" doc:"accept the model's licence, where it must be accepted first"`
}

type downloadInput struct {
	Body struct {
		ModelName
		AcceptLicense
	} `nameHint:"ModelDownloadRequest"`
}

type downloadOutput struct {
	Status int
	Body   struct {
		ModelName   string                 `json:"model_name"`
		Status      backend.DownloadStatus `json:"status"`
		ProgressURL string                 `json:"progress_url"`
	} `nameHint:"ModelDownloadAccepted"`
}

// downloadModel starts a download, or joins a running one.
func (h *modelHandlers) downloadModel(ctx context.Context, in *downloadInput) (*downloadOutput, error) {
	p, err := h.service.Download(ctx, in.Body.ModelName.ModelName, in.Body.AcceptLicense.AcceptLicense)
	if err != nil {
		return nil, err
	}
	out := &downloadOutput{Status: http.StatusAccepted}
	if p.Status == backend.DownloadComplete {
		out.Status = http.StatusOK
	}
	out.Body.ModelName, out.Body.Status, out.Body.ProgressURL = p.ModelName, p.Status, "/models/progress/"+p.ModelName
	return out, nil
}

type progressOutput struct {
	Body ModelProgress
}

func progressAnswer(p backend.ModelProgress, err error) (*progressOutput, error) {
	if err != nil {
		return nil, err
	}
	return &progressOutput{ModelProgress(p)}, nil
}

func (h *modelHandlers) pauseModel(ctx context.Context, in *ModelPath) (*progressOutput, error) {
	return progressAnswer(h.service.Pause(ctx, in.Name))
}

func (h *modelHandlers) resumeModel(ctx context.Context, in *ModelPath) (*progressOutput, error) {
	return progressAnswer(h.service.Resume(ctx, in.Name))
}

func (h *modelHandlers) cancelModel(ctx context.Context, in *ModelPath) (*progressOutput, error) {
	return progressAnswer(h.service.Cancel(ctx, in.Name))
}

// modelProgress streams the progress records of a model.
func (h *modelHandlers) modelProgress(w http.ResponseWriter, r *http.Request) {
	last, err := h.service.Progress(r.PathValue("name"))
	if err == nil {
		name := last.ModelName
		err = h.events.ServeModel(w, r, name, func() backend.ModelProgress {
			if p, err := h.service.Progress(name); err == nil { // a model that was removed keeps its last state
				last = p
			}
			return last
		})
	}
	if err != nil {
		h.fail(w, r, err)
	}
}

type loadInput struct {
	Body struct {
		ModelName
		AcceptLicense
		Force bool `json:"force,omitempty" doc:"load even if the memory may not suffice"`
	} `nameHint:"ModelLoadRequest"`
}

type loadOutput struct {
	Body backend.ModelLoad
}

func (h *modelHandlers) loadModel(ctx context.Context, in *loadInput) (*loadOutput, error) {
	b := in.Body
	done, err := h.service.Load(ctx, b.ModelName.ModelName, b.AcceptLicense.AcceptLicense, b.Force)
	if err != nil {
		return nil, err
	}
	return &loadOutput{done}, nil
}

// Force is the query value that cancels running work; it is exported for huma.
type Force struct {
	Force bool `query:"force" doc:"cancel the work that runs on the model instead of waiting for it"`
}

type unloadInput struct {
	Force
	Body struct {
		ModelName
	} `nameHint:"ModelUnloadRequest"`
}

// modelSample serves the published sample of a voice.
func (h *modelHandlers) modelSample(w http.ResponseWriter, r *http.Request) {
	s, err := h.service.Sample(r.Context(), r.PathValue("name"), r.PathValue("voice"))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.servePreview(w, r, s.Path, s.Type)
}

type unloadOutput struct {
	Body backend.ModelFreed
}

func (h *modelHandlers) unloadModel(ctx context.Context, in *unloadInput) (*unloadOutput, error) {
	done, err := h.service.Unload(ctx, in.Body.ModelName.ModelName, in.Force.Force)
	if err != nil {
		return nil, err
	}
	return &unloadOutput{done}, nil
}

type deleteModelInput struct {
	ModelPath
	Force
}

type deleteModelOutput struct {
	Body backend.ModelDeleted
}

func (h *modelHandlers) deleteModel(ctx context.Context, in *deleteModelInput) (*deleteModelOutput, error) {
	done, err := h.service.Delete(ctx, in.Name, in.Force.Force)
	if err != nil {
		return nil, err
	}
	return &deleteModelOutput{done}, nil
}

type verifyOutput struct {
	Body backend.ModelVerified
}

func (h *modelHandlers) verifyModel(ctx context.Context, in *ModelPath) (*verifyOutput, error) {
	done, err := h.service.Verify(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return &verifyOutput{done}, nil
}

type importModelInput struct {
	Body struct {
		Path   string `json:"path" minLength:"1" doc:"a file or folder on this machine, also as a file: URL, where its bytes are no UTF-8"`
		Engine string `json:"engine,omitempty" maxLength:"64" doc:"guessed when absent"`
		Name   string `json:"name,omitempty" maxLength:"64" doc:"a-z, 0-9, dot, underscore, hyphen; from the file when absent"`
	} `nameHint:"ModelImportRequest"`
}

func (h *modelHandlers) importModel(ctx context.Context, in *importModelInput) (*modelOutput, error) {
	path, err := localPath(in.Body.Path)
	if err != nil {
		return nil, err
	}
	return modelAnswer(h.service.Import(ctx, path, in.Body.Engine, in.Body.Name))
}

type fillModelInput struct {
	ModelPath
	Body struct {
		Path string `json:"path" minLength:"1" doc:"a file or folder on this machine, also as a file: URL, where its bytes are no UTF-8"`
	} `nameHint:"ModelFilesImport"`
}

// fillModel imports the files of a listed model from disk.
func (h *modelHandlers) fillModel(ctx context.Context, in *fillModelInput) (*modelOutput, error) {
	path, err := localPath(in.Body.Path)
	if err != nil {
		return nil, err
	}
	return modelAnswer(h.service.ImportInto(ctx, in.Name, path))
}

type registerInput struct {
	Body map[string]any `nameHint:"ModelRegistration"`
}

// registerModel registers a voice of a catalogue, or an entry in the format of the registry.
func (h *modelHandlers) registerModel(ctx context.Context, in *registerInput) (*modelOutput, error) {
	if _, ok := in.Body["catalogue"]; !ok {
		e, err := entryIn(in.Body)
		if err != nil {
			return nil, err
		}
		return modelAnswer(h.service.Register(ctx, e))
	}
	var given [2]string
	for i, name := range []string{"catalogue", "key"} {
		value, there := in.Body[name]
		text, isText := value.(string)
		switch {
		case !there:
			return nil, backend.Invalid("missing", "Field required", "body", name)
		case !isText:
			return nil, backend.Invalid("string_type", "Input should be a valid string", "body", name)
		}
		given[i] = text
	}
	return modelAnswer(h.service.RegisterVoice(ctx, given[0], given[1]))
}

// entryIn decodes an entry from a body.
func entryIn(body map[string]any) (registry.Entry, error) {
	if _, ok := body["model_name"]; !ok {
		return registry.Entry{}, backend.Invalid("missing", "Field required", "body", "model_name")
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return registry.Entry{}, err
	}
	e, err := registry.ParseEntry(raw)
	var wrong *registry.FieldError
	if errors.As(err, &wrong) {
		return e, backend.Invalid("value_error", "Value "+wrong.Reason, append([]string{"body"}, fieldPath(wrong.Field)...)...)
	}
	return e, err
}

// fieldPath turns `variants[0].files` into variants, 0, files.
func fieldPath(field string) []string {
	if field == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(field, "[", "."), "]", ""), ".")
}

type catalogueInput struct {
	Engine   string `query:"engine" enum:"piper" default:"piper"`
	Search   string `query:"search" maxLength:"200"`
	Language string `query:"language" maxLength:"35" doc:"en also finds en-US"`
}

type catalogueOutput struct {
	Body List[registry.CatalogueItem] `nameHint:"ModelCatalogue"`
}

func (h *modelHandlers) modelCatalogue(ctx context.Context, in *catalogueInput) (*catalogueOutput, error) {
	items, err := h.service.Catalogue(ctx, in.Engine, in.Search, in.Language)
	if err != nil {
		return nil, err
	}
	return &catalogueOutput{whole(items)}, nil
}

func (h *modelHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	get(r, "/models/status", "models-status", "List models", h.modelsStatus)
	get(r, "/voices/built-in", "built-in-voices", "List the voices of the built-in engine, which need no download", h.builtInVoices)
	get(r, "/models/loaded", "models-loaded", "List loaded models", h.modelsLoaded)
	get(r, "/models/catalogue", "model-catalogue", "List voices that can be registered", h.modelCatalogue)
	get(r, "/models/{name}", "model", "Get a model with its voices", h.model)
	post(r, "/models/download", "download-model", "Start the download of a model, or join one that runs", h.downloadModel,
		status(http.StatusAccepted),
		alsoReturns(http.StatusOK, "Already downloaded", "ModelDownloadAccepted"))
	r.file("/models/progress/{name}", "model-progress", "Download progress as server-sent events",
		h.modelProgress, eventStream, describe("Unnamed messages whose data is a ModelProgress. The first is the current state. "+
			"Only `complete` and `error` end the stream, so it may be opened before the download is started."))
	r.file("/models/{name}/voices/{voice}/sample", "voice-sample", "Published sample of a voice, also of a model that is not downloaded",
		h.modelSample, audioFile())
	post(r, "/models/{name}/pause", "pause-model", "Pause a download", h.pauseModel)
	post(r, "/models/{name}/resume", "resume-model", "Resume a download", h.resumeModel)
	post(r, "/models/{name}/cancel", "cancel-model", "Cancel a download and delete its partial files", h.cancelModel)
	post(r, "/models/{name}/verify", "verify-model", "Verify the files of a model by their checksums", h.verifyModel)
	post(r, "/models/{name}/import", "fill-model", "Import the files of a listed model from disk", h.fillModel)
	post(r, "/models/load", "load-model", "Load a model into memory", h.loadModel)
	post(r, "/models/unload", "unload-model", "Unload a model from memory", h.unloadModel)
	del(r, "/models/{name}", "delete-model", "Delete a downloaded model", h.deleteModel, status(http.StatusOK))
	post(r, "/models/import", "import-model", "Import a model from disk", h.importModel, status(http.StatusCreated))
	post(r, "/models/register", "register-model", "Register a model", h.registerModel, status(http.StatusCreated),
		describe(`Either {"catalogue":"piper","key":"en_US-amy-low"}, or an entry in the format of the registry.`))
	if h.folder != nil {
		get(r, "/models/directory", "models-directory", "Get the models folder", h.modelsDirectory)
		put(r, "/models/directory", "move-models-directory", "Move the models to another folder, or adopt one", h.moveDirectory)
	}
}

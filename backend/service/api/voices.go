package api

import (
	"net/http"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

type (
	voiceView struct {
		ID         string             `json:"id" format:"uuid"`
		Name       string             `json:"name"`
		Gender     string             `json:"gender"`
		Provider   service.ProviderID `json:"provider" enum:"ProviderA,ProviderB,ProviderC"`
		Accent     string             `json:"accent"`
		Language   string             `json:"language"`
		Category   string             `json:"category"`
		PreviewURL string             `json:"preview_url" format:"uri"`
		Metadata   voiceMetadata      `json:"metadata"`
	}
	voiceMetadata struct {
		SupportedModels []string `json:"supported_models" nullable:"false"`
		Engine          string   `json:"engine,omitempty" doc:"that speaks the voice: espeak-ng, which all providers have without models, piper, kokoro or supertonic; absent where another server decides"`
	}
	voicesView struct {
		Voices []voiceView `json:"voices" nullable:"false"`
	}
	favoritesView struct {
		Favorites []voiceView `json:"favorites" nullable:"false"`
	}
	toggleRequest struct {
		VoiceID string `json:"voiceId" format:"uuid"`
	}
	toggledView struct {
		Success   bool `json:"success"`
		Favorited bool `json:"favorited"`
	}
)

// voiceHandlers list voices and models.
type voiceHandlers struct {
	bodies
	service Service
	links   links
	now     func() time.Time
}

func (h *voiceHandlers) voiceViews(voices []service.Voice) []voiceView {
	views := make([]voiceView, len(voices))
	for i, v := range voices {
		views[i] = voiceView{
			ID: v.ID, Name: v.Name, Gender: v.Gender, Provider: v.Provider, Accent: v.Accent, Language: v.Language,
			Category: v.Category, PreviewURL: h.links.preview(v.ID),
			Metadata: voiceMetadata{SupportedModels: h.service.SupportedModels(v), Engine: v.Engine},
		}
	}
	return views
}

func (h *voiceHandlers) voices(w *response, r *http.Request, _ service.Caller) error {
	voices, err := h.service.Voices(r.Context())
	if err != nil {
		return err
	}
	respond(w, http.StatusOK, voicesView{Voices: h.voiceViews(voices)})
	return nil
}

func (h *voiceHandlers) filters(w *response, r *http.Request, _ service.Caller) error {
	f, err := h.service.Filters(r.Context())
	if err != nil {
		return err
	}
	respond(w, http.StatusOK, f)
	return nil
}

func (h *voiceHandlers) favorites(w *response, r *http.Request, caller service.Caller) error {
	voices, err := h.service.Favourites(r.Context(), caller)
	if err != nil {
		return err
	}
	respond(w, http.StatusOK, favoritesView{Favorites: h.voiceViews(voices)})
	return nil
}

func (h *voiceHandlers) toggleFavorite(w *response, r *http.Request, caller service.Caller) error {
	var q toggleRequest
	if err := h.readJSON(w, r, &q, false); err != nil {
		return err
	}
	if q.VoiceID == "" {
		return errBadRequest("The field \"voiceId\" is missing. Send the id of a voice from the list of voices.")
	}
	favorited, err := h.service.ToggleFavourite(r.Context(), caller, q.VoiceID)
	if err != nil {
		return err
	}
	respond(w, http.StatusOK, toggledView{Success: true, Favorited: favorited})
	return nil
}

type (
	modelsView struct {
		Version   string         `json:"version"`
		Timestamp instant        `json:"timestamp"`
		Models    []modelView    `json:"models" nullable:"false"`
		Metadata  modelsMetadata `json:"metadata"`
	}
	modelView struct {
		ID           string             `json:"id"`
		Name         string             `json:"name"`
		Provider     service.ProviderID `json:"provider" enum:"ProviderA,ProviderB,ProviderC"`
		Description  string             `json:"description"`
		Category     string             `json:"category"`
		PlanRequired *string            `json:"planRequired" doc:"pro, or null: usable on every plan"`
	}
	modelsMetadata struct {
		Total      int      `json:"total"`
		Categories []string `json:"categories" nullable:"false"`
		Note       string   `json:"note"`
	}
)

// modelsVersion is the version of the list of models.
const modelsVersion = "1"

func (h *voiceHandlers) models(w *response, _ *http.Request, _ service.Caller) error {
	models := h.service.Models()
	view := modelsView{
		Version: modelsVersion, Timestamp: instant(h.now()), Models: make([]modelView, len(models)),
		Metadata: modelsMetadata{Total: len(models), Categories: []string{}},
	}
	for i, m := range models {
		view.Models[i] = modelView{
			ID: m.ID, Name: m.Name, Provider: m.Provider, Description: m.Description, Category: m.Category,
			PlanRequired: (*string)(m.PlanRequired),
		}
		if !slices.Contains(view.Metadata.Categories, m.Category) {
			view.Metadata.Categories = append(view.Metadata.Categories, m.Category)
		}
	}
	respond(w, http.StatusOK, view)
	return nil
}

type (
	pricesView struct {
		Prices []priceView `json:"prices" nullable:"false"`
	}
	priceView struct {
		Model          string `json:"model"`
		CreditsPer1000 int64  `json:"creditsPer1000" doc:"for 1,000 characters, less 10 % with an API key"`
	}
)

func (h *voiceHandlers) prices(w *response, _ *http.Request, _ service.Caller) error {
	models := h.service.Models()
	view := pricesView{Prices: make([]priceView, len(models))}
	for i, m := range models {
		view.Prices[i] = priceView{m.ID, m.Rate}
	}
	respond(w, http.StatusOK, view)
	return nil
}

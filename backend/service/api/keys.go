package api

import (
	"net/http"

	"github.com/voicewright/voicewright/backend/service"
)

type (
	keyView struct {
		ID         string   `json:"id" format:"uuid"`
		KeyPrefix  string   `json:"keyPrefix"`
		Name       string   `json:"name"`
		CreatedAt  instant  `json:"createdAt"`
		LastUsedAt *instant `json:"lastUsedAt" nullable:"true" doc:"null until the first use"`
		RevokedAt  *instant `json:"revokedAt" nullable:"true" doc:"null while active"`
	}
	createKeyRequest struct {
		Name string `json:"name,omitempty" maxLength:"100"`
	}
	createdKeyView struct {
		Success bool    `json:"success"`
		Key     string  `json:"key" doc:"the key, which is shown only now"`
		APIKey  keyView `json:"apiKey"`
	}
	keysView struct {
		Success bool      `json:"success"`
		APIKeys []keyView `json:"apiKeys" nullable:"false" doc:"active and revoked"`
	}
	successView struct {
		Success bool `json:"success"`
	}
)

func viewOfKey(k service.Key) keyView {
	return keyView{
		ID: k.ID, KeyPrefix: k.Prefix, Name: k.Name, CreatedAt: instant(k.CreatedAt),
		LastUsedAt: optionalInstant(k.LastUsedAt), RevokedAt: optionalInstant(k.RevokedAt),
	}
}

// keyHandlers manage API keys.
type keyHandlers struct {
	bodies
	service Service
}

func (h *keyHandlers) createKey(w *response, r *http.Request, caller service.Caller) error {
	var q createKeyRequest
	if err := h.readJSON(w, r, &q, true); err != nil {
		return err
	}
	key, record, err := h.service.CreateKey(r.Context(), caller, q.Name)
	if err != nil {
		return err
	}
	respond(w, http.StatusCreated, createdKeyView{Success: true, Key: key, APIKey: viewOfKey(record)})
	return nil
}

func (h *keyHandlers) keys(w *response, r *http.Request, caller service.Caller) error {
	keys, err := h.service.Keys(r.Context(), caller)
	if err != nil {
		return err
	}
	view := keysView{Success: true, APIKeys: make([]keyView, len(keys))}
	for i, k := range keys {
		view.APIKeys[i] = viewOfKey(k)
	}
	respond(w, http.StatusOK, view)
	return nil
}

func (h *keyHandlers) revokeKey(w *response, r *http.Request, caller service.Caller) error {
	if err := h.service.RevokeKey(r.Context(), caller, r.PathValue("id")); err != nil {
		return err
	}
	respond(w, http.StatusOK, successView{Success: true})
	return nil
}

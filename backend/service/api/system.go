package api

import (
	"net/http"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
)

// healthView is the answer of health checks.
type healthView struct {
	Status  string `json:"status" enum:"ok"`
	Version string `json:"version"`
}

func (a *API) health(w *response, _ *http.Request, _ service.Caller) error {
	respond(w, http.StatusOK, healthView{Status: "ok", Version: a.version})
	return nil
}

func (a *API) ready(w *response, r *http.Request, _ service.Caller) error {
	if err := a.service.Ready(r.Context()); err != nil {
		return err
	}
	return a.health(w, r, service.Caller{})
}

// wellKnownView is how a client signs in, and what it may rely on.
type wellKnownView struct {
	backend.Login
	IdempotencyKey bool `json:"idempotency_key" doc:"calls of speech take the header Idempotency-Key, so a lost answer can be asked for again"`
}

func (a *API) wellKnown(w *response, _ *http.Request, _ service.Caller) error {
	if a.login.Issuer == "" {
		return &service.Error{Status: http.StatusNotFound, Sentence: "This service has no issuer to sign in with. Use an API key."}
	}
	respond(w, http.StatusOK, wellKnownView{Login: a.login, IdempotencyKey: true})
	return nil
}

func (a *API) serveOpenAPI(w *response, _ *http.Request, _ service.Caller) error {
	respondBytes(w, http.StatusOK, a.openAPI)
	return nil
}

func (a *API) serveMetrics(w *response, r *http.Request, _ service.Caller) error {
	a.metrics.ServeHTTP(w, r)
	return nil
}

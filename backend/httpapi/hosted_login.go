package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/signin"
)

// signInHandlers are the routes of the sign-in to the hosted service.
type signInHandlers struct {
	service *signin.Manager
}

func (h *signInHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	post(r, "/hosted/login", "hosted-login", "Sign in to the hosted service in the browser", h.hostedLogin, status(http.StatusAccepted),
		describe("The address is also opened in the browser of this machine, if it has one. A sign-in ends after 2 minutes; a new one "+
			"replaces it. `GET /hosted/status` and the event `hosted` say how it goes."))
	del(r, "/hosted/login", "cancel-hosted-login", "Cancel the sign-in that is in progress", h.cancelHostedLogin)
	post(r, "/hosted/login/finish", "finish-hosted-login", "Complete the sign-in with the address at which the browser ended",
		h.finishHostedLogin, status(http.StatusNoContent),
		describe("For a browser on another machine, which cannot reach 127.0.0.1 of this one."))
	post(r, "/hosted/logout", "hosted-logout", "Sign out of the hosted service; the API key stays", h.hostedLogout,
		status(http.StatusNoContent),
		alsoReturns(http.StatusOK, "Signed out on this machine only: the sign-in server could not be told", "HostedLogout"))
}

type hostedLoginInput struct {
	Body *struct {
		Browser *bool `json:"browser,omitempty" doc:"false: open no browser on this machine; absent: true"`
	} `nameHint:"HostedLoginRequest"`
}

type hostedLoginOutput struct {
	Body struct {
		URL       string    `json:"authorization_url" doc:"to open in a browser"`
		ExpiresAt time.Time `json:"expires_at" doc:"when the sign-in ends"`
	} `nameHint:"HostedLogin"`
}

func (h *signInHandlers) hostedLogin(ctx context.Context, in *hostedLoginInput) (*hostedLoginOutput, error) {
	browser := in.Body == nil || in.Body.Browser == nil || *in.Body.Browser
	address, err := h.service.Start(ctx, browser)
	if err != nil {
		return nil, err
	}
	out := &hostedLoginOutput{}
	out.Body.URL, out.Body.ExpiresAt = address, h.service.State().Expires.UTC()
	return out, nil
}

func (h *signInHandlers) cancelHostedLogin(context.Context, *struct{}) (*struct{}, error) {
	return nil, h.service.Cancel()
}

type finishHostedLoginInput struct {
	Body struct {
		URL string `json:"url" minLength:"1" maxLength:"20000" doc:"the address, or what follows ? in it"`
	} `nameHint:"HostedLoginFinish"`
}

func (h *signInHandlers) finishHostedLogin(ctx context.Context, in *finishHostedLoginInput) (*struct{}, error) {
	return nil, h.service.Finish(ctx, in.Body.URL)
}

// HostedLogout is a sign-out of which the sign-in server could not be told; it is exported for huma.
type HostedLogout struct {
	Notice backend.Failure `json:"notice" doc:"why it could not be told"`
}

type hostedLogoutOutput struct {
	Status int
	Body   *HostedLogout
}

func (h *signInHandlers) hostedLogout(ctx context.Context, _ *struct{}) (*hostedLogoutOutput, error) {
	notice, err := h.service.SignOut(ctx)
	if err != nil {
		return nil, err
	}
	if notice == nil {
		return &hostedLogoutOutput{Status: http.StatusNoContent}, nil
	}
	return &hostedLogoutOutput{Status: http.StatusOK, Body: &HostedLogout{*backend.FailureOf(notice)}}, nil
}

package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
)

func (a *API) hostedLoginRoutes() {
	if a.opts.SignIn == nil {
		return
	}
	post(a, "/hosted/login", "hosted-login", "Sign in to the hosted service in the browser", a.hostedLogin, status(http.StatusAccepted),
		describe("The address is also opened in the browser of this machine, if it has one. A sign-in ends after 2 minutes; a new one replaces it. "+
			"`GET /hosted/status` and the event `hosted` say how it goes."))
	del(a, "/hosted/login", "cancel-hosted-login", "Cancel the sign-in that is in progress", a.cancelHostedLogin)
	post(a, "/hosted/login/finish", "finish-hosted-login", "Complete the sign-in with the address at which the browser ended", a.finishHostedLogin,
		status(http.StatusNoContent), describe("For a browser on another machine, which cannot reach 127.0.0.1 of this one."))
	post(a, "/hosted/logout", "hosted-logout", "Sign out of the hosted service; the API key stays", a.hostedLogout, status(http.StatusNoContent),
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

func (a *API) hostedLogin(ctx context.Context, in *hostedLoginInput) (*hostedLoginOutput, error) {
	browser := in.Body == nil || in.Body.Browser == nil || *in.Body.Browser
	address, err := a.opts.SignIn.Start(ctx, browser)
	if err != nil {
		return nil, err
	}
	out := &hostedLoginOutput{}
	out.Body.URL, out.Body.ExpiresAt = address, a.opts.SignIn.State().Expires.UTC()
	return out, nil
}

func (a *API) cancelHostedLogin(context.Context, *struct{}) (*struct{}, error) {
	return nil, a.opts.SignIn.Cancel()
}

type finishHostedLoginInput struct {
	Body struct {
		URL string `json:"url" minLength:"1" maxLength:"20000" doc:"the address, or what follows ? in it"`
	} `nameHint:"HostedLoginFinish"`
}

func (a *API) finishHostedLogin(ctx context.Context, in *finishHostedLoginInput) (*struct{}, error) {
	return nil, a.opts.SignIn.Finish(ctx, in.Body.URL)
}

// HostedLogout is a sign-out of which the sign-in server could not be told; it is exported for huma.
type HostedLogout struct {
	Notice backend.Failure `json:"notice" doc:"why it could not be told"`
}

type hostedLogoutOutput struct {
	Status int
	Body   *HostedLogout
}

func (a *API) hostedLogout(ctx context.Context, _ *struct{}) (*hostedLogoutOutput, error) {
	notice, err := a.opts.SignIn.SignOut(ctx)
	if err != nil {
		return nil, err
	}
	if notice == nil {
		return &hostedLogoutOutput{Status: http.StatusNoContent}, nil
	}
	return &hostedLogoutOutput{Status: http.StatusOK, Body: &HostedLogout{*backend.FailureOf(notice)}}, nil
}

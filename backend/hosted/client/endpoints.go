package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const api = "/api/v1"

// Synthesize speaks a text and returns the link of its audio. It is paid: after an error whose Outcome is Lost it may have been
// charged. With Kept it is sent again then, and such an error says that no attempt was answered.
func (c *Client) Synthesize(ctx context.Context, r SynthesizeRequest) (SynthesizeResult, error) {
	return c.synthesize(ctx, call{path: "/tts/synthesize", body: r, sending: r.Sending})
}

// SynthesizeDialogue speaks a dialogue and returns the link of its audio. It is paid as Synthesize is.
func (c *Client) SynthesizeDialogue(ctx context.Context, r DialogueRequest) (SynthesizeResult, error) {
	return c.synthesize(ctx, call{path: "/tts/synthesize-dialogue", body: r, sending: r.Sending})
}

func (c *Client) synthesize(ctx context.Context, k call) (SynthesizeResult, error) {
	var out SynthesizeResult
	k.method, k.speech = http.MethodPost, true
	k.check = func() string {
		if u, err := url.Parse(out.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return "the link of the audio is missing or not an http or https address"
		}
		return ""
	}
	used, err := c.do(ctx, k, &out)
	out.Key = used.Key != ""
	return out, err
}

// Enhance inserts audio tags into a text of at most 2,000 characters.
func (c *Client) Enhance(ctx context.Context, r EnhanceRequest) (EnhanceResult, error) {
	var out EnhanceResult
	_, err := c.do(ctx, call{
		method: http.MethodPost, path: "/tts/enhance", body: r, free: true, sending: Sending{Waiting: r.Waiting},
		check: func() string { return need(out.Text == "", "text") },
	}, &out)
	return out, err
}

// EnhanceDialogue inserts audio tags into turns of at most 2,000 characters together.
func (c *Client) EnhanceDialogue(ctx context.Context, r EnhanceDialogueRequest) (EnhanceDialogueResult, error) {
	var out EnhanceDialogueResult
	_, err := c.do(ctx, call{
		method: http.MethodPost, path: "/tts/enhance-dialogue", body: r, free: true, sending: Sending{Waiting: r.Waiting},
		check: func() string { return need(out.Turns == nil, "turns") },
	}, &out)
	return out, err
}

// voice is a voice as the service describes it.
type voice struct {
	backend.HostedVoice
	Metadata struct {
		Models []string `json:"supported_models"`
		Engine any      `json:"engine"` // of our own service a string
	} `json:"metadata"`
}

// Voices returns the active voices; Favorite is not set.
func (c *Client) Voices(ctx context.Context) ([]backend.HostedVoice, error) {
	var out struct {
		Voices []voice `json:"voices"`
	}
	_, err := c.do(ctx, call{path: "/tts/voices", check: func() string { return checkVoices("voices", out.Voices) }}, &out)
	return hostedVoices(out.Voices, false), err
}

// Favorites returns the favourite voices.
func (c *Client) Favorites(ctx context.Context) ([]backend.HostedVoice, error) {
	var out struct {
		Voices []voice `json:"favorites"`
	}
	_, err := c.do(ctx, call{path: "/tts/favorites", check: func() string { return checkVoices("favorites", out.Voices) }}, &out)
	return hostedVoices(out.Voices, true), err
}

func checkVoices(field string, voices []voice) string {
	if voices == nil {
		return need(true, field)
	}
	for _, v := range voices {
		if v.ID == "" || v.Provider == "" {
			return "a voice has no id or no provider"
		}
	}
	return ""
}

func hostedVoices(voices []voice, favorite bool) []backend.HostedVoice {
	out := make([]backend.HostedVoice, 0, len(voices))
	for _, v := range voices {
		h := v.HostedVoice
		h.Models, h.Favorite = v.Metadata.Models, favorite
		h.Engine, _ = v.Metadata.Engine.(string)
		if h.Models == nil {
			h.Models = []string{}
		}
		out = append(out, h)
	}
	return out
}

// ToggleFavorite adds a voice to the favourites or removes it, and reports whether it is one now.
func (c *Client) ToggleFavorite(ctx context.Context, voiceID string) (bool, error) {
	var out struct {
		Favorited *bool `json:"favorited"`
	}
	body := struct {
		VoiceID string `json:"voiceId"`
	}{voiceID}
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/tts/favorites/toggle", body: body, check: func() string {
		return need(out.Favorited == nil, "favorited")
	}}, &out)
	return err == nil && *out.Favorited, err
}

// Filters returns the values that voices have.
func (c *Client) Filters(ctx context.Context) (Filters, error) {
	var out Filters
	_, err := c.do(ctx, call{path: "/tts/filters"}, &out)
	return out, err
}

// model is a speech model as the service describes it.
type model struct {
	ID           string  `json:"id"`
	Name         string  `json:"name"`
	Provider     string  `json:"provider"`
	Description  string  `json:"description"`
	Category     string  `json:"category"`
	PlanRequired *string `json:"planRequired"`
}

// Models returns the speech models in the order of the service.
func (c *Client) Models(ctx context.Context) ([]backend.HostedModel, error) {
	var out struct {
		Models []model `json:"models"`
	}
	_, err := c.do(ctx, call{path: "/tts/models", check: func() string {
		for _, m := range out.Models {
			if m.ID == "" || m.Provider == "" {
				return "a model has no id or no provider"
			}
		}
		return need(out.Models == nil, "models")
	}}, &out)
	models := make([]backend.HostedModel, 0, len(out.Models))
	for _, m := range out.Models {
		models = append(models, backend.HostedModel(m))
	}
	return models, err
}

// maxRate is the highest price per 1,000 characters that is taken from a service, in credits.
const maxRate = 1_000_000_000

// Prices returns the credits for 1,000 characters by model, before the discount of an API key. They are no part of the contract:
// a service without them has the answer 404, which is an empty result.
func (c *Client) Prices(ctx context.Context) (map[string]int64, error) {
	var out struct {
		Prices []struct {
			Model   string `json:"model"`
			Per1000 int64  `json:"creditsPer1000"`
		} `json:"prices"`
	}
	_, err := c.do(ctx, call{path: "/tts/prices"}, &out)
	var failed *Error
	if errors.As(err, &failed) && failed.Status == http.StatusNotFound {
		return nil, nil
	}
	prices := make(map[string]int64, len(out.Prices))
	for _, p := range out.Prices {
		if p.Per1000 > 0 && p.Per1000 <= maxRate {
			prices[p.Model] = p.Per1000
		}
	}
	return prices, err
}

// Credits returns the balance and the plan.
func (c *Client) Credits(ctx context.Context) (Credits, error) {
	out := struct {
		Credits
		Left *int64 `json:"credits"` // hides that of Credits, so that an absent one is seen
	}{}
	_, err := c.do(ctx, call{path: "/user/credits", check: func() string { return need(out.Left == nil || out.Plan == "", "credits") }}, &out)
	if err == nil {
		out.Credits.Credits = *out.Left
	}
	return out.Credits, err
}

// CheckRenewal makes the service end a plan that has expired.
func (c *Client) CheckRenewal(ctx context.Context) (Renewal, error) {
	var out Renewal
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/user/subscription/check-renewal", free: true, check: func() string {
		return need(out.Action == "" || out.Plan == "", "action")
	}}, &out)
	return out, err
}

// CreateKey makes an API key with the sign-in. After an error whose Outcome is Lost it may exist, and nobody knows its text.
func (c *Client) CreateKey(ctx context.Context, name string) (NewKey, error) {
	var out NewKey
	body := struct {
		Name string `json:"name,omitempty"`
	}{name}
	_, err := c.do(ctx, call{method: http.MethodPost, path: "/user/api-keys", body: body, auth: Token, check: func() string {
		return need(out.Key == "", "key")
	}}, &out)
	return out, err
}

// Keys returns the API keys, active and revoked.
func (c *Client) Keys(ctx context.Context) ([]APIKey, error) {
	var out struct {
		Keys []APIKey `json:"apiKeys"`
	}
	_, err := c.do(ctx, call{path: "/user/api-keys", auth: Token, check: func() string { return need(out.Keys == nil, "apiKeys") }}, &out)
	return out.Keys, err
}

// RevokeKey makes an API key invalid for good. It may be repeated.
func (c *Client) RevokeKey(ctx context.Context, id string) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: "/user/api-keys/" + url.PathEscape(id), auth: Token, free: true}, nil)
	return err
}

// Discover returns how to sign in to the service; no credential is sent.
func (c *Client) Discover(ctx context.Context) (backend.Login, error) {
	var out backend.Login
	_, err := c.do(ctx, call{path: wellKnownPath, anonymous: true, check: func() string { return need(out.Issuer == "", "issuer") }}, &out)
	return out, err
}

// KeepsKeys reports whether the service keeps the answers of calls of speech with their Idempotency-Key; no credential is sent.
func (c *Client) KeepsKeys(ctx context.Context) (bool, error) {
	var out struct {
		Keeps bool `json:"idempotency_key"`
	}
	_, err := c.do(ctx, call{path: wellKnownPath, anonymous: true}, &out)
	return out.Keeps, err
}

// Ping reports how long the service takes to answer at an address, without a credential and without a retry. Any answer of a
// service counts, except that of another host.
func (c *Client) Ping(ctx context.Context, address string) (time.Duration, error) {
	if c.o.Offline() {
		return 0, errOffline
	}
	base, err := ParseBase(address)
	if err != nil {
		return 0, err
	}
	start := c.o.Now()
	err = c.once(ctx, base, call{path: wellKnownPath, anonymous: true, any: true}, nil, Credential{}, nil)
	return c.o.Now().Sub(start), err
}

func need(missing bool, field string) string {
	if missing {
		return "the field " + field + " is missing"
	}
	return ""
}

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// client is a user of the world, with the credential of its requests.
type client struct {
	*world
	subject string
	headers map[string]string
	ctx     context.Context // of its requests; nil: they do not end early
}

// body is a JSON object.
type body map[string]any

// user signs in a new user with a JWT. Plan and credits are what the operator sets.
func (w *world) user(plan service.Plan, payg ...int64) *client {
	w.Helper()
	c := &client{world: w, subject: uuid.NewString()}
	c.signIn()
	c.get("/api/v1/user/credits").is(200)
	if plan != service.Free {
		c.setPlan(plan, service.PlanDays*24*time.Hour)
	}
	for _, n := range payg {
		_, err := w.store.AddCredits(w.Context(), c.account().ID, n, service.Change{})
		require.NoError(w, err)
	}
	return c
}

// signIn gets a new JWT, as clients do when one expires.
func (c *client) signIn() {
	c.headers = map[string]string{"Authorization": "Bearer " + c.issuer.Token(c.subject)}
}

// account returns the user's account.
func (c *client) account() service.Account {
	c.Helper()
	a, err := c.store.Account(c.Context(), c.subject)
	require.NoError(c, err)
	return a
}

// setPlan does what the operator's set-plan does.
func (c *client) setPlan(plan service.Plan, left time.Duration) {
	c.Helper()
	credits := map[service.Plan]int64{service.Free: 10_000, service.Pro: 100_000, service.Max: 500_000}[plan]
	_, err := c.store.SetPlan(c.Context(), c.account().ID, plan, credits, int(left/(24*time.Hour)), service.Change{})
	require.NoError(c, err)
}

// with returns the same user with other headers.
func (c *client) with(headers map[string]string) *client {
	return &client{world: c.world, subject: c.subject, headers: headers}
}

// key creates an API key and returns the user as its client.
func (c *client) key() *client {
	c.Helper()
	return c.with(map[string]string{"X-API-Key": c.post("/api/v1/user/api-keys", nil).is(201).text("key")})
}

// until returns the same user, whose requests end with ctx.
func (c *client) until(ctx context.Context) *client {
	return &client{world: c.world, subject: c.subject, headers: c.headers, ctx: ctx}
}

// voice returns the id of a provider's first voice.
func (c *client) voice(id service.ProviderID) string {
	return service.VoiceID(id, "Ada")
}

// v3 returns the body of a synthesis with v3, with more fields or others.
func (c *client) v3(more body) body { return c.speech(service.ProviderA, service.ModelV3, more) }

func (c *client) speech(provider service.ProviderID, model string, more body) body {
	b := body{"text": "Hello.", "voice": c.voice(provider), "ttsModel": model, "response_format": "pcm_8000"}
	for k, v := range more {
		if b[k] = v; v == nil {
			delete(b, k)
		}
	}
	return b
}

func (c *client) say(b body) reply {
	c.Helper()
	return c.post("/api/v1/tts/synthesize", b)
}

// credits returns the balance.
func (c *client) credits() int64 {
	c.Helper()
	return c.get("/api/v1/user/credits").is(200).number("credits")
}

// cost returns what f takes from the balance.
func (c *client) cost(f func()) int64 {
	c.Helper()
	before := c.credits()
	f()
	return before - c.credits()
}

func (c *client) get(path string) reply {
	c.Helper()
	return c.do("GET", path, nil)
}

func (c *client) post(path string, b body) reply {
	c.Helper()
	return c.do("POST", path, b)
}

// do sends a request and fails the check when there is no answer.
func (c *client) do(method, path string, b body) reply {
	c.Helper()
	r := c.send(method, path, b)
	require.NoError(c, r.err)
	return r
}

// start sends a request in the background.
func (c *client) start(path string, b body) <-chan reply {
	answers := make(chan reply, 1)
	go func() { answers <- c.send("POST", path, b) }()
	return answers
}

func (c *client) send(method, path string, b body) reply {
	r := reply{T: c.T, request: method + " " + path}
	var content io.Reader
	if b != nil {
		raw, err := json.Marshal(b)
		if err != nil {
			return reply{err: err}
		}
		content = bytes.NewReader(raw)
	}
	if !strings.HasPrefix(path, "http") {
		path = c.url + path
	}
	ctx := c.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	q, err := http.NewRequestWithContext(ctx, method, path, content)
	if err != nil {
		return reply{err: err}
	}
	if b != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	for k, v := range c.headers {
		q.Header.Set(k, v)
	}
	answer, err := (&http.Client{Timeout: time.Minute}).Do(q)
	if err != nil {
		return reply{err: err}
	}
	defer answer.Body.Close()
	r.status, r.header = answer.StatusCode, answer.Header
	r.raw, r.err = io.ReadAll(answer.Body)
	if r.err == nil && len(r.raw) > 0 && strings.HasPrefix(r.header.Get("Content-Type"), "application/json") {
		r.err = json.Unmarshal(r.raw, &r.json)
	}
	return r
}

// reply is the answer to a request.
type reply struct {
	*testing.T
	request string
	status  int
	header  http.Header
	raw     []byte
	json    body
	err     error
}

func (r reply) is(status int) reply {
	r.Helper()
	require.Equal(r, status, r.status, "%s: %.300s", r.request, r.raw)
	return r
}

// fails checks an error: its status, code ("" for none), and a sentence for people.
func (r reply) fails(status int, code string) reply {
	r.Helper()
	r.is(status)
	require.Contains(r, r.json, "error", "%s", r.raw)
	require.Regexp(r, `^[A-Z].*\.$`, r.json["error"])
	got, has := r.json["code"]
	require.Equal(r, code != "", has, "code of %.300s", r.raw)
	if code != "" {
		require.Equal(r, code, got)
	}
	return r
}

// has checks that the answer has exactly these fields.
func (r reply) has(fields ...string) reply {
	r.Helper()
	requireFields(r, r.json, fields...)
	return r
}

func (r reply) text(field string) string {
	r.Helper()
	require.IsType(r, "", r.json[field], "%s of %.300s", field, r.raw)
	return r.json[field].(string)
}

func (r reply) number(field string) int64 {
	r.Helper()
	require.IsType(r, 0.0, r.json[field], "%s of %.300s", field, r.raw)
	f := r.json[field].(float64)
	require.Equal(r, math.Trunc(f), f, "%s is an integer", field)
	return int64(f)
}

func (r reply) list(field string) []body {
	r.Helper()
	require.IsType(r, []any{}, r.json[field], "%s of %.300s", field, r.raw)
	var all []body
	for _, v := range r.json[field].([]any) {
		require.IsType(r, map[string]any{}, v)
		all = append(all, v.(map[string]any))
	}
	return all
}

func requireFields(t require.TestingT, b body, fields ...string) {
	names := make([]string, 0, len(b))
	for k := range b {
		names = append(names, k)
	}
	require.ElementsMatch(t, fields, names, fmt.Sprint(b))
}

// requireTime checks an ISO 8601 time and returns it.
func requireTime(t require.TestingT, v any) time.Time {
	require.IsType(t, "", v)
	at, err := time.Parse(time.RFC3339, v.(string))
	require.NoError(t, err)
	return at
}

package api

import (
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/service"
)

// access is who may use a route.
type access int

const (
	anyone  access = iota // without a credential
	member                // an API key or a JWT
	session               // a JWT only
)

// handler answers a request, or returns an error. The caller is empty on routes for anyone.
type handler func(w *response, r *http.Request, caller service.Caller) error

// route is one operation of the API.
type route struct {
	method, path string
	access       access
	handle       handler
	operation
}

// operation describes a route for /openapi.json. Statuses that every route of its kind has are not listed.
type operation struct {
	summary      string
	query        any // a struct with the fields of the query
	body         any // the type of the JSON body; nil: none
	bodyOptional bool
	documented   string // the path in the document, where it says more than the mux can
	success      int    // status
	answer       any    // the type of the JSON answer; nil: see media
	media        string // content type of an answer that is not JSON
	errors       []int
	repeatable   bool // takes an Idempotency-Key
}

// routes returns every route.
func (a *API) routes() []route {
	all := []route{
		{"POST", "/api/v1/tts/synthesize", member, a.speech.synthesize, operation{
			summary: "Speak a text", body: service.SynthesizeRequest{}, success: 200, answer: resultView{},
			errors: []int{400, 402, 409, 410, 429, 502}, repeatable: true,
		}},
		{"POST", "/api/v1/tts/synthesize-dialogue", member, a.speech.synthesizeDialogue, operation{
			summary: "Speak a dialogue of several voices", body: service.DialogueRequest{}, success: 200, answer: resultView{},
			errors: []int{400, 402, 409, 410, 429, 502}, repeatable: true,
		}},
		{"POST", "/api/v1/tts/enhance", member, a.speech.enhance, operation{
			summary: "Insert audio tags into a text", body: service.EnhanceRequest{}, success: 200, answer: enhancedView{},
			errors: []int{400, 429},
		}},
		{"POST", "/api/v1/tts/enhance-dialogue", member, a.speech.enhanceDialogue, operation{
			summary: "Insert audio tags into the turns of a dialogue", body: enhanceDialogueRequest{}, success: 200,
			answer: enhancedTurnsView{}, errors: []int{400, 429},
		}},
		{"GET", "/api/v1/tts/voices", member, a.voices.voices, operation{
			summary: "List active voices", success: 200, answer: voicesView{},
		}},
		{"GET", "/api/v1/tts/filters", member, a.voices.filters, operation{
			summary: "List the values to filter voices by", success: 200, answer: service.Filters{},
		}},
		{"GET", "/api/v1/tts/models", member, a.voices.models, operation{
			summary: "List speech models", success: 200, answer: modelsView{},
		}},
		{"GET", "/api/v1/tts/prices", member, a.voices.prices, operation{
			summary: "List the prices of speech models", success: 200, answer: pricesView{},
		}},
		{"GET", "/api/v1/tts/favorites", member, a.voices.favorites, operation{
			summary: "List favourite voices", success: 200, answer: favoritesView{},
		}},
		{"POST", "/api/v1/tts/favorites/toggle", member, a.voices.toggleFavorite, operation{
			summary: "Add or remove a favourite voice", body: toggleRequest{}, success: 200, answer: toggledView{},
			errors: []int{400, 404},
		}},
	}
	return append(append(all, a.userRoutes()...), a.openRoutes()...)
}

// userRoutes returns the routes of a user's account.
func (a *API) userRoutes() []route {
	return []route{
		{"GET", "/api/v1/user/credits", member, a.user.credits, operation{
			summary: "Read plan and credits", success: 200, answer: creditsView{},
		}},
		{"GET", "/api/v1/user/usage", member, a.user.usage, operation{
			summary: "List calls that moved credits", query: usageQuery{}, success: 200, answer: usageView{}, errors: []int{400},
		}},
		{"POST", "/api/v1/user/subscription/check-renewal", member, a.user.checkRenewal, operation{
			summary: "Return to the free plan when the plan has expired", success: 200, answer: renewalView{},
		}},
		{"POST", "/api/v1/user/api-keys", session, a.keys.createKey, operation{
			summary: "Create an API key", body: createKeyRequest{}, bodyOptional: true, success: 201, answer: createdKeyView{},
			errors: []int{400, 409},
		}},
		{"GET", "/api/v1/user/api-keys", session, a.keys.keys, operation{
			summary: "List API keys", success: 200, answer: keysView{},
		}},
		{"DELETE", "/api/v1/user/api-keys/{id}", session, a.keys.revokeKey, operation{
			summary: "Revoke an API key", success: 200, answer: successView{}, errors: []int{404},
		}},
	}
}

// openRoutes returns the routes that need no credential.
func (a *API) openRoutes() []route {
	open := []route{
		{"GET", "/files/{name}", anyone, a.audio.file, operation{
			summary: "Download generated audio", success: 200, media: "audio/*", errors: []int{404, 410, 429},
		}},
		{"GET", "/previews/{file}", anyone, a.audio.preview, operation{
			summary: "Listen to a voice", documented: "/previews/{voiceId}" + previewSuffix, success: 200, media: "audio/mpeg",
			errors: []int{404, 502, 503},
		}},
		{"GET", "/health", anyone, a.health, operation{
			summary: "Whether the process runs", success: 200, answer: healthView{},
		}},
		{"GET", "/ready", anyone, a.ready, operation{
			summary: "Whether the service can serve calls", success: 200, answer: healthView{}, errors: []int{503},
		}},
		{"GET", "/.well-known/voicewright", anyone, a.wellKnown, operation{
			summary: "How to sign in", success: 200, answer: wellKnownView{}, errors: []int{404},
		}},
		{"GET", "/openapi.json", anyone, a.serveOpenAPI, operation{
			summary: "This document", success: 200, media: "application/json",
		}},
	}
	if a.metrics != nil && !a.hidden {
		open = append(open, route{"GET", "/metrics", anyone, a.serveMetrics, operation{
			summary: "Prometheus metrics", success: 200, media: "text/plain",
		}})
	}
	return open
}

// register fills the mux: each route, 405 for other methods on its path, and 404 for everything else.
func (a *API) register() {
	methods := map[string][]string{}
	for _, rt := range a.routes() {
		a.mux.HandleFunc(rt.method+" "+rt.path, a.serve(rt))
		methods[rt.path] = append(methods[rt.path], rt.method)
	}
	for path, allowed := range methods {
		if slices.Contains(allowed, http.MethodGet) {
			allowed = append(allowed, http.MethodHead)
		}
		allow := strings.Join(slices.Sorted(slices.Values(allowed)), ", ")
		a.mux.HandleFunc(path, a.serve(route{access: anyone, handle: methodNotAllowed(allow)}))
	}
	for _, path := range []string{"/", adminPath, adminPath + "/"} {
		a.mux.HandleFunc(path, a.serve(route{access: anyone, handle: notFound}))
	}
}

// adminPath begins the paths that no developer may use.
const adminPath = "/api/admin"

// cleanPath reports whether a path is as the mux expects it; it would redirect others, and here they are unknown.
func cleanPath(p string) bool { return strings.HasPrefix(p, "/") && path.Clean(p) == p }

// notFound answers paths that are no route.
func notFound(_ *response, r *http.Request, _ service.Caller) error { return errNoRoute(r) }

// errNoRoute returns 404, for a key 403 where the path is one of administration, in whatever spelling.
func errNoRoute(r *http.Request) error {
	admin := func(p string) bool { return p == adminPath || strings.HasPrefix(p, adminPath+"/") }
	if sentKey(r) && (admin(r.URL.Path) || admin(path.Clean("/"+r.URL.Path))) {
		return &service.Error{
			Status:   http.StatusForbidden,
			Sentence: "API keys cannot use this path. See /openapi.json for the paths of this service.",
		}
	}
	return errNotFound
}

func methodNotAllowed(allow string) handler {
	return func(w *response, _ *http.Request, _ service.Caller) error {
		w.Header().Set("Allow", allow)
		return &service.Error{
			Status:   http.StatusMethodNotAllowed,
			Sentence: "This path does not support the method of the request. Use " + allow + ".",
		}
	}
}

// statuses returns the error statuses of a route, sorted: its own and those of its kind.
func (rt route) statuses() []int {
	set := map[int]bool{500: true}
	if rt.access != anyone {
		for _, status := range []int{401, 403, 413, 429, 503} {
			set[status] = true
		}
	}
	if rt.body != nil {
		set[400] = true
		set[408] = true
	}
	for _, status := range rt.errors {
		set[status] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// docPath returns the path of a route in the document.
func (rt route) docPath() string {
	if rt.documented != "" {
		return rt.documented
	}
	return rt.path
}

package forward

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// Prefix begins the paths of the hosted API.
const Prefix = "/api/v1/"

// authHeader is how a caller chooses the credential.
const authHeader = "X-Voicewright-Auth"

// route is a path of the contract.
type route struct {
	methods []string
	speech  bool // paid
	session bool // needs a sign-in, not an API key
}

var (
	reads  = []string{http.MethodGet, http.MethodHead}
	writes = []string{http.MethodPost}
)

// routes are the paths of hosted-api.md, and those that decisions.md adds to them.
var routes = map[string]route{
	"tts/synthesize":                  {methods: writes, speech: true},
	"tts/synthesize-dialogue":         {methods: writes, speech: true},
	"tts/enhance":                     {methods: writes},
	"tts/enhance-dialogue":            {methods: writes},
	"tts/voices":                      {methods: reads},
	"tts/filters":                     {methods: reads},
	"tts/favorites":                   {methods: reads},
	"tts/favorites/toggle":            {methods: writes},
	"tts/models":                      {methods: reads},
	"tts/prices":                      {methods: reads},
	"user/credits":                    {methods: reads},
	"user/usage":                      {methods: reads},
	"user/subscription/check-renewal": {methods: writes},
	"user/api-keys":                   {methods: []string{http.MethodGet, http.MethodHead, http.MethodPost}, session: true},
}

// keyPath is the path of one API key, whose id is a UUID.
var (
	keyPath  = regexp.MustCompile(`^user/api-keys/[A-Za-z0-9_-]{1,128}$`)
	keyRoute = route{methods: []string{http.MethodDelete}, session: true}
)

var (
	errNoRoute = backend.E(backend.CodeNotFound, "The hosted API doesn't have this address.",
		"See /docs for the addresses that are forwarded.")
	errMethod = backend.E(backend.CodeMethodNotAllowed, "This address of the hosted API does not support this method.",
		"See /docs for the methods of each address.")
)

// find returns the route of a request, by its path as it was sent: escaped characters and other spellings match none. Errors:
// not_found, and method_not_allowed with the header Allow.
func find(w http.ResponseWriter, r *http.Request) (route, error) {
	name, ok := strings.CutPrefix(r.URL.EscapedPath(), Prefix)
	to, known := routes[name]
	if !known && keyPath.MatchString(name) {
		to, known = keyRoute, true
	}
	switch {
	case !ok || !known:
		return route{}, errNoRoute
	case !slices.Contains(to.methods, r.Method):
		w.Header().Set("Allow", strings.Join(to.methods, ", "))
		return route{}, errMethod
	default:
		return to, nil
	}
}

// wanted returns which credential a request uses: that which its caller chose, else that of the route.
func wanted(r *http.Request, to route) (client.Auth, error) {
	values := r.Header.Values(authHeader)
	switch {
	case len(values) == 0 && to.session:
		return client.Token, nil
	case len(values) == 0:
		return client.Auto, nil
	case len(values) == 1 && values[0] == "key":
		return client.Key, nil
	case len(values) == 1 && values[0] == "jwt":
		return client.Token, nil
	default:
		return 0, backend.Invalid("enum", "Input should be 'key' or 'jwt'", "header", authHeader)
	}
}

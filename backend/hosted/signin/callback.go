package signin

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"io"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// callbackPath is where the browser comes back to.
const callbackPath = "/signed-in"

// newServer returns the server for the browser of one attempt.
func newServer(a *attempt) *http.Server {
	return &http.Server{
		Handler: http.HandlerFunc(a.callback), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second,
		IdleTimeout: time.Second, MaxHeaderBytes: 32 << 10, ErrorLog: log.New(io.Discard, "", 0),
	}
}

// callback answers the one request that ends the sign-in: with the right path, host and state. Others do not end it.
func (a *attempt) callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	states := query["state"]
	switch {
	case r.Host != a.host:
		showPage(w, http.StatusMisdirectedRequest, "This address isn't served here.", "")
	case r.URL.Path != callbackPath:
		showPage(w, http.StatusNotFound, "There is nothing at this address.", "")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		showPage(w, http.StatusMethodNotAllowed, "This address can only be opened.", "")
	case len(states) != 1 || !sameText(states[0], a.state):
		showPage(w, http.StatusBadRequest, "This isn't the sign-in that is in progress.", "Start the sign-in again in Voicewright.")
	default:
		a.conclude(w, r)
	}
}

func (a *attempt) conclude(w http.ResponseWriter, r *http.Request) {
	err := a.answer(r.Context(), r.URL.Query())
	if err == nil {
		showPage(w, http.StatusOK, "You are signed in.", "You can close this tab.")
		return
	}
	e := backend.AsError(err)
	showPage(w, http.StatusBadRequest, e.Detail, e.Remedy)
}

const pageStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem;color:#1c1c1e;background:#fff}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1c1c1e}}`

// page has two places for texts.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Voicewright</title>
<style>` + pageStyle + `</style>
</head>
<body>
<main>
<p>{title} {text}</p>
</main>
</body>
</html>
`

// pagePolicy lets the page load nothing; its own style has a hash.
var pagePolicy = func() string {
	hash := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

func showPage(w http.ResponseWriter, status int, title, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address has the code
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Connection", "close")
	w.WriteHeader(status)
	texts := strings.NewReplacer("{title}", html.EscapeString(title), "{text}", html.EscapeString(text))
	_, _ = texts.WriteString(w, page) // the browser is gone
}

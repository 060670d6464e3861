package devidp

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"strings"
)

// pages are the pages that people see.
type pages struct {
	issuer  string
	storage *storage
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem;color:#1c1c1e;background:#fff}
label{display:block;font-weight:600}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;margin:.25rem 0 1rem}
button{font:inherit;padding:.5rem 1.5rem}.error{color:#a00}.note{color:#555;font-size:.875rem;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1c1c1e}.error{color:#f99}.note{color:#aaa}}`

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>` + style + `</style>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
{{if .Text}}<p>{{.Text}}</p>
{{else}}<p>This sign-in is for trying the service on one computer. It has no passwords: anyone on this computer can sign in as anyone.</p>
{{if .Error}}<p class="error" role="alert">{{.Error}}</p>{{end}}
<form method="post">
<label for="name">Email address or name</label>
<input id="name" name="name" type="text" autocomplete="username" maxlength="255" value="{{.Name}}" required autofocus>
<button type="submit">Sign in</button>
</form>
<p class="note">Afterwards your browser opens {{.Target}}</p>
{{end}}</main>
</body>
</html>
`))

type pageData struct{ Title, Text, Error, Name, Target string }

// form shows the sign-in page of a request.
func (p pages) form(w http.ResponseWriter, r *http.Request) {
	req, err := p.storage.request(r.Form.Get("id"))
	if err != nil {
		p.expired(w)
		return
	}
	show(w, http.StatusOK, pageData{Title: "Sign in to Voicewright", Name: req.LoginHint, Target: req.RedirectURI})
}

// signIn signs in whoever the form names, and goes back to the protocol.
func (p pages) signIn(w http.ResponseWriter, r *http.Request) {
	id := r.Form.Get("id")
	req, err := p.storage.request(id)
	if err != nil {
		p.expired(w)
		return
	}
	name := r.PostForm.Get("name")
	subject, ok := subjectOf(name)
	if !ok {
		show(w, http.StatusUnprocessableEntity, pageData{
			Title: "Sign in to Voicewright", Error: "Enter an email address or a name of 1 to 255 characters.", Name: name, Target: req.RedirectURI,
		})
		return
	}
	if err := p.storage.signIn(id, subject); err != nil {
		p.expired(w)
		return
	}
	http.Redirect(w, r, p.issuer+callbackPath+"?"+url.Values{"id": {id}}.Encode(), http.StatusSeeOther)
}

func (p pages) expired(w http.ResponseWriter) {
	show(w, http.StatusBadRequest, pageData{
		Title: "Sign in again", Text: "This sign-in has ended or was used already. Start it again in the program that opened this page.",
	})
}

func (p pages) signedOut(w http.ResponseWriter, _ *http.Request) {
	show(w, http.StatusOK, pageData{Title: "Signed out", Text: "You are signed out. You can close this page."})
}

func show(w http.ResponseWriter, status int, data pageData) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy(data.Target))
	w.WriteHeader(status)
	_ = page.Execute(w, data) // the browser is gone
}

// pagePolicy returns the Content-Security-Policy of a page whose form leads to target: Chrome also applies form-action to the
// redirects that follow.
func pagePolicy(target string) string {
	forms := ""
	if u, err := url.Parse(target); err == nil && u.Host != "" {
		forms = " " + u.Scheme + "://" + u.Host
		if strings.HasPrefix(u.Host, "[") { // a policy cannot name an address of IPv6
			forms = " " + u.Scheme + ":"
		}
	}
	hash := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; form-action 'self'" + forms + "; base-uri 'none'; frame-ancestors 'none'"
}

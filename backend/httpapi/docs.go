package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/voicewright/voicewright/backend/httpapi/docs"
)

// documents are the description of the API and its page.
type documents struct {
	*router
	spec func() ([]byte, error)
	page func() ([]byte, error)
}

func newDocuments(r *router) *documents {
	d := &documents{router: r}
	d.spec, d.page = sync.OnceValues(d.renderSpec), sync.OnceValues(d.renderDocs)
	return d
}

func (d *documents) routes(r *router) {
	r.mux.HandleFunc("GET /openapi.json", d.openapi)
	r.mux.HandleFunc("GET /docs", d.docs)
}

func (d *documents) openapi(w http.ResponseWriter, r *http.Request) {
	spec, err := d.spec()
	if err != nil {
		d.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = w.Write(spec)
}

func (d *documents) docs(w http.ResponseWriter, r *http.Request) {
	page, err := d.page()
	if err != nil {
		d.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", docs.Policy())
	_, _ = w.Write(page)
}

// renderSpec returns the OpenAPI document.
func (d *documents) renderSpec() ([]byte, error) {
	spec, err := json.Marshal(d.document())
	if err != nil {
		return nil, fmt.Errorf("encode openapi: %w", err)
	}
	return docs.Complete(spec)
}

func (d *documents) renderDocs() ([]byte, error) {
	spec, err := d.spec()
	if err != nil {
		return nil, err
	}
	return docs.Page(d.document(), spec), nil
}

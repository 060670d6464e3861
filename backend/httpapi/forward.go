package httpapi

import (
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
)

// Forwarder forwards requests of the hosted API. It returns an error only when it wrote nothing.
type Forwarder interface {
	Forward(w http.ResponseWriter, r *http.Request) error
}

// hostedPrefix begins the paths of the hosted API. They do not go through the mux, which would redirect other spellings.
const hostedPrefix = "/api/v1/"

// forwarder passes the hosted API on.
type forwarder struct {
	*responder
	service Forwarder
}

func (f *forwarder) forwarded(r *http.Request) bool {
	return f.service != nil && strings.HasPrefix(r.URL.Path, hostedPrefix)
}

func (f *forwarder) forward(w http.ResponseWriter, r *http.Request) {
	err := f.service.Forward(w, r)
	var coded *backend.Error
	switch {
	case err == nil:
	case errors.As(err, &coded) && coded.Code == backend.CodeCancelled:
		panic(http.ErrAbortHandler) // nobody reads an answer
	default:
		f.refuseBody(w, r, err)
	}
}

// describeForward adds the forwarded paths to the OpenAPI document.
func (f *forwarder) describeForward(api huma.API) {
	if f.service == nil {
		return
	}
	any := func(id string) *huma.Operation {
		return &huma.Operation{
			OperationID: id, Summary: "Forward to the hosted service", Tags: []string{"hosted"},
			Description: "The paths of the hosted API go to the service at `hosted.base_url` with the stored API key, or with the sign-in " +
				"(for `/api/v1/user/api-keys`, or where there is no key). The header `X-Voicewright-Auth: key` or `jwt` chooses one. " +
				"Answers come back unchanged.",
			Parameters: []*huma.Param{{Name: "path", In: "path", Required: true, Schema: &huma.Schema{Type: "string"}}},
			Responses: map[string]*huma.Response{
				"default": {Description: "The answer of the hosted service, or an error of Voicewright"},
			},
		}
	}
	api.OpenAPI().Paths[hostedPrefix+"{path}"] = &huma.PathItem{
		Get: any("hosted-api-get"), Post: any("hosted-api-post"), Delete: any("hosted-api-delete"),
	}
}

package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
)

type echoBody struct {
	Text  string   `json:"text" minLength:"1" maxLength:"5"`
	Seed  *int     `json:"seed,omitempty" minimum:"0" maximum:"100"`
	Speed *float64 `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
	Kind  string   `json:"kind,omitempty" enum:"a,b"`
	Flag  *bool    `json:"flag,omitempty"`
	Big   *int64   `json:"big,omitempty"`
	Turns []struct {
		ID ID `json:"id"`
	} `json:"turns,omitempty"`
	Words map[string]string `json:"words,omitempty"`
}

type echoInput struct {
	Body echoBody
}

type echoOutput struct {
	Body echoBody
}

type itemInput struct {
	ID    ID      `path:"item_id"`
	Limit int     `query:"limit" minimum:"1" maximum:"500" default:"50"`
	From  float64 `query:"from"`
	Wide  bool    `query:"wide"`
	Sort  string  `query:"sort" enum:"newest,oldest" default:"newest"`
	Word  string  `query:"word"`
}

type itemOutput struct {
	Body struct {
		ID    string `json:"id"`
		Limit int    `json:"limit"`
	} `nameHint:"Item"`
}

type failInput struct {
	Code   string `path:"code"`
	Status int    `query:"status"`
	Retry  int    `query:"retry"`
}

// SetBodyGrace changes how long a body may stand still.
func (a *API) SetBodyGrace(d time.Duration) { a.bodyGrace = d }

// LocalPath is localPath.
var LocalPath = localPath

// Exports are the exports of an API of their own.
type Exports struct{ exports *exports }

// NewExports returns exports whose progress a publishes.
func (a *API) NewExports() Exports { return Exports{newExports(a.opts.Events, a.responder)} }

// Run is an export in the query by its caller.
func (x Exports) Run(ctx context.Context, id string, work func(context.Context, func(float64)) error) error {
	return x.exports.run(ctx, id, "query", work)
}

// AddTestRoutes registers operations that only tests need.
func (a *API) AddTestRoutes(entered func()) {
	echo := func(_ context.Context, in *echoInput) (*echoOutput, error) {
		entered()
		return &echoOutput{Body: in.Body}, nil
	}
	post(a.router, "/echo", "test-echo", "Echo", echo)
	post(a.router, "/text/echo", "test-text", "Echo of long text", echo)
	post(a.router, "/nobody/{item_id}", "test-nobody", "No body", func(_ context.Context, in *struct {
		ID ID `path:"item_id"`
	},
	) (*struct{}, error) {
		entered()
		return nil, nil
	}, status(http.StatusNoContent))
	post(a.router, "/maybe", "test-maybe", "Optional body", func(_ context.Context, in *struct{ Body *echoBody }) (*struct{}, error) {
		return nil, nil
	})
	get(a.router, "/items/{item_id}", "test-item", "Item", func(_ context.Context, in *itemInput) (*itemOutput, error) {
		out := &itemOutput{}
		out.Body.ID, out.Body.Limit = string(in.ID), in.Limit
		return out, nil
	})
	put(a.router, "/upload", "test-upload", "Upload", func(_ context.Context, in *struct {
		RawBody []byte `contentType:"application/zip"`
	},
	) (*struct{}, error) {
		return nil, nil
	}, upload(1000))
	patch(a.router, "/panic", "test-panic", "Panic", func(context.Context, *struct{}) (*struct{}, error) { panic("secret of the inside") })
	del(a.router, "/fail/{code}", "test-fail", "Fail", func(_ context.Context, in *failInput) (*struct{}, error) {
		switch in.Code {
		case "plain":
			return nil, errors.New("secret of the inside")
		case "invalid":
			return nil, backend.Invalid("value_error", "It is not so", "body", "x")
		case "busy":
			return nil, backend.E(backend.CodeQueueFull, "Full.", "Wait.").With("retry_after", 7)
		}
		e := backend.E(backend.Code(in.Code), "It failed.", "Mend it.")
		if in.Status != 0 {
			return nil, e.With("status", in.Status).With("retry_after", in.Retry)
		}
		return nil, e.With("generation_id", "g1").With("need", 3)
	})
	a.router.file("/stream/{id}", "test-stream", "Events", func(w http.ResponseWriter, r *http.Request) {
		err := a.Events().ServeGeneration(w, r, r.PathValue("id"), func(context.Context) (backend.Generation, error) {
			return backend.Generation{}, backend.E(backend.CodeGenerationNotFound, "None.", "Look.")
		})
		if err != nil {
			a.fail(w, r, err)
		}
	}, eventStream)
}

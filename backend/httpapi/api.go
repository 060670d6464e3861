// Package httpapi is the local HTTP API (decisions.md section 2): it decodes requests, calls services and
// encodes responses, without logic of its own. Each resource is a type with what it needs, in a file of its own with its routes and
// the types that the API shows, which are separate from the domain types; routes.go joins the resources, access.go has the access
// control, problems.go the status and body of each error.
package httpapi

import (
	"context"
	"io/fs"
	"log/slog"
	"net"
	"time"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/httpapi/page"
)

// Options are the dependencies of the API. Addr is required; the others have usable zero values.
type Options struct {
	Token        string           // required in every request; "" = no token
	Addr         func() net.Addr  // the bound address, known only after listening; until then no host is accepted
	TLS          bool             // the listener uses TLS, so own origins are https
	AllowOrigins []string         // additional origins, such as http://localhost:34115
	AllowHosts   []string         // additional hosts, NAME or NAME:PORT
	Allowed      Allowed          // what the settings allow as well, read at each request; nil = nothing
	Version      string           // of the program
	UI           fs.FS            // the built web UI with its index.html at the root; nil = none
	Log          *slog.Logger     // unknown errors, by request id
	Now          func() time.Time // the clock
	NewID        func() string    // request ids
	Links        *Links           // to audio; nil = New creates them
	Events       *events.Streams  // the event streams; nil = New creates them
	Audio        AudioFiles       // paths of audio files; nil = no /audio route
	TempDir      string           // for exports before they are sent; "" = the system's folder
	FreeSpace    FreeSpace        // on the disk of TempDir; nil = unknown
	Services                      // called by the routes
}

// FreeSpace returns the free bytes of a disk; known is false where they cannot be measured.
type FreeSpace func(ctx context.Context) (bytes int64, known bool)

// API is the handler of the local HTTP API. Create it with New.
type API struct {
	*responder
	opts      Options
	guard     guard
	router    *router
	links     *Links
	ui        page.Files
	forwarder *forwarder
	bodyGrace time.Duration // see pace.go
}

// New returns the API with all its routes. It returns an error if an allowed host or origin is malformed.
func New(o Options) (*API, error) {
	setHuma()
	o.fill()
	g, err := newGuard(o)
	if err != nil {
		return nil, err
	}
	if o.Events == nil { // last, because after an error nothing would close the streams
		o.Events = events.New(o.Links.Views(), o.Log)
	}
	answers := &responder{o.Log, o.NewID}
	r := newRouter(answers, o.Version)
	for _, resource := range o.resources(answers, o.Links, &forms{answers, &tempFiles{o.TempDir, o.FreeSpace}}) {
		resource.routes(r)
	}
	passed := &forwarder{answers, o.Forward}
	r.described = append(r.described, passed.describeForward)
	newDocuments(r).routes(r)
	return &API{
		responder: answers, opts: o, guard: g, router: r, links: o.Links, ui: page.Files{FS: o.UI}, forwarder: passed,
		bodyGrace: bodyGrace,
	}, nil
}

func (o *Options) fill() {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Allowed == nil {
		o.Allowed = func() (origins, hosts []string) { return nil, nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = uuid.NewString
	}
	if o.Links == nil {
		o.Links = NewLinks(o.Now, nil)
	}
}

// Events returns the event streams, to which changes are published.
func (a *API) Events() *events.Streams { return a.opts.Events }

// Close ends the open event streams, so that http.Server.Shutdown need not wait for them. Call it
// before Shutdown; requests that come later get an error instead of a stream.
func (a *API) Close() { a.opts.Events.Close() }

// AudioURL returns the path of the audio of a generation, script or transcript with a signature that works for one hour without a token.
func (a *API) AudioURL(id string) string { return a.links.audioURL(id) }

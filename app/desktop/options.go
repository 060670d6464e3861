// Package desktop is the window (build tag desktop), and what each platform needs for it.
package desktop

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/shortcut"
)

// ShutdownGrace is how long running speech may continue after a stop.
const ShutdownGrace = 10 * time.Second

// Options are what the window needs from the program around it.
type Options struct {
	Data     string // the data directory
	Language string // of the system, BCP 47
	Log      *slog.Logger
	// Serve runs a server until ctx ends. It calls ready once it listens.
	Serve func(ctx context.Context, ready func(client.Address) error) error
	// Policy returns the middleware that lets the page in the window call the API at this address, and nothing else.
	Policy func(apiURL string) func(http.Handler) http.Handler
	// LaunchArgs are the arguments for the window program beside this one, where this one has no window.
	LaunchArgs []string
	// Files are opened in the window: absolute paths.
	Files []string
	// Background shows the window minimized, as at login.
	Background bool
	// Listen calls pressed at a shortcut that works in every program, until release is called. Error: shortcut_unavailable.
	Listen      func(ctx context.Context, s shortcut.Shortcut, pressed func()) (release func(), err error)
	Out, Errors io.Writer
}

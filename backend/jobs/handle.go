package jobs

import (
	"context"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
)

// Job is a pointer to a struct that embeds a Handle.
type Job interface {
	comparable
	handle() *Handle
}

// Handle is what a Runner knows of a job.
type Handle struct {
	key     string
	request string          // the id under which its failures are logged; may be empty
	ctx     context.Context //nolint:containedctx // of the work, which outlives its request
	cancel  context.CancelFunc
	work    func(context.Context) error
	end     func(error)
	done    chan struct{}
	stopped atomic.Bool
}

// NewHandle returns the handle of a job that is not accepted yet.
func NewHandle() Handle { return Handle{done: make(chan struct{})} }

func (h *Handle) handle() *Handle { return h }

// Done returns a channel that is closed when the job has ended; its result may not be stored yet.
func (h *Handle) Done() <-chan struct{} { return h.done }

// Ended reports whether the job has ended, as Done says.
func (h *Handle) Ended() bool {
	select {
	case <-h.done:
		return true
	default:
		return false
	}
}

// Stopped reports whether somebody stopped the job before the program began to close.
func (h *Handle) Stopped() bool { return h.stopped.Load() }

// LogContext returns a context with the id of the request that the job came from, for what is logged about it.
func (h *Handle) LogContext() context.Context {
	return backend.WithRequestID(context.Background(), h.request)
}

// release ends the context of the work.
func (h *Handle) release() {
	if h.cancel != nil {
		h.cancel()
	}
}

// run does the work and ends the job.
func (h *Handle) run() {
	h.end(backend.Contain(func() error { return h.work(h.ctx) }))
}

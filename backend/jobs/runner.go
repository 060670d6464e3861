// Package jobs runs work that takes a while, in lines of limited length with one worker each. It knows the jobs that are live, stops
// them, ends all of them with the program, and keeps results that cannot be stored yet.
package jobs

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Options are what a Runner is built from.
type Options struct {
	Things string // names the jobs in errors and the log, such as "generations"
	Closed error  // of jobs that are submitted, or still wait, when the program closes
	Limit  int    // how many may wait in a line
	Log    *slog.Logger
}

// Runner runs jobs. It is safe for concurrent use. A job goes through these steps: a place in a line is reserved, Assign gives it its
// work, Add makes it live, Push puts it into its place. Enqueue does the first and the last.
type Runner[J Job] struct {
	o     Options
	lines []*Line[J]
	work  sync.WaitGroup

	mu     sync.Mutex
	live   map[string]J // by key
	beside map[*context.CancelFunc]struct{}
	closed bool

	closing      context.Context //nolint:containedctx // ends when Close begins
	beginClosing context.CancelFunc
	ended        chan struct{} // closed when everything has ended after Close
}

// New returns a Runner without lines. Closing has the values of ctx.
func New[J Job](ctx context.Context, o Options) *Runner[J] {
	r := &Runner[J]{o: o, live: map[string]J{}, beside: map[*context.CancelFunc]struct{}{}, ended: make(chan struct{})}
	r.closing, r.beginClosing = context.WithCancel(context.WithoutCancel(ctx))
	return r
}

// NewLine returns a new line. moved is called when the jobs that wait in it have moved on; nil = nobody asks.
func (r *Runner[J]) NewLine(moved func()) *Line[J] {
	if moved == nil {
		moved = func() {}
	}
	l := &Line[J]{queue: newQueue[J](r.o.Limit, r.o.Things, r.o.Closed), moved: moved}
	r.lines = append(r.lines, l)
	return l
}

// Start starts the workers of the lines.
func (r *Runner[J]) Start() {
	for _, l := range r.lines {
		r.work.Go(l.run)
	}
}

// Closing returns a context that ends when Close begins.
func (r *Runner[J]) Closing() context.Context { return r.closing }

// Assign assigns a job its work. That outlives the request of ctx: only Stop and Close end it. end is called at most once, with the error
// of the work or with the reason why it did not run. It calls Finish last, and Forget unless the result is still to be stored.
func (r *Runner[J]) Assign(ctx context.Context, j J, work func(context.Context) error, end func(error)) {
	h := j.handle()
	h.request, h.work, h.end = backend.RequestID(ctx), work, end
	h.ctx, h.cancel = context.WithCancel(context.WithoutCancel(ctx))
}

// Add makes a job live under a key, in place of one that is ending.
func (r *Runner[J]) Add(key string, j J) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(key, j)
}

// add makes a job live. The caller holds the lock.
func (r *Runner[J]) add(key string, j J) {
	j.handle().key = key
	r.live[key] = j
}

// AddNew is Add where no job is live under the key; else it returns false.
func (r *Runner[J]) AddNew(key string, j J) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, live := r.live[key]; live {
		return false
	}
	r.add(key, j)
	return true
}

// AddAlone is AddNew where none is live under KEY/ANYTHING either.
func (r *Runner[J]) AddAlone(key string, j J) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.belonging(key)) > 0 {
		return false
	}
	r.add(key, j)
	return true
}

// belonging returns the jobs of a key and below it. The caller holds the lock.
func (r *Runner[J]) belonging(key string) []J {
	below := key + "/"
	var out []J
	for other, j := range r.live {
		if other == key || strings.HasPrefix(other, below) {
			out = append(out, j)
		}
	}
	return out
}

// Enqueue reserves a place first, so that a full line leaves nothing behind, calls accept, which assigns the work and makes the job live,
// and puts it into its place. Errors: those of Reserve and accept.
func (r *Runner[J]) Enqueue(l *Line[J], j J, accept func() error) error {
	if err := l.Reserve(1); err != nil {
		return err
	}
	if err := accept(); err != nil {
		j.handle().release()
		l.GiveBack(1)
		return err
	}
	r.Push(l, j)
	return nil
}

// Push puts a job into its reserved place. After Close it ends the job and returns false.
func (r *Runner[J]) Push(l *Line[J], j J) bool {
	h := j.handle()
	switch {
	case !l.queue.push(j): // closed meanwhile
		h.end(r.o.Closed)
		return false
	case h.ctx.Err() != nil: // cancelled before it was in the line, where Stop did not find it
		r.Stop(j)
	default:
		l.moved()
	}
	return true
}

// Go calls accept, which assigns the work and makes the job live, and runs it at once, beside the lines. Errors: that of Reserve after
// Close, those of accept.
func (r *Runner[J]) Go(j J, accept func() error) error {
	work, end, err := r.Begin(context.WithoutCancel(r.closing))
	if err != nil {
		return err
	}
	if err := accept(); err != nil {
		j.handle().release()
		end()
		return err
	}
	context.AfterFunc(work, j.handle().release) // Close may have cancelled what was live before this was
	go func() {
		defer end()
		j.handle().run()
	}()
	return nil
}

// InTurn does work under a key when its turn comes, and waits for its end, which that of ctx brings about. j is a new job.
// Errors: queue_full, interrupted, cancelled, those of work.
func (r *Runner[J]) InTurn(ctx context.Context, l *Line[J], j J, key string, work func(context.Context) error) error {
	var failure error // read after the job has finished
	end := func(err error) {
		failure = err
		r.Forget(j)
		r.Finish(j)
	}
	err := r.Enqueue(l, j, func() error {
		r.Assign(ctx, j, work, end)
		r.Add(key, j)
		return nil
	})
	if err != nil {
		return err
	}
	r.Wait(ctx, j)
	return failure
}

// Wait waits for the end of a job, and stops it when ctx ends.
func (r *Runner[J]) Wait(ctx context.Context, j J) {
	select {
	case <-j.handle().done:
	case <-ctx.Done():
		r.Stop(j)
		<-j.handle().done
	}
}

// Stop cancels a job: a waiting one ends at once, a running one soon. When the program ends, its clients go away too, which is not
// Stopped.
func (r *Runner[J]) Stop(j J) {
	h := j.handle()
	if r.closing.Err() == nil {
		h.stopped.Store(true)
	}
	h.release()
	for _, l := range r.lines {
		if l.queue.remove(j) {
			h.end(backend.ErrCancelled)
			l.moved()
			return
		}
	}
}

// Finish releases those who wait for a job. Its end function calls it once, as the last thing.
func (r *Runner[J]) Finish(j J) {
	h := j.handle()
	h.release()
	close(h.done)
}

// Forget removes a job that has ended from the live ones, unless another has taken its place.
func (r *Runner[J]) Forget(j J) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if key := j.handle().key; r.live[key] == j {
		delete(r.live, key)
	}
}

// Job returns the live job of a key, nil where there is none.
func (r *Runner[J]) Job(key string) J {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.live[key]
}

// Jobs returns the live jobs of a key and below it.
func (r *Runner[J]) Jobs(of string) []J {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.belonging(of)
}

// Begin registers work outside the lines, so that Close waits for it and can cancel it. The caller calls end.
// Error: that of Reserve after Close.
func (r *Runner[J]) Begin(ctx context.Context) (_ context.Context, end func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, nil, r.o.Closed
	}
	ctx, cancel := context.WithCancel(ctx)
	r.beside[&cancel] = struct{}{}
	r.work.Add(1)
	return ctx, func() {
		cancel()
		r.mu.Lock()
		delete(r.beside, &cancel)
		r.mu.Unlock()
		r.work.Done()
	}, nil
}

// CloseTimeout is how long cancelled work may take to end when the program closes.
const CloseTimeout = 2 * time.Second

// Close accepts no new work, ends waiting jobs, and lets the running ones finish until ctx ends, then cancels them. A job that hangs is
// left behind. Another call waits as long again.
func (r *Runner[J]) Close(ctx context.Context) {
	r.endWaiting()
	select {
	case <-r.ended:
		return
	case <-ctx.Done():
	}
	r.cancelAll()
	select {
	case <-r.ended:
	case <-time.After(CloseTimeout):
		r.o.Log.Warn("a job does not end and is left behind", "of", r.o.Things)
	}
}

// endWaiting closes all lines before it ends the jobs that wait in them: ending takes a while, and a hosted job costs credits.
func (r *Runner[J]) endWaiting() {
	r.mu.Lock()
	again := r.closed
	r.closed = true
	r.mu.Unlock()
	if again {
		return
	}
	r.beginClosing()
	var waiting []J
	for _, l := range r.lines {
		waiting = append(waiting, l.queue.close()...)
	}
	for _, j := range waiting {
		j.handle().end(r.o.Closed)
	}
	go func() {
		r.work.Wait()
		close(r.ended)
	}()
}

func (r *Runner[J]) cancelAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.live {
		j.handle().release()
	}
	for cancel := range r.beside {
		(*cancel)()
	}
}

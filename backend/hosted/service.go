// Package hosted is the hosted service in the app: the account and its credentials, the voices, prices and rules before a
// call, and the generations that the service speaks.
package hosted

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// Options are what the service needs. All functions may be called at any time and from several goroutines.
type Options struct {
	Client      *client.Client
	Credentials *Credentials // the client's
	Dir         string       // of the data; the voices, previews and unfetched audio of the service are below it
	Parts       Parts
	// Profiles returns the profiles with a hosted voice.
	Profiles func(ctx context.Context) ([]backend.Profile, error)
	// Changed is called when the account, its balance, the notices or the voices have changed.
	Changed func()

	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error // waits; the error is that of ctx
	NewID func() string
	Log   *slog.Logger
}

// Service is the hosted service in the app. It is safe for concurrent use.
type Service struct {
	*connection
	*account
	*voiceList
	*enhancer
	speech  chan struct{} // held by the one synthesis that runs
	running running       // generations that are being spoken
	keeps   keeps
}

// connection is what every part of the service uses. mu guards the state of all parts.
type connection struct {
	o    Options
	dir  string // of what is kept of the service
	rate *rate

	background sync.WaitGroup
	stop       context.CancelFunc
	ctx        func() context.Context // ends with Close

	mu     sync.Mutex
	closed bool
}

// account is the account with its plan and its balance.
type account struct {
	*connection
	statusTimeout time.Duration
	balance       balanceState
}

// voiceList is the voices and models of the service, with the user's favourites.
type voiceList struct {
	*connection
	stars  gate // held while a favourite changes
	voices voiceState
}

// enhancer adds tags to texts.
type enhancer struct{ *voiceList }

// New creates the service. Nothing is contacted and no credential is read before Start.
func New(o Options) *Service {
	ctx, stop := context.WithCancel(context.Background())
	c := &connection{
		o: o, dir: filepath.Join(o.Dir, "hosted"), rate: newRate(o.Now, o.Sleep),
		stop: stop, ctx: func() context.Context { return ctx },
	}
	voices := &voiceList{connection: c, stars: newGate()}
	s := &Service{
		connection: c, account: &account{connection: c, statusTimeout: statusTimeout}, voiceList: voices,
		enhancer: &enhancer{voices}, speech: make(chan struct{}, 1),
	}
	o.Credentials.changed = o.Changed
	return s
}

// Start checks the plan in the background, now and once a day, while the user is signed in.
func (s *Service) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goRun("hosted plan", s.renewDaily)
}

// Credentials returns what the requests of the service are sent with.
func (s *connection) Credentials() *Credentials { return s.o.Credentials }

// Close ends the work in the background and waits for it until ctx ends.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.background.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// goRun runs work in the background until the service is closed, and reports whether it began; mu is held.
func (s *connection) goRun(what string, work func(ctx context.Context)) bool {
	if s.closed {
		return false
	}
	s.background.Go(func() { backend.Protect(s.o.Log, what, func() { work(s.ctx()) }) })
	return true
}

// now returns the time as it is shown.
func (s *connection) now() time.Time { return s.o.Now().UTC().Truncate(time.Millisecond) }

// Sleep waits for d, or until ctx ends, whose error it then returns.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

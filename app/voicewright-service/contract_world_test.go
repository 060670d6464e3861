package main_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
	"github.com/voicewright/voicewright/backend/service/encode"
	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/identity"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// world is a service with a real database and folder, an issuer, and providers of the test, seen by its clients over HTTP. Its
// clock moves only when a check moves it.
type world struct {
	*testing.T
	dir      string
	url      string
	issuer   *identitytest.Issuer
	store    *sqlite.DB // as the operator has it: plans and credits are set there
	speakers map[service.ProviderID]*speaker
	lanes    map[service.ProviderID]*providers.Lane
	options  worldOptions
	clock    *clock
	close    func()
}

// clock is the time of a world.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) wait(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// worldOptions are what some checks change.
type worldOptions struct {
	prices   service.Prices
	queue    int // of each provider; 8 if 0
	enhancer service.Enhancer
	access   service.Access
}

func newWorld(t *testing.T, o worldOptions) *world {
	t.Helper()
	w := &world{
		T: t, dir: t.TempDir(), issuer: identitytest.New(t), options: o,
		clock: &clock{now: time.Now().UTC().Truncate(time.Millisecond)}, speakers: map[service.ProviderID]*speaker{},
	}
	w.issuer.Now = w.clock.time
	for _, id := range service.ProviderIDs() {
		w.speakers[id] = newSpeaker(id)
	}
	w.open()
	t.Cleanup(func() { w.close() })
	return w
}

// open starts the service. What it closes ends before the next open.
func (w *world) open() {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	store, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(w.dir, "service.db"), Now: w.clock.time})
	require.NoError(w, err)
	files, err := folder.Open(filepath.Join(w.dir, "files"))
	require.NoError(w, err)
	verifier, err := identity.New(ctx, identity.Options{Issuer: w.issuer.URL, Audience: identitytest.Audience, Groups: "groups", Now: w.clock.time})
	require.NoError(w, err)
	w.lanes = map[service.ProviderID]*providers.Lane{}
	behind := map[service.ProviderID]service.Provider{}
	for id, s := range w.speakers {
		queue := w.options.queue
		if queue == 0 {
			queue = service.DefaultQueueLimit
		}
		w.lanes[id] = providers.NewLane(s, providers.LaneOptions{Provider: id, Queue: queue})
		behind[id] = w.lanes[id]
	}
	enhancer := w.options.enhancer
	if enhancer == nil {
		enhancer = enhance.Enhancer{}
	}
	s, err := service.New(service.Config{
		Store: store, Files: files, Providers: behind, Encoder: encode.New(audio.FindCodecs()), Enhancer: enhancer,
		Prices: w.options.prices, Now: w.clock.time, NewID: uuid.NewString, Random: rand.Reader, Instance: uuid.NewString(),
		Log: slog.New(slog.DiscardHandler), Access: w.options.access,
	})
	require.NoError(w, err)
	require.NoError(w, s.Start(ctx))
	require.NoError(w, s.Ready(ctx), "the formats of the contract need ffmpeg with libmp3lame")
	server := httptest.NewUnstartedServer(nil)
	server.Config.Handler = api.New(api.Options{
		Service: s, Tokens: verifier, PublicURL: "http://" + server.Listener.Addr().String(), Now: w.clock.time,
		Login: backend.Login{Issuer: w.issuer.URL, ClientID: "voicewright", Audience: identitytest.Audience},
	})
	server.Start()
	w.store, w.url = store, server.URL
	w.close = func() {
		for _, s := range w.speakers {
			s.release()
		}
		server.Close()
		verifier.Close()
		_ = s.Close(ctx)
		cancel()
		_ = store.Close()
	}
}

// reopen ends the service and starts it again.
func (w *world) reopen() {
	w.Helper()
	w.close()
	w.open()
}

// in returns the world for a check, with its providers as they were.
func (w *world) in(t *testing.T) *world {
	for _, s := range w.speakers {
		s.reset()
	}
	copied := *w
	copied.T = t
	return &copied
}

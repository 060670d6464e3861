package service_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The voices of the kit: two of ProviderA, one each of the others.
var (
	anna  = newVoice(service.ProviderA, "anna", "female", "en", "United Kingdom", "narrator")
	alan  = newVoice(service.ProviderA, "alan", "male", "de", "", "conversational")
	bella = newVoice(service.ProviderB, "bella", "female", "en", "United States", "narrator")
	carla = newVoice(service.ProviderC, "carla", "female", "it", "Italy", "narrator")
)

func newVoice(p service.ProviderID, native, gender, language, accent, category string) service.Voice {
	return service.Voice{
		ID: service.VoiceID(p, native), Native: native, Name: native, Gender: gender, Provider: p,
		Accent: accent, Language: language, Category: category,
	}
}

// clock is a clock that stands still until it is set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Pass moves the clock; backwards if d is negative.
func (c *clock) Pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// fakeProvider speaks with a function, and remembers what it spoke.
type fakeProvider struct {
	mu      sync.Mutex
	voices  []service.Voice
	broken  error  // of Voices
	listing func() // before Voices
	speak   func(ctx context.Context, s service.Speech) (audio.Buffer, error)
	spoken  []service.Speech
}

func (p *fakeProvider) Voices(ctx context.Context) ([]service.Voice, error) {
	if p.listing != nil {
		p.listing()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.voices, p.broken
}

func (p *fakeProvider) setVoices(err error, voices ...service.Voice) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.voices, p.broken = voices, err
}

func (p *fakeProvider) Speak(ctx context.Context, s service.Speech) (audio.Buffer, error) {
	p.mu.Lock()
	p.spoken = append(p.spoken, s)
	speak := p.speak
	p.mu.Unlock()
	if speak != nil {
		return speak(ctx, s)
	}
	return tone(), nil
}

func (p *fakeProvider) speeches() []service.Speech {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]service.Speech(nil), p.spoken...)
}

// tone returns half a second of a tone.
func tone() audio.Buffer {
	samples := make([]float32, 4000)
	for i := range samples {
		samples[i] = 0.25 * float32(1-i/20%2*2)
	}
	return audio.Buffer{Samples: samples, Rate: 8000, Channels: 1}
}

// hang speaks until its context ends; started receives a value once it speaks.
func hang(started chan<- struct{}) func(context.Context, service.Speech) (audio.Buffer, error) {
	return func(ctx context.Context, _ service.Speech) (audio.Buffer, error) {
		started <- struct{}{}
		<-ctx.Done()
		return audio.Buffer{}, ctx.Err()
	}
}

// until speaks once release is closed; started receives a value before.
func until(started chan<- struct{}, release <-chan struct{}) func(context.Context, service.Speech) (audio.Buffer, error) {
	return func(context.Context, service.Speech) (audio.Buffer, error) {
		started <- struct{}{}
		<-release
		return tone(), nil
	}
}

// fakeEncoder writes the format and the number of samples.
type fakeEncoder struct {
	ready  error
	encode func(w io.Writer) error // in place of it
}

func (e *fakeEncoder) Ready(context.Context) error { return e.ready }

func (e *fakeEncoder) Encode(_ context.Context, b audio.Buffer, format service.Format, w io.Writer) error {
	if e.encode != nil {
		return e.encode(w)
	}
	_, err := w.Write(append([]byte(format), make([]byte, len(b.Samples)%1000+1)...))
	return err
}

// fakeEnhancer enhances with a function, by a tag at the start without one.
type fakeEnhancer struct {
	enhance func(text string, v *service.Voice) (string, error)
}

func (e *fakeEnhancer) Enhance(_ context.Context, text string, v *service.Voice) (string, error) {
	if e.enhance != nil {
		return e.enhance(text, v)
	}
	return "[happy] " + text, nil
}

// faultyStore is a store whose methods can be replaced.
type faultyStore struct {
	service.Store
	reserve   func(context.Context, service.Reserve) error // in place of Reserve
	charge    func() error                                 // before Settle
	refund    func() error                                 // before Refund
	heartbeat func() error
	renew     func() error // in place of RenewDue
	key       func()
}

func (s *faultyStore) Reserve(ctx context.Context, r service.Reserve) (service.Reservation, error) {
	if s.reserve != nil {
		return service.Reservation{}, s.reserve(ctx, r)
	}
	return s.Store.Reserve(ctx, r)
}

func (s *faultyStore) Settle(
	ctx context.Context, id string, p service.Project, f service.NewFile,
) (service.Account, error) {
	if s.charge != nil {
		if err := s.charge(); err != nil {
			return service.Account{}, err
		}
	}
	return s.Store.Settle(ctx, id, p, f)
}

func (s *faultyStore) Refund(ctx context.Context, id, reason string) error {
	if s.refund != nil {
		if err := s.refund(); err != nil {
			return err
		}
	}
	return s.Store.Refund(ctx, id, reason)
}

func (s *faultyStore) Heartbeat(ctx context.Context, instance string) error {
	if s.heartbeat != nil {
		if err := s.heartbeat(); err != nil {
			return err
		}
	}
	return s.Store.Heartbeat(ctx, instance)
}

func (s *faultyStore) RenewDue(ctx context.Context, account int64, credits map[service.Plan]int64) (service.Account, error) {
	if s.renew != nil {
		return service.Account{}, s.renew()
	}
	return s.Store.RenewDue(ctx, account, credits)
}

func (s *faultyStore) KeyCaller(ctx context.Context, hash service.KeyHash) (service.Account, service.Key, error) {
	if s.key != nil {
		s.key()
	}
	return s.Store.KeyCaller(ctx, hash)
}

// events is an Observer that remembers.
type events struct {
	mu        sync.Mutex
	syntheses []service.SynthesisEvent
	reserved  int
	repaired  int
}

func (e *events) Reserved() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reserved++
}

func (e *events) Synthesis(s service.SynthesisEvent) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.syntheses = append(e.syntheses, s)
}
func (e *events) Enhancement(bool) {}
func (e *events) Repaired(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.repaired += n
}

// logBuffer is a log that may be read while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// kit is a service with a real store and a real folder, and parts that can fail.
type kit struct {
	*service.Service
	config   service.Config
	t        *testing.T
	clock    *clock
	store    *faultyStore
	folder   *folder.Folder
	a, b, c  *fakeProvider
	encoder  *fakeEncoder
	enhancer *fakeEnhancer
	events   *events
	log      *logBuffer
}

// newKit returns a kit; change may change its configuration.
func newKit(t *testing.T, change ...func(*service.Config)) *kit {
	t.Helper()
	now := &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	config := service.Config{Now: now.Now}
	for _, f := range change {
		f(&config)
	}
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "service.db"), Now: config.Now})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	files, err := folder.Open(t.TempDir())
	require.NoError(t, err)
	k := &kit{
		t: t, clock: now, store: &faultyStore{Store: db}, folder: files,
		a: &fakeProvider{voices: []service.Voice{anna, alan}}, b: &fakeProvider{voices: []service.Voice{bella}},
		c: &fakeProvider{voices: []service.Voice{carla}}, encoder: &fakeEncoder{}, enhancer: &fakeEnhancer{}, events: &events{},
		log: &logBuffer{},
	}
	k.Service = k.service("first", change...)
	t.Cleanup(func() {
		assert.NoError(t, db.Check(context.Background()), "the ledger is right at the end of every test")
	})
	return k
}

// service returns another service on the same store and folder, as another process has one.
func (k *kit) service(instance string, change ...func(*service.Config)) *service.Service {
	k.t.Helper()
	c := service.Config{
		Store: k.store, Files: k.folder, Encoder: k.encoder, Enhancer: k.enhancer,
		Providers: map[service.ProviderID]service.Provider{
			service.ProviderA: k.a, service.ProviderB: k.b, service.ProviderC: k.c,
		},
		Now: k.clock.Now, NewID: uuid.NewString, Random: rand.Reader, Instance: instance,
		Log: slog.New(slog.NewTextHandler(k.log, nil)), Observer: k.events,
	}
	for _, f := range change {
		f(&c)
	}
	k.config = c
	s, err := service.New(c)
	require.NoError(k.t, err)
	k.t.Cleanup(func() { assert.NoError(k.t, s.Close(context.Background())) })
	s.Beat(k.t.Context())
	return s
}

// free returns a caller on the free plan with 10,000 credits, who signed in.
func (k *kit) free(subject string) service.Caller {
	k.t.Helper()
	caller, err := k.TokenCaller(k.t.Context(), service.Identity{Subject: subject})
	require.NoError(k.t, err)
	return caller
}

// paying returns a caller on a plan with 100,000 credits, for 30 days from now.
func (k *kit) paying(subject string, plan service.Plan) service.Caller {
	k.t.Helper()
	account := k.free(subject).Account.ID
	_, err := k.store.SetPlan(k.t.Context(), account, plan, 100_000, service.PlanDays, service.Change{})
	require.NoError(k.t, err)
	return k.free(subject) // read again
}

// pro returns a paying caller with a name of its own.
func (k *kit) pro() service.Caller { return k.paying("pro-"+uuid.NewString(), service.Pro) }

// withKey returns the same account by a new API key, and the key.
func (k *kit) withKey(c service.Caller) (service.Caller, string) {
	k.t.Helper()
	plaintext, _, err := k.CreateKey(k.t.Context(), c, "")
	require.NoError(k.t, err)
	caller, err := k.KeyCaller(k.t.Context(), plaintext)
	require.NoError(k.t, err)
	return caller, plaintext
}

// account returns the account of a caller as it is now.
func (k *kit) account(c service.Caller) service.Account {
	k.t.Helper()
	a, err := k.store.Account(k.t.Context(), c.Account.Subject)
	require.NoError(k.t, err)
	return a
}

// files returns the names of all stored files.
func (k *kit) files() []string {
	k.t.Helper()
	var names []string
	for name, err := range k.folder.Names(context.Background()) {
		require.NoError(k.t, err)
		names = append(names, name)
	}
	return names
}

// noCharge fails the test unless the account has its credits, no file is stored and the next call is served.
func (k *kit) noCharge(c service.Caller) {
	k.t.Helper()
	assert.Equal(k.t, c.Account.Credits(), k.account(c).Credits(), "the credits are back")
	assert.Empty(k.t, k.files(), "no file is left")
	_, err := k.Synthesize(k.t.Context(), c, request(carla, "The next call."))
	assert.NoError(k.t, err, "the account can synthesize again")
}

// fails fails the test unless err has a status and a code, and a sentence for people.
func fails(t *testing.T, err error, status int, code service.Code) {
	t.Helper()
	require.Error(t, err)
	assert.Equal(t, status, service.StatusOf(err), "%v", err)
	assert.Equal(t, code, service.CodeOf(err), "%v", err)
	var e *service.Error
	if assert.ErrorAs(t, err, &e) {
		assert.Regexp(t, `^[A-Z].*\.$`, e.Sentence)
	}
}

// request returns a request for a voice with its provider's first model.
func request(v service.Voice, text string) service.SynthesizeRequest {
	models := map[service.ProviderID]string{
		service.ProviderA: service.ModelV3, service.ProviderB: "providerB-2-5-flash", service.ProviderC: "providerC-neural2",
	}
	return service.SynthesizeRequest{Text: text, Voice: v.ID, TTSModel: models[v.Provider]}
}

func ptr[T any](v T) *T { return &v }

var errBoom = errors.New("boom")

package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/bookexport"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/dictation"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/hosted/forward"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	voicestudio "github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/backend/updates"
	"github.com/voicewright/voicewright/backend/uploads"
	"github.com/voicewright/voicewright/backend/voiceprints"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// studio is the API on real services and a real database, with the fixture as the built-in voice.
type studio struct {
	*rig
	profile string // id of the built-in voice's profile
	voice   *enginetest.Fixture
	store   httpapi.Store
	models  string          // the models directory
	hub     *http.Transport // to the hub
	now     atomic.Pointer[time.Time]
	links   *httpapi.Links
	prints  *voiceprints.Store
	temp    string       // the folder for exports
	free    atomic.Int64 // bytes on its disk
	heard   *enginetest.FixtureTranscriber
}

// studioOptions are the differences of a test from the defaults.
type studioOptions struct {
	voice    engines.Speaker // nil = a Fixture
	limit    int             // of the queue, 0 = the usual one
	hub      *hubtest.Server // the model hub, nil = offline
	known    []registry.Entry
	store    func(*sqlite.DB) voicestudio.Store // what speech reads and writes; nil = the database itself
	heard    *enginetest.FixtureTranscriber     // nil = one that hears a segment a second
	speakers finder.Diarizers                   // nil = no speakers are found
	detector engines.SpeechDetector             // of samples; nil = all audio is speech
	clock    func() time.Time                   // of the rows; nil = the real one
	updates  updates.Options                    // what is asked for new versions
	books    func(books.Store) books.Store      // what books read and write; nil = the database itself
	at       func(place string)                 // called at places where a test may panic; nil = nothing
}

func newStudio(t testing.TB, w studioOptions) *studio {
	t.Helper()
	s := &studio{rig: newRig(t), models: t.TempDir()}
	s.at(time.Now())
	now := func() time.Time { return *s.now.Load() }
	dir := t.TempDir()
	s.prints = voiceprints.Open(filepath.Join(dir, "speakers"), filepath.Join(dir, "before-restore"), slog.New(slog.DiscardHandler))
	s.links = httpapi.NewLinks(now, s.prints.Name)
	services, events := s.services(t, dir, w)
	s.store, s.temp = services.Store, services.Speech.Synthesizer.TempDir()
	s.free.Store(1 << 40)
	s.serve(httpapi.Options{
		TempDir: s.temp, FreeSpace: func(context.Context) (int64, bool) { return s.free.Load(), true },
		Token: token, Links: s.links, Events: events, Audio: services.Speech.Generations.Archive, Services: services, Now: now,
	}, func(*httpapi.API) {})
	list, err := services.Store.Profiles(t.Context(), backend.ProfileFilter{})
	require.NoError(t, err)
	s.profile = list.Items[0].ID
	return s
}

// at sets the clock of the API.
func (s *studio) at(now time.Time) { s.now.Store(&now) }

// services builds the services as the program does.
func (s *studio) services(t testing.TB, dir string, w studioOptions) (httpapi.Services, *events.Streams) {
	t.Helper()
	ctx, log := context.Background(), slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(ctx, sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(dir, "library.db")), Now: w.clock})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, db.EnsureBuiltIn(ctx, "en"))
	if w.at == nil {
		w.at = func(string) {}
	}
	views := s.links.Views()
	generation := views.Generation
	views.Generation = func(g backend.Generation) any {
		w.at("view")
		return generation(g)
	}
	events := events.New(views, log)
	prefs, err := settings.Open(ctx, db)
	require.NoError(t, err)
	prefs.OnChange(func() { events.Publish("settings", struct{}{}) })
	if w.voice == nil {
		s.voice = enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 8000})
		w.voice = s.voice
	}
	if w.limit == 0 {
		w.limit = generations.DefaultQueueLimit
	}
	s.hub = &http.Transport{}
	t.Cleanup(s.hub.CloseIdleConnections)
	options := hub.Options{
		Wait: noWait, Offline: func() bool { return w.hub == nil },
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			w.at("hub")
			return s.hub.RoundTrip(r)
		}),
	}
	if w.hub != nil {
		options.Endpoint = w.hub.URL()
	}
	client, err := hub.New(hub.NewCache(s.models, ""), options)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	manager, err := models.New(models.Options{
		Hub: client, Known: w.known, Registry: filepath.Join(dir, "models.json"), Licenses: filepath.Join(dir, "licenses.json"),
		Drivers: []engines.Driver{toneDriver{w.at}}, BuiltIn: w.voice, Presets: db,
		Memory:     func() (total, free int64, ok bool) { return 8e9, 4e9, true },
		Resident:   func() int64 { return system.Resident(ctx) },
		IdleUnload: func() time.Duration { return -1 }, Now: time.Now, Log: log,
		Changed:  func(name string) { events.Publish("model", map[string]string{"model_name": name}) },
		Progress: events.Model,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, manager.Close(context.Background())) })
	stored := voicestudio.Store(db)
	if w.store != nil {
		stored = w.store(db)
	}
	if w.detector == nil {
		w.detector = everything{}
	}
	recorder := openDesk(t, dir, events)
	voices := profiles.New(profiles.Options{
		Dir: filepath.Join(dir, "voices"), Store: db, Models: manager, Codecs: audio.FindCodecs(), Detector: w.detector,
		Recordings: recorder, User: func() string { return "Ada" }, Changed: func() { events.Publish("profile", struct{}{}) },
		Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Log: log,
	})
	account := openHosted(t, dir, db, prefs, events)
	speaking, err := voicestudio.New(ctx, voicestudio.Options{
		Hosted: account, Clones: voices,
		Dir: filepath.Join(dir, "audio"), Store: stored, Models: manager, Encoder: audio.FindCodecs(),
		BuiltIn: "fixture", BuiltInVoice: englishOnly, Retention: func() time.Duration { return -1 },
		Pauses:       func() backend.Pauses { return backend.Pauses{Sentence: 0.35, Paragraph: 0.7, Heading: 1, Scene: 1.5} },
		DefaultVoice: func() (string, bool) { return prefs.String(settings.DefaultVoice), prefs.IsSet(settings.DefaultVoice) },
		Notify:       func(g backend.Generation) { events.Generation(g) },
		Words: func(ctx context.Context) ([]backend.Pronunciation, error) {
			w.at("text")
			return db.AllPronunciations(ctx)
		},
		Phonemes:   func(_ context.Context, _, _, text string) (string, error) { return text, nil },
		Unread:     func(context.Context, engines.Model, string, string) (bool, error) { return false, nil },
		Memory:     func() (total, free int64, ok bool) { return 8e9, 4e9, true },
		QueueLimit: w.limit, Version: "1.2.3", Now: time.Now, Log: log,
		NewID:   func() string { return uuid.Must(uuid.NewV7()).String() },
		NewSeed: func() int64 { return rand.Int64N(1 << 31) },
	})
	require.NoError(t, err)
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		require.NoError(t, speaking.Close(ended))
	})
	bookStore := books.Store(db)
	if w.books != nil {
		bookStore = w.books(db)
	}
	library := books.New(ctx, speaking.Generations, books.Options{
		Dir: filepath.Join(dir, "books"), Store: bookStore, Now: time.Now, Log: log,
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Notify: func(id string) { events.Publish("book", map[string]string{"id": id}) },
	})
	t.Cleanup(func() { require.NoError(t, library.Close(ctx)) })
	return httpapi.Services{
		Speech: speaking, Store: db, Books: library,
		BookExport: bookexport.New(bookexport.Options{
			Books: library, Codecs: audio.FindCodecs(), TempDir: speaking.Synthesizer.TempDir(), Now: time.Now,
		}),
		Export: export.New(export.Options{Store: db, Script: speaking.Scripts.StoredScript, Encoder: audio.FindCodecs(), TempDir: speaking.Synthesizer.TempDir(), Now: time.Now}),
		Models: manager, ModelsFolder: folder{manager, prefs}, Settings: prefs, Uploads: uploads.NewReader(&extract.Extractor{}),
		Updates: updates.New(w.updates), Restore: &restorer{},
		Backup: &backup.Service{
			Data: dir, Temp: speaking.Synthesizer.TempDir(), Copy: db.BackupTo, Version: "1.2.3", Now: time.Now,
			Open: func(ctx context.Context, path string) (backup.Library, error) {
				return sqlite.Open(ctx, sqlite.Options{Path: path})
			},
		},
		Recordings:     recorder,
		Profiles:       voices,
		VoicePrints:    s.voicePrints(db, voices, events, w),
		Transcriptions: s.transcriptions(t, dir, db, events, w),
		Dictation:      dictation.New(dictation.Options{Preferences: func() dictation.Preferences { return dictation.Preferences{} }}),
		Hosted:         account,
		SignIn:         signin.New(signin.Options{}),
		Forward:        forward.New(forward.Options{}),
		System: func(ctx context.Context) system.Info {
			info := system.Host(ctx, dir)
			info.Libraries = []system.Library{{Name: "espeak-ng", Install: &backend.Installation{
				Page:     "https://example.org",
				Packages: []backend.InstallPackage{{Systems: "Arch", Name: "espeak-ng", Command: "pacman -S espeak-ng"}},
			}}}
			return info
		},
	}, events
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// folder moves the models and remembers where they are.
type folder struct {
	manager *models.Manager
	prefs   *settings.Settings
}

func (f folder) Directory(context.Context) backend.ModelsDirectory {
	return f.manager.Directory(func(string) (int64, bool) { return 7e9, true })
}

func (f folder) Move(ctx context.Context, path string) error {
	return f.manager.MoveDirectory(ctx, path, func(string) error { return nil }, func(path string) error {
		return f.prefs.Put(ctx, map[string]any{settings.ModelsDir: path})
	})
}

func (f folder) Adopt(ctx context.Context, path string) error {
	return f.manager.AdoptDirectory(ctx, path, func(path string) error {
		return f.prefs.Put(ctx, map[string]any{settings.ModelsDir: path})
	})
}

func englishOnly(language string) (string, bool) { return "0", strings.HasPrefix(language, "en") }

// toneDriver opens folders that hold voice.tone: models whose two voices are those of the fixture.
type toneDriver struct{ at func(place string) }

func (toneDriver) Engine() string { return "tone" }

func (toneDriver) Abilities() engines.Abilities { return engines.Abilities{Mixes: true, Steps: true} }

func (toneDriver) Find(path string) (engines.Files, bool, error) {
	file := filepath.Join(path, "voice.tone")
	_, err := os.Stat(file)
	return engines.Files{"graph": file}, err == nil, nil
}

func (toneDriver) Describe(engines.Files) (engines.Description, error) {
	return engines.Description{
		Key: "Two-Tones", Name: "Two tones", Languages: []string{"en"}, SampleRate: 8000, Voices: toneVoices(), License: "CC0",
	}, nil
}

func (d toneDriver) Open(context.Context, engines.Files, engines.Options) (engines.Engine, error) {
	d.at("open")
	return enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 8000, Voices: toneVoices()}), nil
}

func toneVoices() []engines.Voice {
	return []engines.Voice{
		{ID: "low", Name: "Low", Language: "en-GB", Gender: "male"}, {ID: "high", Name: "High", Language: "en", Gender: "female"},
	}
}

// importTones imports the two voices of the tone engine.
func (s *studio) importTones() {
	s.t.Helper()
	folder := s.t.TempDir()
	require.NoError(s.t, os.WriteFile(filepath.Join(folder, "voice.tone"), []byte("tone"), 0o600))
	a := s.do("POST", "/models/import", fmt.Sprintf(`{"path":%q}`, folder))
	require.Equal(s.t, 201, a.StatusCode, a.body)
}

// object is a JSON object; numbers keep the form in which they came.
type object map[string]any

func (a answer) object(t testing.TB) object {
	t.Helper()
	var o object
	decode(t, a.body, &o)
	return o
}

func decode(t testing.TB, body string, to any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	require.NoError(t, dec.Decode(to), body)
	_, err := dec.Token()
	require.ErrorIs(t, err, io.EOF, "one value only")
}

// items are the entries of a list answer.
func (a answer) items(t testing.TB) []object {
	t.Helper()
	var list struct {
		Items []object `json:"items"`
	}
	decode(t, a.body, &list)
	return list.Items
}

// kind names the JSON type of a value; numbers without point and exponent are integers.
func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// requireShape wants the named fields with their types; "number" takes an integer too.
func requireShape(t testing.TB, want map[string]string, got object) {
	t.Helper()
	for name, typ := range want {
		require.Contains(t, got, name)
		is := kind(got[name])
		if typ == "number" && is == "integer" {
			is = "number"
		}
		require.Equal(t, typ, is, "type of %s: %v", name, got[name])
	}
}

// scenario is one request and what must come back.
type scenario struct {
	name, method, path, body string
	headers                  []string
	status                   int
	has                      []string // parts of the answer
	hasNot                   []string
}

// play sends the scenarios in order; {profile} stands for the built-in voice's profile in paths and bodies.
func (s *studio) play(t *testing.T, list []scenario) {
	t.Helper()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			a := s.do(c.method, s.fill(c.path), s.fill(c.body), c.headers...)
			require.Equal(t, c.status, a.StatusCode, a.body)
			for _, part := range c.has {
				require.Contains(t, a.body, s.fill(part))
			}
			for _, part := range c.hasNot {
				require.NotContains(t, a.body, s.fill(part))
			}
			if c.status == 422 && len(c.has) > 0 {
				requireInvalidOrProblem(t, a)
			}
		})
	}
}

// requireInvalidOrProblem checks the shape of an error's body.
func requireInvalidOrProblem(t *testing.T, a answer) {
	t.Helper()
	o := a.object(t)
	if text, ok := o["detail"].(string); ok {
		require.NotEmpty(t, text)
		requireShape(t, map[string]string{"code": "string", "remedy": "string", "params": "object"}, o)
		return
	}
	fields, ok := o["detail"].([]any)
	require.True(t, ok, a.body)
	require.NotEmpty(t, fields)
	for _, f := range fields {
		field := object(f.(map[string]any))
		requireShape(t, map[string]string{"loc": "array", "msg": "string", "type": "string"}, field)
		for _, part := range field["loc"].([]any) {
			require.Equal(t, "string", kind(part))
		}
	}
}

func (s *studio) fill(text string) string { return strings.ReplaceAll(text, "{profile}", s.profile) }

// speak returns a complete generation with the built-in voice; more is added to the body.
func (s *studio) speak(text, more string) object {
	s.t.Helper()
	a := s.do("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":%q%s}`, s.profile, text, more))
	require.Equal(s.t, 200, a.StatusCode, a.body)
	return a.object(s.t)
}

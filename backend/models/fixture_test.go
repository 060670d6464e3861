package models_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// driver opens folders with KEY.graph, whose words are the voices, and KEY.config.
type driver struct {
	options atomic.Value                           // engines.Options of the last opened model
	open    func(ctx context.Context, n int) error // before the open with this number, from 1; may be nil
	opened  atomic.Int64
	speaker enginetest.FixtureOptions

	mu       sync.Mutex
	speakers []*enginetest.Fixture
}

var _ engines.Driver = (*driver)(nil)

func (*driver) Engine() string { return "fake" }

func (*driver) Find(path string) (engines.Files, bool, error) {
	graphs, err := filepath.Glob(filepath.Join(path, "*.graph"))
	if err != nil || len(graphs) == 0 {
		return nil, false, err
	}
	config := strings.TrimSuffix(graphs[0], ".graph") + ".config"
	if info, err := os.Stat(config); err != nil || info.Size() == 0 {
		return nil, true, backend.E(backend.CodeModelCorrupt, "The file "+filepath.Base(config)+" is missing or empty.", "Get it again.")
	}
	return engines.Files{"graph": graphs[0], "config": config}, true, nil
}

func (*driver) Describe(files engines.Files) (engines.Description, error) {
	raw, err := os.ReadFile(files["graph"])
	if err != nil {
		return engines.Description{}, err
	}
	d := engines.Description{
		Key: strings.TrimSuffix(filepath.Base(files["graph"]), ".graph"), Languages: []string{"en-GB"}, SampleRate: 24000,
	}
	d.Name = "Fake " + d.Key
	for _, id := range strings.Fields(string(raw)) {
		d.Voices = append(d.Voices, engines.Voice{ID: id, Name: strings.ToUpper(id), Language: "en-GB"})
	}
	return d, nil
}

func (d *driver) Open(ctx context.Context, files engines.Files, options engines.Options) (engines.Engine, error) {
	d.options.Store(options)
	n := int(d.opened.Add(1))
	if d.open != nil {
		if err := d.open(ctx, n); err != nil {
			return nil, err
		}
	}
	about, err := d.Describe(files)
	if err != nil {
		return nil, err
	}
	o := d.speaker
	o.Voices = about.Voices
	f := enginetest.NewFixture(o)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.speakers = append(d.speakers, f)
	return f, nil
}

// inMemory returns how many speakers are not closed.
func (d *driver) inMemory() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for _, s := range d.speakers {
		if !s.Closed() {
			n++
		}
	}
	return n
}

// fixture is a Manager with a real store and a test hub.
type fixture struct {
	t       *testing.T
	root    string
	db      *sqlite.DB
	driver  *driver
	idle    atomic.Int64 // time.Duration
	freed   atomic.Int64
	dir     string // of the models
	shared  string // another program's cache
	hub     hub.Options
	server  *hubtest.Server
	repos   []hubtest.Repo
	memory  func() (total, free int64, ok bool)
	log     *errorLog
	options models.Options
	manager *models.Manager
	edits   int
	hold    chan struct{} // closed when the hub may send the second half of the graphs

	mu       sync.Mutex
	progress map[string][]backend.ModelProgress
	changes  []string
}

// errorLog fails the test when an error is logged, such as a state change against the table.
type errorLog struct {
	slog.Handler
	t *testing.T
}

func (m *errorLog) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

func (m *errorLog) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += " " + a.String()
		return true
	})
	m.t.Error("logged: " + text)
	return nil
}

func newFixture(t *testing.T, change ...func(*fixture)) *fixture {
	t.Helper()
	l := &fixture{t: t, root: t.TempDir(), driver: &driver{}, progress: map[string][]backend.ModelProgress{}}
	l.dir = filepath.Join(l.root, "models")
	l.log = &errorLog{slog.DiscardHandler, t}
	l.memory = func() (int64, int64, bool) { return 0, 0, false }
	var err error
	l.db, err = sqlite.Open(t.Context(), sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(l.root, "voicewright.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.db.Close()) })
	l.idle.Store(int64(time.Hour))
	l.hub.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	l.options = models.Options{
		Registry: filepath.Join(l.root, "models.json"), Licenses: filepath.Join(l.root, "licenses.json"),
		Pins:    filepath.Join(l.root, "pins.json"),
		Drivers: []engines.Driver{l.driver}, BuiltIn: enginetest.NewFixture(enginetest.FixtureOptions{}), Presets: l.db,
		IdleUnload: func() time.Duration { return time.Duration(l.idle.Load()) }, AfterFree: func() { l.freed.Add(1) },
		Memory:   func() (int64, int64, bool) { return l.memory() },
		Resident: func() int64 { return 0 },
		Progress: func(p backend.ModelProgress) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.progress[p.ModelName] = append(l.progress[p.ModelName], p)
		},
		Changed: func(name string) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.changes = append(l.changes, name)
		},
		Now: time.Now, Log: slog.New(l.log),
	}
	for _, f := range change {
		f(l)
	}
	l.server = hubtest.Start(l.repos...)
	t.Cleanup(l.server.Close)
	l.hub.Endpoint = l.server.URL()
	l.start()
	return l
}

// start creates a Manager, as a new process does.
func (l *fixture) start() {
	l.t.Helper()
	if l.manager != nil {
		require.NoError(l.t, l.manager.Close(context.Background()))
	}
	client, err := hub.New(hub.NewCache(l.dir, l.shared), l.hub)
	require.NoError(l.t, err)
	l.t.Cleanup(client.Close)
	l.options.Hub = client
	m, err := models.New(l.options)
	require.NoError(l.t, err)
	l.manager = m
	l.t.Cleanup(func() {
		require.NoError(l.t, m.Close(context.Background()))
		require.Zero(l.t, l.driver.inMemory(), "a model was not closed")
	})
}

// folder creates the folder of a model with these voices.
func (l *fixture) folder(key, voices string) string {
	l.t.Helper()
	dir := l.t.TempDir()
	require.NoError(l.t, os.WriteFile(filepath.Join(dir, key+".graph"), []byte(voices), 0o600))
	require.NoError(l.t, os.WriteFile(filepath.Join(dir, key+".config"), []byte("config of "+key), 0o600))
	return dir
}

func (l *fixture) imported(key, voices string) backend.ModelStatus {
	l.t.Helper()
	s, err := l.manager.Import(l.t.Context(), l.folder(key, voices), "", "")
	require.NoError(l.t, err)
	return s
}

func (l *fixture) acquire(name string) *engines.Loaded {
	l.t.Helper()
	loaded, err := l.manager.Acquire(l.t.Context(), name, nil)
	require.NoError(l.t, err)
	return loaded
}

// files returns the files below the root, without the database.
func (l *fixture) files() []string {
	l.t.Helper()
	var out []string
	require.NoError(l.t, filepath.WalkDir(l.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "voicewright.db") || strings.Contains(path, ".locks") {
			return err
		}
		rel, err := filepath.Rel(l.root, path)
		out = append(out, rel)
		return err
	}))
	return out
}

var (
	requireCode = backendtest.RequireCode
	failure     = backendtest.Failure
)

func requireInvalid(t *testing.T, typ, field string, err error) {
	t.Helper()
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, typ, invalid.Fields[0].Type)
	require.Equal(t, []string{"body", field}, invalid.Fields[0].Loc)
}

// repo returns a repository with these files.
func repo(id string, files map[string]string) hubtest.Repo {
	r := hubtest.Repo{ID: id, Files: map[string]hubtest.Content{}}
	for path, content := range files {
		r.Files[path] = hubtest.Bytes([]byte(content))
	}
	return r
}

// size is that of the graph of a fake hub model, so large that it needs several reads.
const size = 400_000

// graph returns a graph of that size whose first words are the voices.
func graph(voices string) string { return voices + strings.Repeat(" ", size-len(voices)) }

// known adds a registry entry of a fake model and its repository at the hub.
func (l *fixture) known(name string, voices ...string) *registry.Entry {
	id := "acme/" + name
	files := map[string]string{name + ".graph": graph(strings.Join(voices, " ")), name + ".config": "config of " + name}
	l.repos = append(l.repos, repo(id, files))
	e := registry.Entry{
		Name: name, DisplayName: "Fake " + name, Engine: "fake", Family: registry.Speech, Key: name, Languages: []string{"en"},
		SampleRate: 24000, Variants: []registry.Variant{{Name: "fp32", Files: []registry.File{
			file(id, name+".config", files[name+".config"], "config"), file(id, name+".graph", files[name+".graph"], "graph"),
		}}},
	}
	for _, v := range voices {
		e.Voices = append(e.Voices, registry.Voice{ID: v, Name: strings.ToUpper(v), Language: "en"})
	}
	l.options.Known = append(l.options.Known, e)
	return &l.options.Known[len(l.options.Known)-1]
}

// file returns a pinned file.
func file(id, path, content, role string) registry.File {
	sum := sha256.Sum256([]byte(content))
	return registry.File{
		Repo: id, Revision: hubtest.CommitOf(id), Path: path, Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:]),
		Role: role, Pinned: true,
	}
}

func (l *fixture) state(name string) backend.ModelState {
	l.t.Helper()
	return l.get(name).State
}

func (l *fixture) get(name string) backend.ModelStatus {
	l.t.Helper()
	s, err := l.manager.Get(l.t.Context(), name)
	require.NoError(l.t, err)
	return s
}

// profiles returns the names of all profiles.
func (l *fixture) profiles() []string {
	l.t.Helper()
	list, err := l.db.Profiles(l.t.Context(), backend.ProfileFilter{All: true, Page: backend.Page{Limit: 500}})
	require.NoError(l.t, err)
	out := make([]string, len(list.Items))
	for i, p := range list.Items {
		out[i] = p.Name
	}
	return out
}

func say(text string) engines.Utterance { return engines.Utterance{Text: text, Speed: 1} }

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func writeFile(path string, raw []byte) error { return os.WriteFile(path, raw, 0o600) }

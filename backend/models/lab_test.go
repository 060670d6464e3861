package models_test

import (
	"context"
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
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// driver knows folders with KEY.graph, whose lines are the voices, and KEY.config.
type driver struct {
	open   func(ctx context.Context, n int) error // before the open with this number, from 1; may be nil
	opened atomic.Int64

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

func (d *driver) Open(ctx context.Context, files engines.Files, _ engines.Options) (engines.Speaker, error) {
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
	f := enginetest.NewFixture(enginetest.FixtureOptions{Voices: about.Voices})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.speakers = append(d.speakers, f)
	return f, nil
}

// inMemory counts the speakers that are not closed.
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

// lab is a Manager on a real store.
type lab struct {
	t       *testing.T
	root    string
	db      *sqlite.DB
	driver  *driver
	idle    atomic.Int64 // time.Duration
	freed   atomic.Int64
	options models.Options
	manager *models.Manager
}

func newLab(t *testing.T, change ...func(*lab)) *lab {
	t.Helper()
	l := &lab{t: t, root: t.TempDir(), driver: &driver{}}
	var err error
	l.db, err = sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(l.root, "voicewright.db")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.db.Close()) })
	l.idle.Store(int64(time.Hour))
	l.options = models.Options{
		Dir: filepath.Join(l.root, "models"), Registry: filepath.Join(l.root, "models.json"),
		Drivers: []engines.Driver{l.driver}, BuiltIn: enginetest.NewFixture(enginetest.FixtureOptions{}), Presets: l.db,
		IdleUnload: func() time.Duration { return time.Duration(l.idle.Load()) }, AfterFree: func() { l.freed.Add(1) },
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
	for _, f := range change {
		f(l)
	}
	l.start()
	return l
}

func (l *lab) start() {
	l.t.Helper()
	m, err := models.New(l.options)
	require.NoError(l.t, err)
	l.manager = m
	l.t.Cleanup(func() {
		require.NoError(l.t, m.Close())
		require.Zero(l.t, l.driver.inMemory(), "a model was not closed")
	})
}

// folder makes a voice folder with these voices.
func (l *lab) folder(key, voices string) string {
	l.t.Helper()
	dir := l.t.TempDir()
	require.NoError(l.t, os.WriteFile(filepath.Join(dir, key+".graph"), []byte(voices), 0o600))
	require.NoError(l.t, os.WriteFile(filepath.Join(dir, key+".config"), []byte("config of "+key), 0o600))
	return dir
}

func (l *lab) imported(key, voices string) backend.ModelStatus {
	l.t.Helper()
	s, err := l.manager.Import(l.t.Context(), l.folder(key, voices), "", "")
	require.NoError(l.t, err)
	return s
}

func (l *lab) acquire(name string) *engines.Loaded {
	l.t.Helper()
	loaded, err := l.manager.Acquire(l.t.Context(), name, nil)
	require.NoError(l.t, err)
	return loaded
}

// leftovers lists what lies in the models directory.
func (l *lab) leftovers() []string {
	l.t.Helper()
	var out []string
	require.NoError(l.t, filepath.WalkDir(l.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "voicewright.db") {
			return err
		}
		rel, err := filepath.Rel(l.root, path)
		out = append(out, rel)
		return err
	}))
	return out
}

func requireCode(t *testing.T, want backend.Code, err error) {
	t.Helper()
	require.NotNil(t, failure(t, want, err))
}

// failure gives what a user would read of an error with this code.
func failure(t *testing.T, want backend.Code, err error) *backend.Error {
	t.Helper()
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, want, e.Code, "%v", err)
	require.NotEmpty(t, e.Detail)
	require.NotEmpty(t, e.Remedy)
	return e
}

func requireInvalid(t *testing.T, typ, field string, err error) {
	t.Helper()
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, typ, invalid.Fields[0].Type)
	require.Equal(t, []string{"body", field}, invalid.Fields[0].Loc)
}

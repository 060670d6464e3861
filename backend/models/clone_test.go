package models_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// cloneDriver is a driver whose models with the key "mimic" clone, and have no voices.
type cloneDriver struct {
	*driver

	mu        sync.Mutex
	forgotten []string
}

func (d *cloneDriver) Describe(files engines.Files) (engines.Description, error) {
	about, err := d.driver.Describe(files)
	about.Clones = about.Key == "mimic"
	return about, err
}

func (*cloneDriver) CloneRules(key string) (engines.CloneRules, bool) {
	return engines.CloneRules{Over: 5, Longest: 30}, key == "mimic"
}

func (d *cloneDriver) Open(ctx context.Context, files engines.Files, o engines.Options) (engines.Engine, error) {
	e, err := d.driver.Open(ctx, files, o)
	if err != nil {
		return nil, err
	}
	return mimic{e.(*enginetest.Fixture), d}, nil
}

// mimic is a model that clones.
type mimic struct {
	*enginetest.Fixture
	d *cloneDriver
}

func (m mimic) Forget(key string) {
	m.d.mu.Lock()
	defer m.d.mu.Unlock()
	m.d.forgotten = append(m.d.forgotten, key)
}

// TestImportOfACloningModel: it needs no voices, and is opened under the name and the revision by which it stores what it
// computes from samples.
func TestImportOfACloningModel(t *testing.T) {
	t.Parallel()
	var d *cloneDriver
	l := newFixture(t, func(l *fixture) {
		d = &cloneDriver{driver: l.driver}
		l.options.Drivers = []engines.Driver{d}
	})
	s, err := l.manager.Import(t.Context(), l.folder("mimic", " "), "", "my-mimic")
	require.NoError(t, err)
	require.True(t, s.Cloning)
	require.True(t, s.Supported)
	require.Zero(t, s.Voices)
	require.Empty(t, l.profiles())

	l.start() // a new process
	require.True(t, l.get("my-mimic").Cloning)
	m, err := l.manager.Model("my-mimic")
	require.NoError(t, err)
	require.Equal(t, &engines.CloneRules{Over: 5, Longest: 30}, m.Clones)
	loaded := l.acquire("my-mimic")
	require.Implements(t, (*engines.Cloner)(nil), loaded.Speaker)
	loaded.Release()
	options := l.driver.options.Load().(engines.Options)
	require.Equal(t, []string{"my-mimic", s.Revision + " imported"}, []string{options.Model, options.Revision})

	l.manager.Forget("key of a sample")
	require.Equal(t, []string{"key of a sample"}, d.forgotten)
	_, err = l.manager.Unload(t.Context(), "my-mimic", false)
	require.NoError(t, err)
	l.manager.Forget("another")
	require.Len(t, d.forgotten, 1, "nothing is in memory")

	_, err = l.manager.Import(t.Context(), l.folder("silent", " "), "", "")
	require.ErrorContains(t, err, "voices: must not be empty", "a model without voices that cannot clone")
}

// TestCloningModelsOfTheRegistry: a model clones where the list says so and the driver knows its key.
func TestCloningModelsOfTheRegistry(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		for _, name := range []string{"mimic", "unknown"} {
			e := l.known(name)
			e.Cloning = true
		}
		l.known("plain", "anna").Key = "mimic"
		other := l.known("later")
		other.Engine, other.Cloning = "later", true
		l.options.Drivers = []engines.Driver{&cloneDriver{driver: l.driver}}
	})
	l.options.Known[0].LanguageNotes = map[string]string{"en": "Only for the test."}
	l.start()
	for name, clones := range map[string]bool{"mimic": true, "unknown": false, "plain": false, "later": false} {
		m, err := l.manager.Model(name)
		require.NoError(t, err)
		require.Equal(t, clones, m.Clones != nil, name)
		detail, err := l.manager.Detail(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, name == "mimic", detail.Notes["en"] != "", name)
		require.NotNil(t, detail.Notes)
		require.Equal(t, name != "plain", l.get(name).Cloning, name)
		require.Equal(t, name != "later", l.get(name).Supported, name)
	}
	l.download("mimic")
	l.acquire("mimic").Release()
	options := l.driver.options.Load().(engines.Options)
	require.Equal(t, l.get("mimic").Revision+" fp32", options.Revision)
}

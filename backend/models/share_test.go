package models_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// withSameFiles adds two entries with the same files and different voices.
func withSameFiles(l *fixture) {
	l.known("alpha", "anna")
	e := l.options.Known[0]
	e.Name, e.DisplayName, e.Key = "beta", "Fake beta", "beta"
	e.Voices = []registry.Voice{{ID: "bert", Name: "BERT", Language: "en"}}
	l.options.Known = append(l.options.Known, e)
}

func TestSameFilesAreFoundAtOnce(t *testing.T) {
	t.Parallel()
	for name, fill := range map[string]func(l *fixture){
		"by a download": func(l *fixture) { l.download("alpha") },
		"by an import": func(l *fixture) {
			_, err := l.manager.ImportInto(t.Context(), "alpha", lay(t, map[string]string{
				"alpha.config": "config of alpha", "alpha.graph": graph("anna"),
			}))
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, withSameFiles, func(l *fixture) { l.known("gamma", "cleo") })
			fill(l)
			for range 2 { // now, and as a restart finds it
				s := l.get("beta")
				require.Equal(t, backend.ModelDownloaded, s.State)
				p, err := l.manager.Progress("beta")
				require.NoError(t, err)
				require.Equal(t, backend.DownloadComplete, p.Status)
				require.False(t, l.get("gamma").Downloaded)
				require.ElementsMatch(t, []string{"ANNA", "BERT"}, l.profiles())
				l.start()
			}
			p, err := l.db.ProfileByPreset(t.Context(), "fake", "beta#bert")
			require.NoError(t, err)
			require.NoError(t, l.db.DeleteProfile(t.Context(), p.ID))
			flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
			v, err := l.manager.Verify(t.Context(), "alpha")
			require.NoError(t, err)
			require.False(t, v.OK)
			s := l.get("beta")
			require.Equal(t, backend.ModelBroken, s.State, "it lacks the file too")
			require.Equal(t, "alpha.graph", s.Error.Params["file"])
			fill(l)
			require.Equal(t, backend.ModelDownloaded, l.state("beta"), "it is repaired with the other one")
			require.Nil(t, l.get("beta").Error)
			require.Equal(t, []string{"ANNA"}, l.profiles(), "deleted profiles stay deleted")
		})
	}
}

// TestDeletingOneOfTwoWithTheSameFiles deletes both, one after the other, with and without restarts.
func TestDeletingOneOfTwoWithTheSameFiles(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]func(*fixture){"at run time": func(*fixture) {}, "after restarts": (*fixture).start} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, withSameFiles)
			l.download("alpha")
			restart(l)
			d, err := l.manager.Delete(t.Context(), "alpha", false)
			require.NoError(t, err)
			require.Zero(t, d.FreedMB, "the other one needs all of it")
			restart(l)
			require.Equal(t, backend.ModelNotDownloaded, l.state("alpha"), "it was deleted")
			require.True(t, l.get("beta").Downloaded)
			require.ElementsMatch(t, []string{"ANNA", "BERT"}, l.profiles())
			l.acquire("beta").Release()

			l.download("alpha")
			require.Equal(t, int64(size), l.server.Bytes("alpha.graph"), "it is downloaded already")
			restart(l)
			require.True(t, l.get("alpha").Downloaded)
			for _, name := range []string{"beta", "alpha"} {
				d, err = l.manager.Delete(t.Context(), name, false)
				require.NoError(t, err)
				restart(l)
			}
			require.Equal(t, 1, d.FreedMB, "no other model needs it")
			require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"))
			for _, name := range []string{"alpha", "beta"} {
				require.Equal(t, backend.ModelNotDownloaded, l.state(name))
			}
		})
	}
}

// TestDeleteKeepsWhatARestartWouldFind has a model that is complete on the disk, which only the next start finds.
func TestDeleteKeepsWhatARestartWouldFind(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]func(*fixture){"at run time": func(*fixture) {}, "after a restart": (*fixture).start} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, withSameFiles, func(l *fixture) {
				l.driver.open = func(_ context.Context, n int) error {
					if n == 1 {
						return backend.E(backend.CodeModelCorrupt, "The graph makes no sense.", "Download it again.")
					}
					return nil
				}
			})
			l.download("alpha")
			_, err := l.manager.Load(t.Context(), "beta", false, false)
			requireCode(t, backend.CodeModelCorrupt, err)
			require.Equal(t, backend.ModelBroken, l.state("beta"))
			restart(l)
			_, err = l.manager.Delete(t.Context(), "alpha", false)
			require.NoError(t, err)
			l.start()
			require.True(t, l.get("beta").Downloaded)
			require.False(t, l.get("alpha").Downloaded)
		})
	}
}

// branched adds two models of one repository without hashes.
func branched(l *fixture) {
	for _, name := range []string{"alpha", "beta"} {
		e := l.known(name, "anna-"+name)
		for i := range e.Variants[0].Files {
			f := &e.Variants[0].Files[i]
			f.Repo, f.Pinned, f.SHA256, f.Revision = "acme/alpha", false, "", registry.Branch
		}
	}
	all := l.repos[0]
	for path, content := range l.repos[1].Files {
		all.Files[path] = content
	}
	l.repos = []hubtest.Repo{all}
}

// TestBranchThatMoved: the repository has a new commit between two downloads.
func TestBranchThatMoved(t *testing.T) {
	t.Parallel()
	l := newFixture(t, branched)
	require.Equal(t, registry.Branch, l.get("alpha").Revision)
	l.download("alpha")
	first := hubtest.CommitOf("acme/alpha")
	require.Equal(t, first, l.get("alpha").Revision, "the commit is known now")
	second := l.repos[0]
	second.Commit = hubtest.CommitOf("second")
	l.server.Add(second)
	l.download("beta")
	for range 2 {
		require.Equal(t, first, l.get("alpha").Revision)
		require.Equal(t, second.Commit, l.get("beta").Revision)
		for _, name := range []string{"alpha", "beta"} {
			require.True(t, l.get(name).Downloaded, name)
			l.acquire(name).Release()
		}
		l.start()
	}
	require.Equal(t, int64(size), l.server.Bytes("alpha.graph"))

	_, err := l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, registry.Branch, l.get("alpha").Revision)
	l.start()
	require.False(t, l.get("alpha").Downloaded)
	require.True(t, l.get("beta").Downloaded)
	_, err = l.manager.Delete(t.Context(), "beta", false)
	require.NoError(t, err)
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG", "pins.json"))
}

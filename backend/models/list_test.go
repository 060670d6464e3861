package models_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// write replaces the user's list, as an editor does, each time with a new modification time.
func (l *fixture) write(content string) {
	l.t.Helper()
	require.NoError(l.t, os.WriteFile(l.options.Registry, []byte(content), 0o600))
	l.edits++
	then := time.Now().Add(time.Duration(l.edits) * time.Second)
	require.NoError(l.t, os.Chtimes(l.options.Registry, then, then))
}

func (l *fixture) list(entries ...registry.Entry) string {
	l.t.Helper()
	raw, err := registry.Format(entries)
	require.NoError(l.t, err)
	return string(raw)
}

func (l *fixture) names() []string {
	l.t.Helper()
	out := []string{}
	for _, s := range l.manager.Status(l.t.Context()) {
		out = append(out, s.ModelName)
	}
	return out
}

func TestListThatIsEditedWhileRunning(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.known("beta", "bert")
		l.options.Known = l.options.Known[:1:1]
	})
	beta, gamma := entry("beta", "bert"), entry("gamma", "cleo")
	require.Equal(t, []string{"alpha"}, l.names())
	l.write(l.list(beta))
	require.Equal(t, []string{"alpha", "beta"}, l.names(), "a new entry appears")
	l.download("beta")
	l.acquire("beta").Release()

	l.write(l.list(gamma, beta))
	require.Equal(t, []string{"alpha", "beta", "gamma"}, l.names())
	require.True(t, l.get("beta").Loaded, "an unchanged entry keeps its model")

	l.write(l.list(gamma))
	require.Equal(t, []string{"alpha", "beta", "gamma"}, l.names(), "it is still in memory")
	_, err := l.manager.Unload(t.Context(), "beta", false)
	require.NoError(t, err)
	require.Equal(t, []string{"alpha", "gamma"}, l.names(), "and is removed when it is not")

	changed := gamma
	changed.DisplayName = "Another name"
	clash := beta
	clash.Name = "ALPHA"
	l.write(l.list(changed, clash))
	require.Equal(t, []string{"alpha", "gamma"}, l.names(), "a model of the registry is not replaced")
	require.Equal(t, "Another name", l.get("gamma").DisplayName)
	_, err = l.manager.Register(t.Context(), beta)
	require.NoError(t, err)
	raw, err := os.ReadFile(l.options.Registry)
	require.NoError(t, err)
	require.Equal(t, l.list(changed, clash, beta), string(raw), "the user's file is unchanged")

	require.NoError(t, os.Remove(l.options.Registry))
	require.Equal(t, []string{"alpha"}, l.names())
}

func TestBrokenList(t *testing.T) {
	t.Parallel()
	sound := `{"models":[` + strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(formatted(t), `{
  "models": [`), "]\n}\n")) + `]}`
	for name, content := range map[string]string{
		"no json":        "{",
		"empty":          "",
		"wrong type":     `{"models":"x"}`,
		"bad name":       `{"models":[{"model_name":"../x"}]}`,
		"path elsewhere": strings.Replace(sound, "beta.graph", "../../secret", 1),
		"half of it":     strings.Replace(sound, `{"models":[`, `{"models":[{"model_name":"x"},`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
			l.write(content)
			l.start()
			want := []string{"alpha"}
			if name == "half of it" {
				want = append(want, "beta")
			}
			require.Equal(t, want, l.names(), "the valid entries work")
			_, err := l.manager.Import(t.Context(), l.folder("own", "x"), "", "")
			require.Contains(t, failure(t, backend.CodeModelCorrupt, err).Detail, l.options.Registry)
			_, err = l.manager.Register(t.Context(), entry("gamma", "cleo"))
			requireCode(t, backend.CodeModelCorrupt, err)
			raw, err := os.ReadFile(l.options.Registry)
			require.NoError(t, err)
			require.Equal(t, content, string(raw), "the file is unchanged")

			l.write(sound)
			_, err = l.manager.Register(t.Context(), entry("gamma", "cleo"))
			require.NoError(t, err)
			require.Equal(t, []string{"alpha", "beta", "gamma"}, l.names())
			l.write("{")
			require.Equal(t, []string{"alpha", "beta", "gamma"}, l.names(), "an invalid file removes no entries")
		})
	}
}

func formatted(t *testing.T) string {
	t.Helper()
	raw, err := registry.Format([]registry.Entry{entry("beta", "bert")})
	require.NoError(t, err)
	return string(raw)
}

func TestRegister(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.server.Add(repo("acme/beta", map[string]string{"beta.graph": graph("bert"), "beta.config": "config of beta"}))
	s, err := l.manager.Register(t.Context(), entry("beta", "bert"))
	require.NoError(t, err)
	require.Equal(t, "beta", s.ModelName)
	require.False(t, s.Downloaded)
	l.download("beta")
	l.acquire("beta").Release()
	l.start()
	require.True(t, l.get("beta").Downloaded, "it is downloaded after a restart")
	for _, name := range []string{"alpha", "beta", "BETA"} {
		_, err = l.manager.Register(t.Context(), entry(name, "x"))
		require.Equal(t, name, failure(t, backend.CodeNameTaken, err).Params["name"])
	}
	bad := entry("gamma", "cleo")
	bad.SampleRate = 1
	_, err = l.manager.Register(t.Context(), bad)
	requireInvalid(t, "value_error", "sample_rate", err)
	local := entry("gamma", "cleo")
	for i := range local.Variants[0].Files {
		local.Variants[0].Files[i].Repo, local.Variants[0].Files[i].Revision = "", ""
	}
	_, err = l.manager.Register(t.Context(), local)
	requireInvalid(t, "value_error", "variants", err)
}

// entry returns the entry of a fake model.
func entry(name string, voices ...string) registry.Entry {
	l := &fixture{}
	e := *l.known(strings.ToLower(name), voices...)
	e.Name = name
	return e
}

// TestCatalogueIsLimited: the index is read into memory, and a hub can send any size.
func TestCatalogueIsLimited(t *testing.T) {
	t.Parallel()
	huge := `{}` + strings.Repeat(" ", 17<<20)
	l := newFixture(t, func(l *fixture) {
		l.repos = append(l.repos, repo(registry.PiperRepo, map[string]string{"voices.json": huge}))
	})
	_, err := l.manager.Catalogue(t.Context(), "piper", "", "")
	require.Contains(t, failure(t, backend.CodeDownloadFailed, err).Detail, "The limit is")
	require.Zero(t, l.server.Bytes("voices.json"), "no byte is downloaded")
}

func TestCatalogue(t *testing.T) {
	t.Parallel()
	const key = "en_GB-nora-low"
	files := map[string]string{
		"en/nora/" + key + ".onnx": "graph", "en/nora/" + key + ".onnx.json": "{}", "en/nora/MODEL_CARD": "card",
	}
	index := map[string]any{}
	add := func(key, name string) {
		of := map[string]any{}
		for path, content := range files {
			of[strings.ReplaceAll(path, "nora", name)] = map[string]any{"size_bytes": len(content), "md5_digest": strings.Repeat("0", 32)}
		}
		index[key] = map[string]any{
			"key": key, "name": name, "quality": "low", "num_speakers": 1, "files": of,
			"language": map[string]any{"code": "en_GB", "name_english": "English", "name_native": "English", "country_english": "Britain"},
		}
	}
	add(key, "nora")
	add("en_GB-owen-low", "owen")
	raw, err := json.Marshal(index)
	require.NoError(t, err)
	files["voices.json"] = string(raw)
	l := newFixture(t, func(l *fixture) { l.repos = append(l.repos, repo(registry.PiperRepo, files)) })

	_, err = l.manager.Catalogue(t.Context(), "kokoro", "", "")
	require.Error(t, err)
	items, err := l.manager.Catalogue(t.Context(), "piper", "", "en")
	require.NoError(t, err)
	require.Len(t, items, 2)
	require.False(t, items[0].Registered)
	requests := len(l.server.Requests(""))

	s, err := l.manager.RegisterVoice(t.Context(), "piper", key)
	require.NoError(t, err)
	require.Equal(t, "piper-"+key, s.ModelName)
	require.Equal(t, "piper", s.Engine)
	items, err = l.manager.Catalogue(t.Context(), "piper", "nora", "")
	require.NoError(t, err)
	require.Len(t, items, 1)
	require.True(t, items[0].Registered)
	require.Len(t, l.server.Requests(""), requests, "not every search sends a request")
	_, err = l.manager.RegisterVoice(t.Context(), "piper", key)
	requireCode(t, backend.CodeNameTaken, err)
	_, err = l.manager.RegisterVoice(t.Context(), "piper", "nobody")
	requireInvalid(t, "enum", "key", err)
	_, err = l.manager.RegisterVoice(t.Context(), "other", key)
	requireInvalid(t, "enum", "catalogue", err)
	l.download("piper-" + key)

	l.hub.Offline = func() bool { return true }
	l.start()
	items, err = l.manager.Catalogue(t.Context(), "piper", "", "")
	require.NoError(t, err)
	require.Len(t, items, 2, "offline it comes from the cache")

	l.hub.Offline, l.dir = nil, filepath.Join(l.root, "empty")
	l.server.Hub("", hubtest.Always, hubtest.Status(503))
	l.start()
	_, err = l.manager.Catalogue(t.Context(), "piper", "", "")
	requireCode(t, backend.CodeDownloadFailed, err)
}

func TestVerify(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	_, err := l.manager.Verify(t.Context(), "nobody")
	requireCode(t, backend.CodeModelUnknown, err)
	_, err = l.manager.Verify(t.Context(), "alpha")
	requireCode(t, backend.CodeModelNotDownloaded, err)
	l.download("alpha")
	l.imported("own", "voice")
	for name, dir := range map[string]string{"alpha": "models--acme--alpha", "own": "imported/own"} {
		v, err := l.manager.Verify(t.Context(), name)
		require.NoError(t, err)
		require.True(t, v.OK)
		require.Equal(t, 2, v.Files)
		require.Positive(t, v.Bytes)
		require.Nil(t, v.Error)

		flip(t, filepath.Join(l.dir, filepath.FromSlash(dir)), name+".graph")
		require.True(t, l.get(name).Downloaded)
		v, err = l.manager.Verify(t.Context(), name)
		require.NoError(t, err)
		require.False(t, v.OK)
		require.Equal(t, backend.CodeModelCorrupt, v.Error.Code)
		require.Equal(t, name+".graph", v.Error.Params["file"])
		require.Equal(t, backend.ModelBroken, l.state(name))
		v, err = l.manager.Verify(t.Context(), name)
		require.NoError(t, err)
		require.False(t, v.OK)
	}
	flip(t, filepath.Join(l.dir, "imported", "own"), "own.graph") // back
	v, err := l.manager.Verify(t.Context(), "own")
	require.NoError(t, err)
	require.True(t, v.OK)
	require.Nil(t, l.get("own").Error)
	l.acquire("own").Release()

	l.download("alpha")
	h := l.acquire("alpha")
	flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
	v, err = l.manager.Verify(t.Context(), "alpha")
	require.NoError(t, err)
	require.False(t, v.OK)
	require.Equal(t, backend.ModelLoaded, l.state("alpha"), "the loaded model keeps working")
	h.Release()
	_, err = l.manager.Unload(t.Context(), "alpha", false)
	require.NoError(t, err)
	_, err = l.manager.Load(t.Context(), "alpha", false, false)
	requireCode(t, backend.CodeModelCorrupt, err)
}

package registry_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/models/registry"
)

func catalogue(t testing.TB) []registry.CatalogueItem {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "voices.json"))
	require.NoError(t, err)
	items, err := registry.ParseVoices(raw)
	require.NoError(t, err)
	return items
}

func keys(items []registry.CatalogueItem) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = item.Key
	}
	return out
}

func TestCatalogueHasEveryVoiceOfTheIndex(t *testing.T) {
	items := catalogue(t)
	require.Equal(t, []string{
		"de_DE-thorsten-low", "en_GB-tones-medium", "en_GB-vctk-medium", "en_US-lessac-medium", "en_US-tone-medium",
		"fr_FR-siwis-medium", "uk_UA-lada-x_low", "vi_VN-vais1000-medium",
	}, keys(items))
	vctk := items[2]
	require.Equal(t, "vctk", vctk.Name)
	require.Equal(t, "en-GB", vctk.Language)
	require.Equal(t, "medium", vctk.Quality)
	require.Equal(t, 4, vctk.Speakers)
	require.Equal(t, 1, vctk.SizeMB)
	require.NotEmpty(t, vctk.License)
	require.False(t, vctk.Registered)
}

func TestSearchTheCatalogue(t *testing.T) {
	items := catalogue(t)
	cases := []struct {
		search, language string
		want             []string
	}{
		{"thorsten", "", []string{"de_DE-thorsten-low"}},
		{"THORSTEN", "de", []string{"de_DE-thorsten-low"}},
		{"german", "", []string{"de_DE-thorsten-low"}},
		{"français medium", "", []string{"fr_FR-siwis-medium"}},
		{"germany low", "", []string{"de_DE-thorsten-low"}},
		{"", "en", []string{"en_GB-tones-medium", "en_GB-vctk-medium", "en_US-lessac-medium", "en_US-tone-medium"}},
		{"tone", "en-us", []string{"en_US-tone-medium"}},
		{"", "en_GB", []string{"en_GB-tones-medium", "en_GB-vctk-medium"}},
		{"x_low", "", []string{"uk_UA-lada-x_low"}},
		{"thorsten", "en", []string{}},
		{"", "e", []string{}},
		{"", "", keys(items)},
	}
	for _, c := range cases {
		require.Equal(t, c.want, keys(registry.Search(items, c.search, c.language)), "%q %q", c.search, c.language)
	}
}

func TestCatalogueVoiceBecomesAnEntry(t *testing.T) {
	items := catalogue(t)
	low := registry.EntryFor(items[0])
	require.NoError(t, low.Check())
	require.Equal(t, "piper-de_DE-thorsten-low", low.Name)
	require.Equal(t, "Thorsten (low)", low.DisplayName)
	require.Equal(t, 16000, low.SampleRate)
	require.Equal(t, "de_DE-thorsten-low#0", low.PresetID(low.Voices[0].ID))
	require.Equal(t, "https://huggingface.co/rhasspy/piper-voices/blob/main/de/de_DE/thorsten/low/MODEL_CARD", low.License.URL)
	require.False(t, low.Variants[0].Pinned())
	require.Equal(t, []registry.File{
		{
			Repo: "rhasspy/piper-voices", Revision: "main", Path: "de/de_DE/thorsten/low/de_DE-thorsten-low.onnx",
			Bytes: 33606, MD5: "e7ce5d3534c3764bf791db68a679ae00", Role: "graph",
		},
		{
			Repo: "rhasspy/piper-voices", Revision: "main", Path: "de/de_DE/thorsten/low/de_DE-thorsten-low.onnx.json",
			Bytes: 5077, MD5: "0c7c923d0e4cbb88a332714fc23e6e95", Role: "config",
		},
		{
			Repo: "rhasspy/piper-voices", Revision: "main", Path: "de/de_DE/thorsten/low/MODEL_CARD",
			Bytes: 177, MD5: "939af7fc3968a078269723d2bd97840d", Role: "card",
		},
	}, low.Variants[0].Files)

	many := registry.EntryFor(items[2])
	require.Equal(t, []string{"p239", "p236", "p264", "p250"}, ids(many.Voices), "in the order of the graph")
}

// The Piper voices of the registry have the entries that the catalogue would have.
func TestBuiltInVoicesAgreeWithTheCatalogue(t *testing.T) {
	models := load(t)
	for _, item := range catalogue(t) {
		built, ok := models[item.ModelName()]
		if !ok {
			continue
		}
		made := registry.EntryFor(item)
		built.Note = ""
		for i := range built.Variants[0].Files {
			built.Variants[0].Files[i].Bytes = made.Variants[0].Files[i].Bytes // the kit's graphs are tiny
			made.Variants[0].Files[i].MD5 = ""
		}
		built.Variants[0].MemoryMB, made.Variants[0].MemoryMB = 0, 0
		want, err := registry.Format([]registry.Entry{built})
		require.NoError(t, err)
		got, err := registry.Format([]registry.Entry{made})
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
	require.Contains(t, models, "piper-en_US-lessac-medium")
}

func TestVoicesThatCannotBeRegisteredAreLeftOut(t *testing.T) {
	const good = `"en_US-a-low":{"key":"en_US-a-low","name":"a","language":{"code":"en_US"},"quality":"low","num_speakers":1,
		"files":{"en/en_US-a-low.onnx":{"size_bytes":1},"en/en_US-a-low.onnx.json":{"size_bytes":1}}}`
	bad := map[string]string{
		"not an object":     `"x":7`,
		"another key":       `"x":{"key":"y"}`,
		"no files":          `"x":{"key":"x","name":"x","language":{"code":"en_US"},"quality":"low"}`,
		"no config":         `"x":{"key":"x","name":"x","language":{"code":"en_US"},"quality":"low","files":{"x.onnx":{"size_bytes":1}}}`,
		"path leads out":    `"x":{"key":"x","name":"x","language":{"code":"en_US"},"quality":"low","files":{"../x.onnx":{},"x.onnx.json":{}}}`,
		"size below zero":   `"x":{"key":"x","name":"x","language":{"code":"en_US"},"quality":"low","files":{"x.onnx":{"size_bytes":-1},"x.onnx.json":{}}}`,
		"no language":       `"x":{"key":"x","name":"x","quality":"low","files":{"x.onnx":{},"x.onnx.json":{}}}`,
		"too many speakers": `"x":{"key":"x","name":"x","language":{"code":"en_US"},"quality":"low","num_speakers":1000000000,"files":{"x.onnx":{},"x.onnx.json":{}}}`,
	}
	for name, voice := range bad {
		items, err := registry.ParseVoices([]byte("{" + good + "," + voice + "}"))
		require.NoError(t, err, name)
		require.Equal(t, []string{"en_US-a-low"}, keys(items), name)
		_, err = registry.ParseVoices([]byte("{" + voice + "}"))
		require.ErrorContains(t, err, "no usable voice", name)
	}
	for _, broken := range []string{"", "[]", `{"a":`, "<html>"} {
		_, err := registry.ParseVoices([]byte(broken))
		require.ErrorContains(t, err, "parse the catalogue of Piper voices", broken)
	}
}

func TestKeysBeyondASCIIGetAName(t *testing.T) {
	items, err := registry.ParseVoices([]byte(`{"pt_PT-tugão-medium":{"key":"pt_PT-tugão-medium","name":"tugão",
		"language":{"code":"pt_PT"},"quality":"medium","num_speakers":1,"files":{
		"pt/pt_PT/tugão/medium/pt_PT-tugão-medium.onnx":{"size_bytes":63201294},
		"pt/pt_PT/tugão/medium/pt_PT-tugão-medium.onnx.json":{"size_bytes":5026}}}}`))
	require.NoError(t, err)
	e := registry.EntryFor(items[0])
	require.Equal(t, "piper-pt_PT-tug-o-medium", e.Name)
	require.Equal(t, "pt_PT-tugão-medium#0", e.PresetID("0"))
	require.Equal(t, "Tugão (medium)", e.DisplayName)
	require.Equal(t, 64, e.Variants[0].SizeMB())
}

func FuzzParseVoices(f *testing.F) {
	raw, err := os.ReadFile(filepath.Join("testdata", "voices.json"))
	require.NoError(f, err)
	f.Add(raw)
	f.Add([]byte(`{"x":{"key":"x","name":"x","language":{"code":"en_US"},"quality":"low","num_speakers":3,"speaker_id_map":{"a":-1,"1":7},"files":{"x.onnx":{},"x.onnx.json":{}}}}`))
	f.Add([]byte(`{"":{"files":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := registry.ParseVoices(data)
		require.Equal(t, err != nil, len(items) == 0)
		for _, item := range items {
			require.NoError(t, registry.EntryFor(item).Check())
			require.NotEmpty(t, registry.Search([]registry.CatalogueItem{item}, item.Key, item.Language))
		}
	})
}

package registry_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/models/registry"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const own = `{
  "model_name": "my-voice", "display_name": "My voice", "engine": "piper", "family": "speech", "key": "en_US-me-low",
  "languages": ["en-US"], "license": {"name": "CC0", "url": ""}, "sample_rate": 16000,
  "voices": [{"id": "0", "name": "Me", "language": "en-US"}, {"id": "1", "name": "You", "language": "en-US"}],
  "variants": [
    {"variant": "small", "when": {"os": "linux"}, "files": [
      {"repo": "me/voice", "revision": "main", "path": "a/me.onnx", "role": "graph"}]},
    {"variant": "low", "files": [
      {"repo": "me/voice", "revision": "0123456789012345678901234567890123456789", "path": "a/me.onnx", "bytes": 10,
       "sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "role": "graph", "pinned": true},
      {"repo": "me/voice", "revision": "0123456789012345678901234567890123456789", "path": "a/me.onnx.json", "role": "config"}
    ], "mirrors": [{"repo": "you/voice", "revision": "9876543210987654321098765432109876543210"}]}],
  "colour": "a field of a newer program"
}`

func TestOwnEntryIsRead(t *testing.T) {
	e, err := registry.ParseEntry([]byte(own))
	require.NoError(t, err)
	require.Equal(t, "my-voice", e.Name)
	require.True(t, e.Voices[0].CanSpeak(), "usable unless it says otherwise")
	require.Equal(t, "low", e.Choose(registry.Machine{}).Name)
	require.False(t, e.Variants[1].Pinned())

	raw, err := registry.Format([]registry.Entry{e})
	require.NoError(t, err)
	require.NotContains(t, string(raw), "null")
	again, err := registry.Parse(raw)
	require.NoError(t, err)
	rewritten, err := registry.Format(again)
	require.NoError(t, err)
	require.Equal(t, string(raw), string(rewritten))
}

func TestImportedFilesNeedNoRepository(t *testing.T) {
	e, err := registry.ParseEntry([]byte(own))
	require.NoError(t, err)
	file := e.Variants[1].Files[0]
	file.Repo, file.Revision = "", ""
	e.Variants = []registry.Variant{{Name: "imported", Files: []registry.File{file}}}
	require.NoError(t, e.Check())
	e.Variants[0].Files[0].Pinned, e.Variants[0].Files[0].SHA256 = false, ""
	require.ErrorContains(t, e.Check(), "variants[0].files[0].pinned", "nothing could verify it")
}

// set changes one value in the entry; a nil value removes the field.
func set(t *testing.T, value any, at ...any) string {
	t.Helper()
	var entry any
	require.NoError(t, json.Unmarshal([]byte(own), &entry))
	here := entry
	for _, step := range at[:len(at)-1] {
		if i, ok := step.(int); ok {
			here = here.([]any)[i]
		} else {
			here = here.(map[string]any)[step.(string)]
		}
	}
	switch last := at[len(at)-1].(type) {
	case int:
		here.([]any)[last] = value
	case string:
		here.(map[string]any)[last] = value
		if value == nil {
			delete(here.(map[string]any), last)
		}
	}
	raw, err := json.Marshal(entry)
	require.NoError(t, err)
	return string(raw)
}

func TestErrorsNameEntryAndField(t *testing.T) {
	change := func(value any, at ...any) string { return `{"models":[` + set(t, value, at...) + `]}` }
	file := func(value any, field string) string { return change(value, "variants", 1, "files", 0, field) }
	cases := []struct{ name, list string }{
		{"not JSON", "{\n\"models\": [\n}"},
		{"cut off", `{"models":[{"model_name":"x"`},
		{"empty", ""},
		{"a list", "[]"},
		{"no models", "{}"},
		{"models is a word", `{"models":"kokoro"}`},
		{"entry is a word", `{"models":["kokoro"]}`},
		{"entry is empty", `{"models":[{}]}`},
		{"name is a number", change(7, "model_name")},
		{"name of a route", change("status", "model_name")},
		{"name with a slash", change("a/b", "model_name")},
		{"name is dots", change("..", "model_name")},
		{"name too long", change(strings.Repeat("a", 65), "model_name")},
		{"no shown name", change(nil, "display_name")},
		{"two lines", change("a\nb", "display_name")},
		{"no engine", change("", "engine")},
		{"unknown family", change("music", "family")},
		{"key with a hash", change("a#b", "key")},
		{"no languages", change([]string{}, "languages")},
		{"language in words", change([]string{"American English"}, "languages")},
		{"language twice", change([]string{"en", "en"}, "languages")},
		{"languages is a word", change("en", "languages")},
		{"note on another language", change(map[string]string{"fr": "Short."}, "language_notes")},
		{"empty note", change(map[string]string{"en-US": " "}, "language_notes")},
		{"licence is a word", change("CC0", "license")},
		{"licence to accept without a link", change(true, "license", "accept_required")},
		{"licence with a script", change("javascript:alert(1)", "license", "url")},
		{"rate is a word", change("16k", "sample_rate")},
		{"rate of zero", change(0, "sample_rate")},
		{"no voices", change([]any{}, "voices")},
		{"voice twice", change("0", "voices", 1, "id")},
		{"voice without a name", change("", "voices", 1, "name")},
		{"voice of no gender", change("alto", "voices", 0, "gender")},
		{"voice not usable without a reason", change(false, "voices", 0, "usable")},
		{"usable is a word", change("yes", "voices", 0, "usable")},
		{"no variants", change([]any{}, "variants")},
		{"no variant for other machines", change(map[string]any{"os": "linux"}, "variants", 1, "when")},
		{"variant twice", change("small", "variants", 1, "variant")},
		{"less than no memory", change(-1, "variants", 1, "memory_mb")},
		{"no files", change([]any{}, "variants", 1, "files")},
		{"bytes is a word", file("10 MB", "bytes")},
		{"bytes is broken", file(1.5, "bytes")},
		{"bytes below zero", file(-1, "bytes")},
		{"bytes of a pinned file missing", file(nil, "bytes")},
		{"hash too short", file("abc", "sha256")},
		{"hash in upper case", file(strings.Repeat("A", 64), "sha256")},
		{"hash of a file that is not pinned", file(false, "pinned")},
		{"branch of a pinned file", file("main", "revision")},
		{"tag", change("v1.0.0", "variants", 0, "files", 0, "revision")},
		{"repository without an owner", file("voice", "repo")},
		{"repository that leads out", file("../voice", "repo")},
		{"repository whose folder is another's", file("me--you/voice", "repo")},
		{"path leads out", file("../me.onnx", "path")},
		{"path from the root", file("/etc/passwd", "path")},
		{"path of Windows", file(`a\me.onnx`, "path")},
		{"path with a drive", file("C:me.onnx", "path")},
		{"path twice", file("a/me.onnx.json", "path")},
		{"role twice", file("config", "role")},
		{"role of an unknown voice", file("voice/2", "role")},
		{"mirror of itself", change("me/voice", "variants", 1, "mirrors", 0, "repo")},
		{"mirror of a branch", change("main", "variants", 1, "mirrors", 0, "revision")},
		{"twice, in other case", `{"models":[` + own + "," + set(t, "My-Voice", "model_name") + `]}`},
		{"speakers of a language", change("speakers", "family")},
		{"speakers with voices", `{"models":[` + strings.Replace(set(t, "speakers", "family"), `"languages":["en-US"]`, `"languages":[]`, 1) + `]}`},
		{"two broken ones", `{"models":[` + set(t, 1, "engine") + "," + set(t, "x", "family") + `]}`},
	}
	var got strings.Builder
	for _, c := range cases {
		_, err := registry.Parse([]byte(c.list))
		require.Error(t, err, c.name)
		fmt.Fprintf(&got, "%s\n    %s\n", c.name, strings.ReplaceAll(err.Error(), "\n", "\n    "))
	}
	golden := filepath.Join("testdata", "errors.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

func TestSoundEntriesSurviveABrokenOne(t *testing.T) {
	entries, err := registry.Parse([]byte(`{"models":[` + set(t, "first", "model_name") + `,{"model_name":"broken"},` +
		set(t, "last", "model_name") + `]}`))
	var field *registry.FieldError
	require.ErrorAs(t, err, &field)
	require.Equal(t, "broken", field.Model)
	require.Equal(t, "display_name", field.Field)
	require.Len(t, entries, 2)
	require.Equal(t, "first", entries[0].Name)
	require.Equal(t, "last", entries[1].Name)
}

func TestNamesOfRoutesAreNotModels(t *testing.T) {
	for _, name := range []string{"", ".", "..", "status", "Status", "load", "catalogue", "espeak", "a b", "ä"} {
		require.False(t, registry.ValidName(name), name)
	}
	for _, name := range []string{"kokoro", "piper-en_US-amy-low", "whisper-base.en", "loader"} {
		require.True(t, registry.ValidName(name), name)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"models":[` + own + `]}`))
	f.Add([]byte(`{"models":[{}]}`))
	f.Add([]byte(`{"models":[{"model_name":"x","voices":[{"usable":false}],"variants":[{"files":[{}]}]}]}`))
	f.Add([]byte(`{"models":null}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := registry.Parse(data)
		for _, e := range entries {
			require.NoError(t, e.Check())
			require.NotEmpty(t, e.Choose(registry.Machine{}).Files)
		}
		if err != nil {
			require.NotEmpty(t, err.Error())
		}
		raw, err := registry.Format(entries)
		require.NoError(t, err)
		again, err := registry.Parse(raw)
		require.NoError(t, err)
		require.Len(t, again, len(entries))
	})
}

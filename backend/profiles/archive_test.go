package profiles_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/profiles"
)

// zipped returns a zip file with these entries.
func zipped(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, content := range files {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

// importFile imports a file with the consent of the user's own voice.
func (l *fixture) importFile(ctx context.Context, file []byte) (backend.Profile, error) {
	return l.service.Import(ctx, profiles.ImportRequest{
		File: bytes.NewReader(file), Size: int64(len(file)), Consent: backend.ConsentOwnVoice,
	})
}

func exported(t testing.TB, l *fixture, id string) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, l.service.Export(context.Background(), id, &out))
	return out.Bytes()
}

func TestExportAndImport(t *testing.T) {
	l := newFixture(t)
	p := l.create(t, profiles.Draft{Name: "Grüße 日本", ProfilePatch: backend.ProfilePatch{
		PresetEngine: new("robotic"), PresetVoiceID: new("gone#0"), Description: new("Warm,\nand \"quick\"."), Speed: new(1.25), Favorite: new(true),
	}})
	file := exported(t, l, p.ID)
	same := func(t *testing.T, got backend.Profile, name string) {
		t.Helper()
		want := p
		want.ID, want.Name, want.CreatedAt, want.UpdatedAt = got.ID, name, got.CreatedAt, got.UpdatedAt
		require.Equal(t, want, got)
		require.NotEqual(t, p.ID, got.ID)
	}
	for _, name := range []string{"Grüße 日本 2", "Grüße 日本 3"} {
		copied, err := l.importFile(t.Context(), file)
		require.NoError(t, err)
		same(t, copied, name)
	}
	elsewhere := newFixture(t) // the model of the voice is not there
	moved, err := elsewhere.importFile(t.Context(), file)
	require.NoError(t, err)
	same(t, moved, p.Name)
	require.Equal(t, 1, elsewhere.changes)

	long := l.create(t, profiles.Draft{Name: strings.Repeat("x", 100)})
	moved, err = elsewhere.importFile(t.Context(), exported(t, l, long.ID))
	require.NoError(t, err)
	require.Equal(t, long.Name, moved.Name, "a free name is not shortened")

	err = l.service.Export(t.Context(), "nobody", &bytes.Buffer{})
	requireCode(t, backend.CodeProfileNotFound, err)
	err = l.service.Export(t.Context(), p.ID, brokenWriter{})
	require.ErrorContains(t, err, "broken pipe")
}

// deflatedStart returns the first bytes of the entry's compressed content.
func deflatedStart(t *testing.T, file []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	at, err := z.File[0].DataOffset()
	require.NoError(t, err)
	return file[at : at+12]
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestImportOfDamagedFiles(t *testing.T) {
	l := newFixture(t)
	valid := exported(t, l, l.create(t, profiles.Draft{Name: "Anna"}).ID)
	entry := func(content string) []byte { return zipped(t, map[string]string{"profile.json": content}) }
	for name, file := range map[string][]byte{
		"empty":         nil,
		"no zip":        []byte("RIFF0000WAVE"),
		"cut":           valid[:len(valid)-30],
		"other zip":     zipped(t, map[string]string{"readme.txt": "hello"}),
		"a folder":      zipped(t, map[string]string{"profile.json/x": "hello"}),
		"no json":       entry("hello"),
		"other json":    entry(`[]`),
		"no version":    entry(`{"profile":{"name":"A"}}`),
		"broken inside": bytes.Replace(valid, deflatedStart(t, valid), []byte("123456789012"), 1),
		"a zip bomb":    entry(`{"version":1,"profile":{"name":"A","description":"` + strings.Repeat("a", 4<<20) + `"}}`),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := l.importFile(t.Context(), file)
			requireCode(t, backend.CodeUnsupportedMedia, err)
		})
	}
	_, err := l.importFile(t.Context(), entry(`{"version":3,"profile":["of another form"]}`))
	requireCode(t, backend.CodeUnsupportedMedia, err)
	require.Equal(t, "profile_newer", backend.AsError(err).Params["reason"])
	require.Contains(t, backend.AsError(err).Remedy, "Install the current version")
	for name, c := range map[string]struct{ profile, typ, field string }{
		"no name":     {`{"language":"en","speed":1,"voice_type":"default"}`, "string_too_short", "name"},
		"no speed":    {`{"name":"A","language":"en","voice_type":"default"}`, "greater_than_equal", "speed"},
		"NUL":         {`{"name":"A\u0000","language":"en","speed":1,"voice_type":"default"}`, "string_unicode", "name"},
		"bad type":    {`{"name":"A","language":"en","speed":1,"voice_type":"x"}`, "enum", "voice_type"},
		"description": {`{"name":"A","language":"en","speed":1,"voice_type":"default","description":"` + strings.Repeat("a", 3000) + `"}`, "string_too_long", "description"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := l.importFile(t.Context(), entry(`{"version":1,"profile":`+c.profile+`}`))
			requireInvalid(t, c.typ, c.field, err)
		})
	}
	list, err := l.db.Profiles(t.Context(), backend.ProfileFilter{})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total, "none of them was created")
}

func TestImportMakesAnIDOfItsOwn(t *testing.T) {
	l := newFixture(t)
	p, err := l.importFile(t.Context(), zipped(t, map[string]string{"profile.json": `{"version":1,"profile":{
		"id":"../../x","name":"A","language":"en","speed":1,"voice_type":"default","usable":false,"reason":"x"}}`}))
	require.NoError(t, err)
	require.Len(t, p.ID, 36)
	require.True(t, p.Usable)
	require.Empty(t, p.Reason)
}

func FuzzImport(f *testing.F) {
	l := newFixture(f)
	p, err := l.db.Create(context.Background(), backend.Profile{Name: "Anna", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(f, err)
	valid := exported(f, l, p.ID)
	f.Add(valid)
	f.Add(valid[:len(valid)/2])
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Add(zipped(f, map[string]string{"profile.json": `{"version":1,"profile":{"name":"B","language":"en","speed":1,"voice_type":"preset"}}`}))
	cloned := l.cloned(f, backend.ProfilePatch{})
	l.sample(f, cloned.ID, 3.5, 0)
	withSample := exported(f, l, cloned.ID)
	require.NoError(f, l.service.Delete(f.Context(), cloned.ID))
	f.Add(withSample)
	f.Add(zipped(f, map[string]string{"profile.json": `{"version":2,"profile":{"name":"B","language":"en","speed":1},"samples":[{"file":"../x"}]}`}))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := l.importFile(t.Context(), file)
		if err != nil {
			var invalid *backend.ValidationError
			if !errors.As(err, &invalid) && backend.CodeOf(err) != backend.CodeSampleRejected && backend.CodeOf(err) != backend.CodeRuntimeMissing {
				requireCode(t, backend.CodeUnsupportedMedia, err)
			}
			left, err := os.ReadDir(l.dir)
			require.True(t, len(left) == 0 && (err == nil || errors.Is(err, os.ErrNotExist)), "%v %v", left, err)
			return
		}
		stored, err := l.db.Profile(t.Context(), p.ID)
		require.NoError(t, err)
		require.Equal(t, stored, p)
		_, err = json.Marshal(p)
		require.NoError(t, err)
		require.NoError(t, l.service.Delete(t.Context(), p.ID))
		left, err := os.ReadDir(l.dir)
		require.True(t, err != nil || len(left) == 0)
	})
}

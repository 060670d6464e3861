package profiles_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/profiles"
)

func TestExportAndImportWithSamples(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{ModelName: new("parrot")})
	s, err := l.service.AddSample(t.Context(), p.ID, profiles.NewSample{
		Source: profiles.Source{Path: recording(t, 6, 0), Name: "take 1.wav"}, Consent: backend.ConsentPermission, By: "Bob", Transcript: "Hello.",
	})
	require.NoError(t, err)
	file := exported(t, l, p.ID)

	elsewhere := newFixture(t)
	_, err = elsewhere.service.Import(t.Context(), profiles.ImportRequest{File: bytes.NewReader(file), Size: int64(len(file))})
	requireInvalid(t, "missing", "consent", err)
	require.Zero(t, elsewhere.changes)
	moved, err := elsewhere.importFile(t.Context(), file)
	require.NoError(t, err)
	require.Equal(t, "Ann", moved.Name)
	require.Equal(t, "parrot", moved.ModelName)
	require.Equal(t, backend.ConsentOwnVoice, moved.Consent.Kind)
	require.Equal(t, "Ada", moved.Consent.By)
	list, err := elsewhere.service.Samples(t.Context(), moved.ID)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, []any{s.Name, s.Transcript, s.Seconds, s.SHA256}, []any{list[0].Name, list[0].Transcript, list[0].Seconds, list[0].SHA256})
	require.NotEqual(t, s.ID, list[0].ID)
}

// repacked returns an exported file whose entries were changed.
func repacked(t testing.TB, file []byte, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	require.NoError(t, err)
	entries := map[string]string{}
	for _, f := range in.File {
		r, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		if content = change(f.Name, content); content != nil {
			entries[f.Name] = string(content)
		}
	}
	return zipped(t, entries)
}

func TestImportOfBadSamples(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{})
	l.sample(t, p.ID, 4, 0)
	file := exported(t, l, p.ID)
	sample := func(content []byte) []byte {
		return repacked(t, file, func(name string, old []byte) []byte {
			if strings.HasPrefix(name, "samples/") {
				return content
			}
			return old
		})
	}
	entries := func(old, now string) []byte {
		return repacked(t, file, func(name string, content []byte) []byte {
			return bytes.ReplaceAll(content, []byte(old), []byte(now))
		})
	}
	elsewhere := newFixture(t)
	for name, c := range map[string]struct {
		file []byte
		code backend.Code
	}{
		"missing":    {sample(nil), backend.CodeUnsupportedMedia},
		"too short":  {sample(mustRead(t, recording(t, 1, 0))), backend.CodeSampleRejected},
		"silence":    {sample(append(audio.WAVHeader(16000, 1, 200_000), make([]byte, 200_000)...)), backend.CodeSampleRejected},
		"no audio":   {sample([]byte("hello")), backend.CodeUnsupportedMedia},
		"a zip bomb": {sample(make([]byte, 33<<20)), backend.CodeUnsupportedMedia},
		"outside":    {entries("samples/1.wav", "../../etc/passwd"), backend.CodeUnsupportedMedia},
		"too many":   {entries(`"samples": [`, `"samples": [`+strings.Repeat(`{"file":"samples/1.wav"},`, 30)), backend.CodeUnsupportedMedia},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no audio" && backend.CodeOf(readable(t)) != "" {
				c.code = backend.CodeRuntimeMissing // without ffmpeg
			}
			_, err := elsewhere.importFile(t.Context(), c.file)
			requireCode(t, c.code, err)
		})
	}
	many := map[string]string{}
	for i := range 30_000 {
		many["samples/"+strings.Repeat("x", 20)+string(rune('a'+i%26))+time.Duration(i).String()] = ""
	}
	_, err := elsewhere.importFile(t.Context(), zipped(t, many))
	requireCode(t, backend.CodeUnsupportedMedia, err)
	left, err := os.ReadDir(elsewhere.dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.Zero(t, elsewhere.changes)
}

// readable returns the error of reading a file that is no audio, on a machine with ffmpeg nil.
func readable(t *testing.T) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.wav")
	require.NoError(t, os.WriteFile(path, []byte("hello"), 0o600))
	_, _, err := audio.FindCodecs().DecodeStart(t.Context(), path, time.Second)
	if backend.CodeOf(err) == backend.CodeRuntimeMissing {
		return err
	}
	return nil
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return raw
}

package httpapi_test

import (
	"archive/zip"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The system's temporary folder may be small, in memory or missing, so exports use the disk of the data directory.
func TestExportsUseTheDataDirectory(t *testing.T) {
	s := newStudio(t, studioOptions{})
	g := s.speak("Some words.", "")
	many := fmt.Sprintf(`{"ids":[%q]}`, g["id"])
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	require.Equal(t, 200, s.do("POST", "/history/export", many).StatusCode)
	require.Equal(t, 200, s.do("GET", "/history/export", "").StatusCode)
	require.Equal(t, 200, s.do("GET", "/pronunciations/export", "").StatusCode)
	s.noExportLeft(t)
}

func TestExportsNeedSpace(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Some words.", "")
	s.free.Store(50_000_000 + 100) // space for a list, but not for audio
	refused := s.do("POST", "/history/export", fmt.Sprintf(`{"ids":[%q]}`, g["id"]))
	require.Equal(t, 507, refused.StatusCode)
	problem := refused.object(t)
	require.Equal(t, "insufficient_disk", problem["code"])
	require.Equal(t, "The export needs 51 MB, and the disk of the data directory has 50 MB free.", problem["detail"])
	require.Equal(t, 200, s.do("GET", "/history/export", "").StatusCode)
	s.free.Store(1000)
	require.Equal(t, 507, s.do("GET", "/history/export", "").StatusCode)
	s.noExportLeft(t)
}

func (s *studio) noExportLeft(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(s.temp)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A name that a program decodes once more would lead out of its folder.
func TestProfileExportHasASafeName(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for name, file := range map[string]string{`..%2F..%2Fevil`: "2F..-2Fevil.zip", "CON": "_CON.zip", `a/b\c`: "a-b-c.zip"} {
		made := s.do("POST", "/profiles", fmt.Sprintf(`{"name":%q}`, name))
		require.Equal(t, 200, made.StatusCode, made.body)
		out := s.do("GET", "/profiles/"+made.object(t)["id"].(string)+"/export", "")
		require.Equal(t, 200, out.StatusCode)
		_, params, err := mime.ParseMediaType(out.Header.Get("Content-Disposition"))
		require.NoError(t, err)
		require.Equal(t, file, params["filename"])
	}
}

// A form larger than a few kilobytes is written to disk while it is read.
func TestUploadsLeaveNothingBehind(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s := newStudio(t, studioOptions{})
	long := strings.Repeat("Some words. ", 20_000)
	for field, path := range map[string]string{"file": "/text/extract", "other": "/text/extract", "file ": "/profiles/import"} {
		body, header := form(t, strings.TrimSpace(field), "a.txt", long)
		s.do("POST", path, body, header)
		left, err := filepath.Glob(filepath.Join(temp, "multipart-*"))
		require.NoError(t, err)
		require.Empty(t, left, "%s to %s", field, path)
	}
}

func TestBackup(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Some words.", "")
	a := s.do("GET", "/backup", "")
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, "application/zip", a.Header.Get("Content-Type"))
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, f := range z.File {
		names[f.Name] = true
	}
	require.True(t, names["voicewright.db"] && names["backup.json"], names)
	sound := g["audio_path"].(string)
	require.True(t, names["audio/"+filepath.Base(filepath.Dir(sound))+"/"+filepath.Base(sound)], names)
	s.noExportLeft(t)

	require.NoError(t, os.RemoveAll(s.temp))
	refused := s.do("GET", "/backup", "")
	require.Equal(t, 500, refused.StatusCode, "what cannot be prepared has a status of its own")
}

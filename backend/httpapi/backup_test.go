package httpapi_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime/multipart"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/settings"
)

// restorer takes every file for a backup that begins with PK.
type restorer struct {
	mu      sync.Mutex
	ready   string
	applied []bool // whether the settings of the network were taken
}

func (r *restorer) Check(_ context.Context, file string) (httpapi.CheckedBackup, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	raw, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(raw, []byte("PK")) {
		return httpapi.CheckedBackup{}, errors.Join(backend.E(backend.CodeUnsupportedMedia, "It is none.", "Choose another."), err)
	}
	r.ready = itemID
	return httpapi.CheckedBackup{
		ID: r.ready, AppVersion: "1.2.3", Bytes: int64(len(raw)), Holds: backend.LibraryCounts{Generations: 2},
		Present: backend.LibraryCounts{Generations: 3}, Network: []settings.Change{},
	}, nil
}

func (r *restorer) Apply(_ context.Context, id string, takeNetwork bool) error {
	if err := r.Discard(id); err != nil {
		return err
	}
	r.applied = append(r.applied, takeNetwork)
	return nil
}

func (r *restorer) Discard(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if id != r.ready {
		return backend.E(backend.CodeNotFound, "It is gone.", "Choose it again.")
	}
	r.ready = ""
	return nil
}

func (r *restorer) Restoring() bool { return len(r.applied) > 0 }
func (r *restorer) Undone() bool    { return false }
func (r *restorer) Former() string  { return "" }

// backupForm returns a form with a file and its content type.
func backupForm(t *testing.T, content string) (body, contentType string) {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "library.zip")
	require.NoError(t, err)
	_, err = part.Write([]byte(content))
	require.NoError(t, errors.Join(err, w.Close()))
	return form.String(), "Content-Type: " + w.FormDataContentType()
}

func TestRestoreRoutes(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	require.JSONEq(t, `{"restoring":false,"undone":false,"former":""}`, s.do("GET", "/restore", "").body)
	require.Equal(t, 422, s.do("POST", "/restore", "{}").StatusCode)
	body, kind := backupForm(t, "no backup")
	require.Equal(t, 415, s.do("POST", "/restore", body, kind).StatusCode)

	body, kind = backupForm(t, "PK...")
	a := s.do("POST", "/restore", body, kind)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, json.Number("2"), a.object(t)["holds"].(map[string]any)["generations"])
	require.Equal(t, json.Number("3"), a.object(t)["present"].(map[string]any)["generations"])
	require.Equal(t, 204, s.do("DELETE", "/restore/"+itemID, "").StatusCode)
	require.Equal(t, 404, s.do("POST", "/restore/"+itemID, "{}").StatusCode)
	require.Equal(t, 422, s.do("POST", "/restore/x", "{}").StatusCode)

	require.Equal(t, 200, s.do("POST", "/restore", body, kind).StatusCode)
	a = s.do("POST", "/restore/"+itemID, `{"network_settings":true}`)
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, true, a.object(t)["restoring"])
	entries, err := os.ReadDir(s.temp)
	require.NoError(t, err)
	for _, e := range entries {
		require.False(t, strings.HasPrefix(e.Name(), "upload-"), "uploads are removed")
	}
}

func TestBackupWithProgress(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.speak("Hello.", "")
	size, err := s.do("GET", "/backup/size", "").object(t)["bytes"].(json.Number).Int64()
	require.NoError(t, err)
	require.Positive(t, size)
	a := s.do("GET", "/backup?export_id="+itemID, "")
	require.Equal(t, 200, a.StatusCode)
	_, err = zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)
	require.Equal(t, 422, s.do("GET", "/backup?export_id=x", "").StatusCode)
	require.Equal(t, 409, s.do("DELETE", "/exports/"+itemID, "").StatusCode, "it has ended")
}

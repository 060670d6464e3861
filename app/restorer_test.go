package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sendBackup sends a file for a restore, and returns the status and the body of the response.
func (s *server) sendBackup(content string) (code int, body object) {
	s.t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "library.zip")
	require.NoError(s.t, err)
	_, err = part.Write([]byte(content))
	require.NoError(s.t, errors.Join(err, w.Close()))
	code, answer := s.request("POST", "/restore", form.String(), "Content-Type: "+w.FormDataContentType())
	return code, parseJSON(s.t, answer)
}

// awaitRestored waits until the restored library is served at the same address with the same token.
func (s *server) awaitRestored() {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		ctx, cancel := context.WithTimeout(s.t.Context(), testTimeout)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/restore", http.NoBody)
		if err != nil {
			return false
		}
		req.Header.Set("Authorization", "Bearer "+s.token)
		req.Close = true
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false // it closes its library
		}
		defer func() { _ = resp.Body.Close() }()
		var body struct{ Restoring *bool }
		err = json.NewDecoder(resp.Body).Decode(&body)
		return err == nil && resp.StatusCode == http.StatusOK && body.Restoring != nil && !*body.Restoring
	}, testTimeout, 20*time.Millisecond)
}

func (s *server) texts() (texts []string) {
	s.t.Helper()
	_, body := s.request("GET", "/history", "")
	for _, item := range parseJSON(s.t, body)["items"].([]any) {
		texts = append(texts, item.(object)["text"].(string))
	}
	return texts
}

// backUpFirstText returns a backup of a library with one generation.
func (u *user) backUpFirstText() (content string) {
	u.t.Helper()
	file := filepath.Join(u.dir, "library.zip")
	u.mustRun("say", "The first text.", "-o", filepath.Join(u.dir, "one.wav"))
	u.mustRun("backup", file)
	raw, err := os.ReadFile(file)
	require.NoError(u.t, err)
	return string(raw)
}

// TestRestoreWhileTheProgramRuns restores a backup of a running server: first it says what it holds, then it replaces the library,
// which is kept, at the same address.
func TestRestoreWhileTheProgramRuns(t *testing.T) {
	u := newUser(t)
	s := u.serve()
	content := u.backUpFirstText()
	u.mustRun("say", "The second text.", "-o", filepath.Join(u.dir, "two.wav"))
	code, _ := s.request("PUT", "/settings", `{"hosted.base_url":"https://speech.example.com"}`)
	require.Equal(t, http.StatusOK, code)

	code, checked := s.sendBackup(content)
	require.Equal(t, http.StatusOK, code, checked)
	require.EqualValues(t, 1, checked["holds"].(object)["generations"])
	require.EqualValues(t, 2, checked["present"].(object)["generations"])
	require.Regexp(t, `^20\d\d-`, checked["created_at"])
	require.NotEmpty(t, checked["app_version"])
	require.Equal(t, "hosted.base_url", checked["network"].([]any)[0].(object)["key"])
	require.Len(t, s.texts(), 2, "nothing has changed yet")

	code, _ = s.request("POST", "/restore/00000000-0000-4000-8000-000000000000", "{}")
	require.Equal(t, http.StatusNotFound, code)
	code, body := s.request("POST", "/restore/"+checked["id"].(string), "{}")
	require.Equal(t, http.StatusAccepted, code, body)
	s.awaitRestored()
	require.Equal(t, []string{"The first text."}, s.texts())
	_, body = s.request("GET", "/settings", "")
	require.Equal(t, "https://speech.example.com", parseJSON(t, body)["hosted.base_url"], "the settings of the network stay")
	_, body = s.request("GET", "/restore", "")
	require.Equal(t, filepath.Join(u.data, "before-restore"), parseJSON(t, body)["former"])
	require.FileExists(t, filepath.Join(u.data, "before-restore", "voicewright.db"))
	require.Len(t, u.mustRunJSON("history", "list")["items"], 1, "commands find the server")
	u.mustRun("say", "The third text.", "-o", filepath.Join(u.dir, "three.wav"))

	code, checked = s.sendBackup(content)
	require.Equal(t, http.StatusOK, code)
	code, _ = s.request("POST", "/restore/"+checked["id"].(string), `{"network_settings":true}`)
	require.Equal(t, http.StatusAccepted, code)
	s.awaitRestored()
	_, body = s.request("GET", "/settings", "")
	require.NotEqual(t, "https://speech.example.com", parseJSON(t, body)["hosted.base_url"], "those of the backup")
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}

// TestRefusedRestoresChangeNothing: each bad file has its reason, and leaves the library and no files behind, also none of a backup
// that was checked before it.
func TestRefusedRestoresChangeNothing(t *testing.T) {
	u := newUser(t)
	s := u.serve()
	content := u.backUpFirstText()
	for name, bad := range map[string]string{
		"empty": "", "a text": "no backup", "cut off": content[:len(content)/2], "without its end": content[:len(content)-10],
		"damaged": strings.Replace(content, "RIFF", "RIFX", 1),
	} {
		code, checked := s.sendBackup(content)
		require.Equal(t, http.StatusOK, code, checked)
		code, body := s.sendBackup(bad)
		require.Equal(t, http.StatusUnsupportedMediaType, code, "%s: %v", name, body)
		require.Equal(t, "unsupported_media", body["code"], name)
		require.Equal(t, "backup", body["params"].(object)["reason"], name)
		require.NoDirExists(t, filepath.Join(u.data, "restore-new"), name)
	}
	require.Equal(t, []string{"The first text."}, s.texts())
	require.NoDirExists(t, filepath.Join(u.data, "restore-new"))
	require.NoDirExists(t, filepath.Join(u.data, "before-restore"))
}

// TestKilledBetweenCheckAndRestore: the library is as it was, and nothing of the backup is left.
func TestKilledBetweenCheckAndRestore(t *testing.T) {
	u := newUser(t)
	content := u.backUpFirstText()
	u.mustRun("say", "The second text.", "-o", filepath.Join(u.dir, "two.wav"))
	s := u.serve()
	code, checked := s.sendBackup(content)
	require.Equal(t, http.StatusOK, code, checked)
	require.DirExists(t, filepath.Join(u.data, "restore-new"))
	s.signal(syscall.SIGKILL)
	s = u.serve()
	require.Len(t, s.texts(), 2)
	require.NoDirExists(t, filepath.Join(u.data, "restore-new"))
	code, checked = s.sendBackup(content)
	require.Equal(t, http.StatusOK, code, checked)
	code, _ = s.request("DELETE", "/restore/"+checked["id"].(string), "")
	require.Equal(t, http.StatusNoContent, code)
	require.NoDirExists(t, filepath.Join(u.data, "restore-new"))
	require.Len(t, s.texts(), 2)
}

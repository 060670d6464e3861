package app_test

import (
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDictationWithoutAModel says so before anybody speaks.
func TestDictationWithoutAModel(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	s := u.serve()
	status, body := s.request(http.MethodPut, "/settings", `{"dictation.enabled":true}`)
	require.Equal(t, http.StatusOK, status, body)
	status, body = s.request(http.MethodPost, "/dictation/start", `{"target":"page"}`)
	require.Equal(t, http.StatusConflict, status, body)
	require.Contains(t, body, `"code":"model_not_downloaded"`)
	require.Contains(t, body, "Whisper")
	require.Contains(t, body, "Download it first.")
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
}

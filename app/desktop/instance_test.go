package desktop

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func TestSecondStart(t *testing.T) {
	data := t.TempDir()
	first, err := acquireInstance(t.Context(), data, arrival{}, 0)
	require.NoError(t, err)
	arrivals := make(chan arrival, 10)
	require.NoError(t, first.listen(t.Context(), func(now arrival) { arrivals <- now }))

	now := arrival{Activation: "token_TIME42", Files: []string{"/home/me/a text.txt"}}
	second, err := acquireInstance(t.Context(), data, now, time.Minute)
	require.NoError(t, err)
	require.Nil(t, second, "the first window comes to the front instead")
	require.Equal(t, now, <-arrivals)

	other, err := acquireInstance(t.Context(), t.TempDir(), arrival{}, 0)
	require.NoError(t, err)
	require.NotNil(t, other, "another data directory has a window of its own")
	require.NoError(t, other.release())

	info, err := os.Stat(instanceFile(data))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "only this user can activate the window")

	require.NoError(t, first.stopListening())
	require.NoFileExists(t, instanceFile(data))
	_, err = acquireInstance(t.Context(), data, arrival{}, 0)
	require.Equal(t, backend.CodeDataDirLocked, backend.CodeOf(err), "it is ending, but has not released the instance")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = acquireInstance(ctx, data, arrival{}, time.Minute)
	require.ErrorIs(t, err, backend.ErrCancelled)

	time.AfterFunc(10*time.Millisecond, func() { _ = first.release() })
	second, err = acquireInstance(t.Context(), data, arrival{}, time.Minute)
	require.NoError(t, err)
	require.NotNil(t, second, "it has ended")
	require.NoError(t, second.stopListening(), "it never listened")
	require.NoError(t, second.release())
}

// TestStaleInstance has the file of a window that was killed, and a request with a wrong token.
func TestStaleInstance(t *testing.T) {
	data := t.TempDir()
	require.NoError(t, os.WriteFile(instanceFile(data), []byte(`{"url":"http://127.0.0.1:1","token":"x"}`), 0o600))
	i, err := acquireInstance(t.Context(), data, arrival{}, 0)
	require.NoError(t, err)
	require.NotNil(t, i, "the lock ended with its process")
	require.False(t, activateOther(t.Context(), data, arrival{}))
	require.NoError(t, i.listen(t.Context(), func(arrival) { t.Error("activated with a wrong token") }))
	raw, err := os.ReadFile(instanceFile(data))
	require.NoError(t, err)
	url, _, _ := strings.Cut(strings.TrimPrefix(string(raw), `{"url":"`), `"`)
	require.Error(t, client.Address{URL: url, Token: "wrong"}.Client().Call(t.Context(), http.MethodPost, "/", arrival{}, nil))
	require.NoError(t, i.stopListening())
	require.NoError(t, i.release())
	_, err = acquireInstance(t.Context(), "/dev/null/data", arrival{}, 0)
	require.Error(t, err)
}

func TestActivation(t *testing.T) {
	t.Setenv("XDG_ACTIVATION_TOKEN", "")
	t.Setenv("DESKTOP_STARTUP_ID", "shell-1_TIME7")
	require.Equal(t, "shell-1_TIME7", activation())
	t.Setenv("XDG_ACTIVATION_TOKEN", "gnome-1")
	require.Equal(t, "gnome-1", activation())
	for _, odd := range []string{"a b", "a\nb", "ü", strings.Repeat("a", 257)} {
		require.Empty(t, validActivation(odd), odd)
	}
}

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
	first, err := takeDoor(t.Context(), data, "", 0)
	require.NoError(t, err)
	knocks := make(chan string, 10)
	require.NoError(t, first.listen(t.Context(), func(activation string) { knocks <- activation }))

	second, err := takeDoor(t.Context(), data, "token_TIME42", time.Minute)
	require.NoError(t, err)
	require.Nil(t, second, "the first one comes to the front instead")
	require.Equal(t, "token_TIME42", <-knocks)

	other, err := takeDoor(t.Context(), t.TempDir(), "", 0)
	require.NoError(t, err)
	require.NotNil(t, other, "another data directory has a window of its own")
	require.NoError(t, other.leave())

	info, err := os.Stat(doorFile(data))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "others do not knock")

	require.NoError(t, first.deafen())
	require.NoFileExists(t, doorFile(data))
	_, err = takeDoor(t.Context(), data, "", 0)
	require.Equal(t, backend.CodeDataDirLocked, backend.CodeOf(err), "it is ending, and does not end")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = takeDoor(ctx, data, "", time.Minute)
	require.ErrorIs(t, err, backend.ErrCancelled)

	time.AfterFunc(10*time.Millisecond, func() { _ = first.leave() })
	second, err = takeDoor(t.Context(), data, "", time.Minute)
	require.NoError(t, err)
	require.NotNil(t, second, "it has ended")
	require.NoError(t, second.deafen(), "it never listened")
	require.NoError(t, second.leave())
}

// TestStaleDoor has what a window left that was killed, and strangers who knock.
func TestStaleDoor(t *testing.T) {
	data := t.TempDir()
	require.NoError(t, os.WriteFile(doorFile(data), []byte(`{"url":"http://127.0.0.1:1","token":"x"}`), 0o600))
	d, err := takeDoor(t.Context(), data, "", 0)
	require.NoError(t, err)
	require.NotNil(t, d, "the lock went with its program")
	require.False(t, knock(t.Context(), data, ""))
	require.NoError(t, d.listen(t.Context(), func(string) { t.Error("a stranger knocked") }))
	raw, err := os.ReadFile(doorFile(data))
	require.NoError(t, err)
	url, _, _ := strings.Cut(strings.TrimPrefix(string(raw), `{"url":"`), `"`)
	require.Error(t, client.Address{URL: url, Token: "wrong"}.Client().Call(t.Context(), http.MethodPost, "/", nil, nil))
	require.NoError(t, d.deafen())
	require.NoError(t, d.leave())
	_, err = takeDoor(t.Context(), "/dev/null/data", "", 0)
	require.Error(t, err)
}

func TestActivation(t *testing.T) {
	t.Setenv("XDG_ACTIVATION_TOKEN", "")
	t.Setenv("DESKTOP_STARTUP_ID", "shell-1_TIME7")
	require.Equal(t, "shell-1_TIME7", activation())
	t.Setenv("XDG_ACTIVATION_TOKEN", "gnome-1")
	require.Equal(t, "gnome-1", activation())
	for _, odd := range []string{"a b", "a\nb", "ü", strings.Repeat("a", 257)} {
		require.Empty(t, usableActivation(odd), odd)
	}
}

package desktop

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestWhyTheWindowDoesNotOpen says what to install where that helps, and what works without the window.
func TestWhyTheWindowDoesNotOpen(t *testing.T) {
	err := errNotOpened(errors.New(noWebView))
	require.Equal(t, backend.CodeRuntimeMissing, err.Code)
	require.Contains(t, err.Remedy, "https://developer.microsoft.com/microsoft-edge/webview2/")
	require.Contains(t, err.Remedy, "voicewright serve")

	err = errNotOpened(errors.New("cannot open display"))
	require.Equal(t, backend.CodeNotPermitted, err.Code)
	require.NotContains(t, err.Remedy, "webview2")
}

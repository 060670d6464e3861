package app

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
)

// TestListenAgain waits for the port that another program has while the restored library is opened, and for no other.
func TestListenAgain(t *testing.T) {
	other, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	f := cli.ServeOptions{Addr: other.Addr().String(), AddrGiven: true}
	_, err = listenAgain(t.Context(), f, false)
	backendtest.RequireCode(t, backend.CodeAddressInUse, err)

	found := make(chan error, 1)
	go func() {
		l, err := listenAgain(t.Context(), f, true)
		if err == nil {
			err = l.Close()
		}
		found <- err
	}()
	require.NoError(t, other.Close())
	require.NoError(t, <-found)
}

package client

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCallReadsToTheEnd requests bodies around the size of the decoder's buffer: the handler must be able to write all of
// them.
func TestCallReadsToTheEnd(t *testing.T) {
	for size := 500; size < 530; size++ {
		failed := make(chan error, 1)
		transport := &memoryTransport{handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write([]byte(`"` + strings.Repeat("x", size-2) + `"`))
			if err == nil {
				_, err = w.Write([]byte("\n"))
			}
			failed <- err
		})}
		var out string
		require.NoError(t, newClient(memoryURL, "", transport).Call(context.Background(), http.MethodGet, "/", nil, &out))
		require.Len(t, out, size-2)
		require.NoError(t, <-failed, "a body of %d bytes is cut off", size)
		transport.wait()
	}
}

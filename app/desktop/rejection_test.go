package desktop

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestRejection(t *testing.T) {
	err := fmt.Errorf("save: %w", backend.E(backend.CodeNotFound, "It is gone.", "Look elsewhere.").With("path", "/a"))
	require.JSONEq(t, `{"code":"not_found","detail":"It is gone.","remedy":"Look elsewhere.","params":{"path":"/a"}}`, rejection(err))
	err = backend.E(backend.CodeNotFound, "It is gone.", "").With("odd", make(chan int))
	require.JSONEq(t, `{"code":"not_found","detail":"It is gone.","remedy":""}`, rejection(err))
}

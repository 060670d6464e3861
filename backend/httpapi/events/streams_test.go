package events_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestEndBeforeClose ends a generation and the streams at the same time, like a server that finishes its work and stops:
// readers still get the last state.
func TestEndBeforeClose(t *testing.T) {
	t.Parallel()
	for range 20 {
		s := newStreams(t)
		s.set("g", backend.StatusGenerating, 0.5)
		lines := openStream(t, s.srv.URL+"/g/g")
		require.True(t, lines.Scan()) // the present state
		s.set("g", backend.StatusComplete, 1)
		s.events.Close()
		var last backend.Generation
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				require.NoError(t, json.Unmarshal([]byte(data), &last))
			}
		}
		require.NoError(t, lines.Err())
		require.Equal(t, backend.StatusComplete, last.Status)
	}
}

package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lastEvent returns the last message of an event stream, which the server ends.
func (s *studio) lastEvent(t *testing.T, id string) object {
	t.Helper()
	a := s.do("GET", "/generate/"+id+"/events", "")
	require.Equal(t, 200, a.StatusCode)
	var last object
	for line := range strings.Lines(a.body) {
		if data, ok := strings.CutPrefix(line, "data:"); ok {
			last = nil
			require.NoError(t, json.Unmarshal([]byte(data), &last))
		}
	}
	return last
}

// Without a transcription model, what was spoken stays complete, and says why it was not heard.
func TestVerifyWithoutAModel(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there.", `,"verify":true`)
	require.Equal(t, "complete", g["status"])
	require.Nil(t, g["verify"])
	require.Equal(t, "model_unknown", g["verify_error"].(map[string]any)["code"])
	require.NotContains(t, g, "verifying")

	plain := s.speak("Hello again.", "")
	require.Contains(t, plain, "verify")
	require.Nil(t, plain["verify"])
	require.Nil(t, plain["verify_error"])
	a := s.do("POST", "/history/verify", fmt.Sprintf(`{"ids":[%q,%q]}`, plain["id"], itemID))
	require.Equal(t, 202, a.StatusCode, a.body)
	require.JSONEq(t, `{"accepted":1}`, a.body)
	last := s.lastEvent(t, plain["id"].(string))
	require.Equal(t, "complete", last["status"])
	require.NotContains(t, last, "verifying")
	require.Equal(t, "model_unknown", last["verify_error"].(map[string]any)["code"])
	row := s.do("GET", "/history", "").items(t)[0]
	require.NotNil(t, row["verify_error"], "rows of lists have it")
	for body, loc := range map[string]string{`{}`: "ids", `{"ids":[]}`: "ids", `{"ids":["x"]}`: "ids"} {
		a := s.do("POST", "/history/verify", body)
		require.Equal(t, 422, a.StatusCode)
		require.Contains(t, a.body, loc)
	}
}

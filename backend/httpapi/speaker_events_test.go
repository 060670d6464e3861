package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// A window that follows all events sees that the speakers of a complete transcript are being found, and when that has ended.
func TestEventsWhileSpeakersAreFound(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{heard: hearsTurns(diarizetest.Truth(t)), speakers: newEars(t)})
	a := s.upload(nil, kitTones(t), part{"speakers", "", "off"})
	require.Equal(t, 200, a.StatusCode, a.body)
	next := s.listen()
	a = s.do("POST", "/transcriptions/"+a.object(t)["id"].(string)+"/speakers", `{"mode":"auto"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	finding := 0
	for {
		name, data := next()
		if name != "transcription" {
			continue
		}
		require.Contains(t, data, `"status":"complete"`, "the text stays readable")
		if !strings.Contains(data, `"finding_speakers":{"status":`) {
			break
		}
		finding++
	}
	require.Positive(t, finding)
}

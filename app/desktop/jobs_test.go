package desktop

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestJobTracker(t *testing.T) {
	now := time.Unix(1000, 0)
	tracker := newJobTracker(func() time.Time { return now })
	running := func(speaking, downloading int) {
		t.Helper()
		s, d := tracker.running()
		require.Equal(t, []int{speaking, downloading}, []int{s, d})
	}
	for _, event := range []string{
		`{"id":"d1"}`, `{}`, `no json`, `{"model_name":"kokoro"}`, `{"id":"d1","status":"unheard-of"}`,
		`{"id":"g0","status":"complete"}`, `{"model_name":"kokoro","status":"paused"}`,
	} {
		require.Nil(t, tracker.handle([]byte(event)), event)
		running(0, 0)
	}
	for _, event := range []string{
		`{"id":"g1","status":"queued"}`, `{"id":"g1","status":"generating"}`, `{"id":"g2","status":"queued"}`,
		`{"id":"g3","status":"loading_model"}`, `{"model_name":"kokoro","status":"downloading"}`,
	} {
		require.Nil(t, tracker.handle([]byte(event)), event)
	}
	running(3, 1)
	now = now.Add(5 * time.Second)
	ended := tracker.handle([]byte(`{"id":"g1","status":"complete"}`))
	require.Equal(t, "Your speech is ready", textsFor("en").notification(ended))
	require.False(t, ended.long, "5 s are not worth a notification")
	require.Nil(t, tracker.handle([]byte(`{"id":"g2","status":"cancelled"}`)), "the user knows")
	now = now.Add(15 * time.Second)
	ended = tracker.handle([]byte(`{"id":"g3","status":"failed"}`))
	require.Equal(t, "Speech generation failed", textsFor("en-GB").notification(ended))
	require.True(t, ended.long)
	running(0, 1)
	ended = tracker.handle([]byte(`{"model_name":"kokoro","status":"complete"}`))
	require.Equal(t, "kokoro wurde heruntergeladen", textsFor("de-AT").notification(ended))
	require.Nil(t, tracker.handle([]byte(`{"model_name":"kokoro","status":"complete"}`)), "once")
	tracker.handle([]byte(`{"model_name":"piper","status":"verifying"}`))
	ended = tracker.handle([]byte(`{"model_name":"piper","status":"error"}`))
	require.Equal(t, "Downloading piper failed", textsFor("fr").notification(ended))
	tracker.handle([]byte(`{"id":"g4","status":"queued"}`))
	tracker.reset()
	running(0, 0)
}

func TestQuitQuestion(t *testing.T) {
	texts := textsFor("en")
	require.Empty(t, texts.quitQuestion(0, 0))
	require.Equal(t, "Voicewright is still working (speech: 1, downloads: 2). Quit anyway?", texts.quitQuestion(1, 2))
	require.Contains(t, textsFor("de").quitQuestion(0, 1), "(Downloads: 1)")
	require.Equal(t, "Voicewright (running server)", texts.title("", true))
	require.Equal(t, "Voicewright", texts.title("", false))
	require.Equal(t, "Studio - Voicewright (running server)", texts.title("Studio - Voicewright", true))
}

// TestTextsAreComplete finds a text that a language lacks, and a placeholder that only one of them has.
func TestTextsAreComplete(t *testing.T) {
	en, de := reflect.ValueOf(englishTexts()), reflect.ValueOf(germanTexts())
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		require.NotEmpty(t, de.Field(i).String(), name)
		require.NotEmpty(t, en.Field(i).String(), name)
		for _, mark := range []string{"%s", "%d"} {
			require.Equal(t, strings.Count(en.Field(i).String(), mark), strings.Count(de.Field(i).String(), mark), name)
		}
	}
}

package desktop

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWork(t *testing.T) {
	now := time.Unix(1000, 0)
	w := newWork(func() time.Time { return now })
	busy := func(speaking, downloading int) {
		t.Helper()
		s, d := w.busy()
		require.Equal(t, []int{speaking, downloading}, []int{s, d})
	}
	for _, idle := range []string{
		`{"id":"d1"}`, `{}`, `no json`, `{"model_name":"kokoro"}`, `{"id":"d1","status":"unheard-of"}`,
		`{"id":"g0","status":"complete"}`, `{"model_name":"kokoro","status":"paused"}`,
	} {
		require.Nil(t, w.see([]byte(idle)), idle)
		busy(0, 0)
	}
	for _, event := range []string{
		`{"id":"g1","status":"queued"}`, `{"id":"g1","status":"generating"}`, `{"id":"g2","status":"queued"}`,
		`{"id":"g3","status":"loading_model"}`, `{"model_name":"kokoro","status":"downloading"}`,
	} {
		require.Nil(t, w.see([]byte(event)), event)
	}
	busy(3, 1)
	now = now.Add(5 * time.Second)
	ended := w.see([]byte(`{"id":"g1","status":"complete"}`))
	require.Equal(t, "Your speech is ready", phrasesOf("en").notice(ended))
	require.False(t, ended.long, "5 s are not worth a notification")
	require.Nil(t, w.see([]byte(`{"id":"g2","status":"cancelled"}`)), "the user knows")
	now = now.Add(15 * time.Second)
	ended = w.see([]byte(`{"id":"g3","status":"failed"}`))
	require.Equal(t, "Your speech failed", phrasesOf("en-GB").notice(ended))
	require.True(t, ended.long)
	busy(0, 1)
	ended = w.see([]byte(`{"model_name":"kokoro","status":"complete"}`))
	require.Equal(t, "kokoro ist geladen", phrasesOf("de-AT").notice(ended))
	require.Nil(t, w.see([]byte(`{"model_name":"kokoro","status":"complete"}`)), "once")
	w.see([]byte(`{"model_name":"piper","status":"verifying"}`))
	ended = w.see([]byte(`{"model_name":"piper","status":"error"}`))
	require.Equal(t, "The download of piper failed", phrasesOf("fr").notice(ended))
	w.see([]byte(`{"id":"g4","status":"queued"}`))
	w.forget()
	busy(0, 0)
}

func TestQuestion(t *testing.T) {
	words := phrasesOf("en")
	require.Empty(t, words.question(0, 0))
	require.Equal(t, "Voicewright is still working (speech: 1, downloads: 2). Quit anyway?", words.question(1, 2))
	require.Contains(t, phrasesOf("de").question(0, 1), "(Downloads: 1)")
	require.Equal(t, "Voicewright (running server)", words.title(true))
	require.Equal(t, "Voicewright", words.title(false))
}

// TestPhrasesAreComplete finds a word that a language lacks, or a value that its sentence has no place for.
func TestPhrasesAreComplete(t *testing.T) {
	en, de := reflect.ValueOf(englishPhrases()), reflect.ValueOf(germanPhrases())
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		require.NotEmpty(t, de.Field(i).String(), name)
		require.NotEmpty(t, en.Field(i).String(), name)
		for _, mark := range []string{"%s", "%d"} {
			require.Equal(t, strings.Count(en.Field(i).String(), mark), strings.Count(de.Field(i).String(), mark), name)
		}
	}
}

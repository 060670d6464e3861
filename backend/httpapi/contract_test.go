package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPatchWhileRunning changes a generation that is being spoken: every read shows the change at once, and the progress.
func TestPatchWhileRunning(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: blocked()})
	id := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"One. Two."}`), "Prefer: respond-async").
		object(t)["id"].(string)
	require.Eventually(t, func() bool {
		return s.do("GET", "/generate/"+id, "").object(t)["status"] == "generating"
	}, testTimeout, 5*time.Millisecond)
	a := s.do("PATCH", "/history/"+id, `{"title":"New","favorite":true}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	for _, got := range []object{
		s.do("GET", "/history/"+id, "").object(t), s.do("GET", "/generate/"+id, "").object(t), s.do("GET", "/history", "").items(t)[0],
	} {
		require.Equal(t, "New", got["title"])
		require.Equal(t, true, got["favorite"])
		require.Equal(t, "generating", got["status"])
	}
}

// TestPreferences sends the same preference in different forms.
func TestPreferences(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	body := s.fill(`{"profile_id":"{profile}","text":"Hello."}`)
	require.Equal(t, 202, s.do("POST", "/generate", body, "Prefer: wait=5", "Prefer: respond-async").StatusCode, "two lines are one")
	for accept, want := range map[string]string{
		"audio/wav, audio/pcm;q=0.1": "audio/wav", "audio/pcm;q=0": "audio/wav", "audio/*": "audio/wav", "": "audio/wav",
		"audio/pcm": "audio/pcm", "audio/wav;q=0.5, audio/pcm": "audio/pcm",
	} {
		a := s.do("POST", "/generate/stream", body, "Accept: "+accept)
		require.Equal(t, 200, a.StatusCode, accept)
		require.Equal(t, want, a.Header.Get("Content-Type"), accept)
	}
}

// TestRangeBeyondTheFile has our body, as every error has.
func TestRangeBeyondTheFile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello.", "")
	for _, path := range []string{g["audio_url"].(string), "/history/" + g["id"].(string) + "/export"} {
		a := s.do("GET", path, "", "Range: bytes=99999999-")
		require.Equal(t, 416, a.StatusCode, path)
		require.Equal(t, "range_not_satisfiable", a.object(t)["code"], path)
		require.True(t, strings.HasPrefix(a.Header.Get("Content-Range"), "bytes */"), path)
	}
}

// TestDefaultVoiceNotDownloaded names the setting, as the caller named no voice.
func TestDefaultVoiceNotDownloaded(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, voice := range []string{"nope:x", "fixture:nobody"} {
		require.Equal(t, 200, s.do("PUT", "/settings", `{"speech.default_voice":"`+voice+`"}`).StatusCode)
		a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"Hello."}`))
		require.Equal(t, 404, a.StatusCode, a.body)
		require.Contains(t, a.object(t)["remedy"], "speech.default_voice")
	}
}

// TestNumbersAsDurations takes the two durations that people write as numbers.
func TestNumbersAsDurations(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for given, want := range map[string]string{"0": "0", "-1": "-1"} {
		a := s.do("PUT", "/settings", `{"models.idle_unload":`+given+`}`)
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, want, a.object(t)["models.idle_unload"])
	}
	require.Equal(t, 422, s.do("PUT", "/settings", `{"models.idle_unload":7}`).StatusCode)
	require.Equal(t, 422, s.do("PUT", "/settings", `{"hosted.base_url":0}`).StatusCode)
}

// TestVoiceOfADefaultProfile sets the voice of a default profile, which is validated as for a new profile.
func TestVoiceOfADefaultProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.importTones()
	id := s.create(`{"name":"Mine"}`)["id"].(string)
	require.Equal(t, 404, s.do("PUT", "/profiles/"+id, `{"model_name":"nobody"}`).StatusCode)
	a := s.do("PUT", "/profiles/"+id, `{"model_name":"two-tones"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "preset", a.object(t)["voice_type"])
	require.Equal(t, "tone", a.object(t)["preset_engine"])
}

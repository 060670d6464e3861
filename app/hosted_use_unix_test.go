//go:build unix

package app_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// TestHostedAudioInTheHistory: it is stored as it was received, encoded where another format is asked for, and its parts go with
// its row.
func TestHostedAudioInTheHistory(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	u := newUser(t)
	s := u.serveHosted(service.URL)
	hello := s.hostedText("Hello.")
	with := func(fields string) string { return strings.TrimSuffix(hello, "}") + "," + fields + "}" }

	status, body := s.request("POST", "/generate", hello)
	require.Equal(t, http.StatusOK, status, body)
	served := sha256.Sum256(hostedtest.MP3)
	g := parseJSON(t, body)
	require.Equal(t, hex.EncodeToString(served[:]), g["receipt"].(object)["audio_sha256"])
	require.Equal(t, false, g["receipt"].(object)["hosted"].(object)["refunded"])
	_, sound := s.request("GET", "/audio/"+g["id"].(string), "")
	require.Equal(t, string(hostedtest.MP3), sound)

	for format, magic := range map[string]string{"flac": "fLaC", "opus": "OggS"} {
		status, body = s.request("POST", "/generate", with(fmt.Sprintf(`"format":%q`, format)))
		require.Equal(t, http.StatusOK, status, body)
		_, sound = s.request("GET", "/audio/"+parseJSON(t, body)["id"].(string), "")
		require.Equal(t, magic, sound[:4], format)
	}
	for _, wrong := range []string{
		`{"stability":1.01}`, `{"stability":-0.01}`, `{"similarity_boost":1.01}`, `{"similarity_boost":-0.01}`,
		`{"response_format":"ogg"}`, `{"speaker_boost":"yes"}`, `{"language_override":1}`,
	} {
		status, body = s.request("POST", "/generate", with(`"hosted":`+wrong))
		assert.Equal(t, http.StatusUnprocessableEntity, status, "%s: %s", wrong, body)
	}
	status, body = s.request("POST", "/generate", with(`"hosted":{"stability":0,"similarity_boost":1,"speaker_boost":true,"language_override":false}`))
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, 4, service.Charged())

	status, body = s.request("POST", "/script", `{"turns":[`+hello+`,`+hello+`]}`)
	require.Less(t, status, 300, body)
	dialogue := parseJSON(t, body)["turns"].([]any)[0].(object)["id"].(string)
	status, body = s.request("GET", "/history/"+dialogue+"/export?format=srt", "")
	require.Equal(t, http.StatusConflict, status, body)
	require.Equal(t, "not_in_progress", parseJSON(t, body)["code"])

	service.Fault("/files/", hostedtest.Fault{Status: http.StatusGone})
	_, body = s.request("POST", "/generate", s.hostedText("Kept part.[pause 1s]Lost link."))
	id := parseJSON(t, body)["generation_id"].(string)
	status, body = s.request("POST", "/generate/"+id+"/retry", "", "Prefer: respond-async")
	require.Less(t, status, 300, body)
	require.Equal(t, "complete", s.ended(id)["status"])

	service.Fault(speechPath, hostedtest.Fault{}, hostedtest.Fault{Status: http.StatusPaymentRequired})
	_, body = s.request("POST", "/generate", s.hostedText("Kept part.[pause 1s]Refused."))
	id = parseJSON(t, body)["generation_id"].(string)
	parts := filepath.Join(u.data, "audio", "hosted", id)
	require.DirExists(t, parts, "for a retry")
	status, body = s.request("DELETE", "/history/"+id, "")
	require.Less(t, status, 300, body)
	require.NoDirExists(t, parts)

	service.Fault(speechPath, hostedtest.Fault{Status: http.StatusInternalServerError})
	_, body = s.request("POST", "/generate", hello)
	id = parseJSON(t, body)["generation_id"].(string)
	s.request("POST", "/generate/"+id+"/retry", "", "Prefer: respond-async")
	require.Equal(t, "complete", s.ended(id)["status"])
	_, body = s.request("GET", "/history/"+id, "")
	require.Equal(t, true, parseJSON(t, body)["receipt"].(object)["hosted"].(object)["refunded"])
}

// TestHostedCancelInACall: the row is cancelled, and says that the call may have been charged.
func TestHostedCancelInACall(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	s := newUser(t).serveHosted(service.URL)
	called := make(chan struct{})
	service.Fault(speechPath, hostedtest.Fault{Before: func() { close(called) }, Hang: true})
	status, body := s.request("POST", "/generate", s.hostedText("Hello."), "Prefer: respond-async")
	require.Equal(t, http.StatusAccepted, status, body)
	id := parseJSON(t, body)["id"].(string)
	select {
	case <-called:
	case <-time.After(testTimeout):
		require.Fail(t, "the service was not called")
	}
	status, body = s.request("POST", "/generate/"+id+"/cancel", "")
	require.Less(t, status, 300, body)
	var g object
	require.Eventually(t, func() bool {
		_, body = s.request("GET", "/history/"+id, "")
		g = parseJSON(t, body)
		return g["status"] == "cancelled"
	}, testTimeout, 5*time.Millisecond)
	require.Contains(t, fmt.Sprint(g["error"]), "may have been charged")
}

// TestSayHosted: a price before which the user wants to be asked needs a yes.
func TestSayHosted(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	u := newUser(t)
	s := u.serveHosted(service.URL)
	status, body := s.request("PUT", "/settings", `{"hosted.ask_credits":10}`)
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())

	say := []string{"say", "Hello there.", "--voice", "hosted:" + hostedtest.VoiceID(0), "-o", "hello.mp3"} // 23 credits
	for _, args := range [][]string{say, append(say, "--accept-credits", "22")} {
		o := u.run(args...)
		require.Equal(t, exitNeeded, o.code, o.err)
		require.Empty(t, o.out)
		require.Contains(t, o.err, "The price, 23 credits, is one before which you want to be asked. Add --accept-credits")
	}
	require.Zero(t, service.Charged())
	require.Empty(t, u.outputFiles())
	u.mustRun(append(say, "--accept-credits", "23")...)
	require.Equal(t, 1, service.Charged())
	require.Equal(t, []string{"hello.mp3"}, u.outputFiles())
}

// TestHostedProfile in the preview of a text and in /v1/audio/speech.
func TestHostedProfile(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	s := newUser(t).serveHosted(service.URL)
	status, body := s.request("POST", "/profiles",
		fmt.Sprintf(`{"name":"Ann","voice_type":"hosted","hosted_voice_id":%q}`, hostedtest.VoiceID(0)))
	require.Equal(t, http.StatusOK, status, body)
	profile := parseJSON(t, body)["id"].(string)
	status, body = s.request("POST", "/text/preview", fmt.Sprintf(`{"profile_id":%q,"text":"[laughs] One. [pause 1s] Two."}`, profile))
	require.Equal(t, http.StatusOK, status, body)
	require.Contains(t, body, "[laughs]", "v3 speaks tags")
	require.Zero(t, service.Charged())
	status, sound := s.request("POST", "/v1/audio/speech", `{"model":"tts-1","input":"Hello.","voice":"Ann","response_format":"mp3"}`)
	require.Equal(t, http.StatusOK, status, sound)
	require.Equal(t, string(hostedtest.MP3), sound)
	require.Equal(t, 1, service.Charged())
}

// TestEnhanceOverTheRate is refused with the time after which there is room again.
func TestEnhanceOverTheRate(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	s := newUser(t).serveHosted(service.URL)
	for range 30 {
		status, body := s.request("POST", "/hosted/enhance", `{"text":"Hi."}`)
		require.Equal(t, http.StatusOK, status, body)
	}
	status, body := s.request("POST", "/hosted/enhance", `{"text":"Hi."}`)
	require.Equal(t, http.StatusTooManyRequests, status, body)
	require.Equal(t, "hosted_rate_limited", parseJSON(t, body)["code"])
	require.Len(t, service.Requests("/api/v1/tts/enhance"), 30)
}

package app_test

import (
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// killHosted starts a hosted generation, kills the program when its fetch of the audio has begun, and returns the generation. Its
// credits are spent, and the audio is not stored.
func (u *user) killHosted(service *hostedtest.Service) (id string) {
	u.t.Helper()
	s := u.serve()
	voice := s.useHosted(service)
	fetching := make(chan struct{})
	service.Fault("/files/", hostedtest.Fault{Before: func() { close(fetching) }, Hang: true})
	request := fmt.Sprintf(`{"profile_id":%q,"text":"It is paid.","voice":"hosted:%s"}`, s.firstProfile(), voice)
	status, body := s.request("POST", "/generate", request, "Prefer: respond-async")
	require.Equal(u.t, http.StatusAccepted, status, body)
	select {
	case <-fetching:
	case <-time.After(testTimeout):
		require.Fail(u.t, "the audio is not fetched", s.err.String())
	}
	require.Equal(u.t, -1, s.signal(syscall.SIGKILL))
	require.Equal(u.t, 1, service.Charged())
	return parseJSON(u.t, body)["id"].(string)
}

// useHosted stores the address and an API key of a hosted service, and returns the id of a voice of ProviderA.
func (s *server) useHosted(service *hostedtest.Service) (voice string) {
	s.t.Helper()
	status, body := s.request("PUT", "/settings", fmt.Sprintf(`{"hosted.base_url":%q,"hosted.enabled":true,"secrets.allow_file":true}`, service.URL))
	require.Equal(s.t, http.StatusOK, status, body)
	status, body = s.request("PUT", "/hosted/key", fmt.Sprintf(`{"key":%q}`, hostedtest.Key))
	require.Equal(s.t, http.StatusOK, status, body)
	_, body = s.request("GET", "/hosted/voices?provider=ProviderA", "")
	return parseJSON(s.t, body)["items"].([]any)[0].(object)["id"].(string)
}

// ended returns a generation once it is complete or failed.
func (s *server) ended(id string) object {
	s.t.Helper()
	var g object
	require.Eventually(s.t, func() bool {
		_, body := s.request("GET", "/generate/"+id, "")
		g = parseJSON(s.t, body)
		return g["status"] == "complete" || g["status"] == "failed"
	}, testTimeout, 5*time.Millisecond)
	return g
}

// TestKilledBeforeTheFetch starts the program again: the audio that is paid is fetched, and nothing is paid.
func TestKilledBeforeTheFetch(t *testing.T) {
	t.Parallel()
	u, service := newUser(t), hostedtest.Start(t, hostedtest.Options{})
	id := u.killHosted(service)
	s := u.serve()
	g := s.ended(id)
	require.Equal(t, "complete", g["status"], g)
	status, sound := s.request("GET", "/audio/"+id, "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, string(hostedtest.MP3), sound)
	require.Equal(t, 1, service.Charged())
	_, row := s.request("GET", "/history/"+id, "")
	require.InDelta(t, 100_000-service.Credits(), parseJSON(t, row)["credits"], 0)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
	require.Len(t, u.audioFiles(), 2, "the part stays for a change of the text")
}

// TestKilledWhileAHostedTextIsChanged starts the program again: the version before is whole, what is paid is fetched, and the next
// change pays only for the rest.
func TestKilledWhileAHostedTextIsChanged(t *testing.T) {
	t.Parallel()
	u, service := newUser(t), hostedtest.Start(t, hostedtest.Options{})
	s := u.serve()
	voice := s.useHosted(service)
	status, body := s.request("PUT", "/settings", `{"hosted.ask_credits":1}`)
	require.Equal(t, http.StatusOK, status, body)
	status, body = s.request("POST", "/generate",
		fmt.Sprintf(`{"profile_id":%q,"text":"It stays.","voice":"hosted:%s","accept_credits":1000}`, s.firstProfile(), voice))
	require.Equal(t, http.StatusOK, status, body)
	before := parseJSON(t, body)
	id := before["id"].(string)
	revise := func(more string) (int, string) {
		return s.request("POST", "/generate/"+id+"/revise", `{"text":"It stays.[pause 1s]New.[pause 1s]Newer."`+more+`}`)
	}
	status, body = revise("")
	require.Equal(t, http.StatusConflict, status, body)
	require.Contains(t, body, `"code":"hosted_confirm"`)
	status, body = revise(`,"dry_run":true`)
	require.Equal(t, http.StatusOK, status, body)
	quote := parseJSON(t, body)["quote"].(object)
	require.Equal(t, []any{true, 2.0}, []any{quote["ask"], quote["calls"]})
	accepted := fmt.Sprintf(`,"accept_credits":%v`, quote["credits"])

	fetching := make(chan struct{})
	service.Fault("/files/", hostedtest.Fault{Before: func() { close(fetching) }, Hang: true})
	status, body = revise(accepted)
	require.Equal(t, http.StatusAccepted, status, body)
	select {
	case <-fetching:
	case <-time.After(testTimeout):
		require.Fail(t, "the audio is not fetched", s.err.String())
	}
	require.Equal(t, -1, s.signal(syscall.SIGKILL))
	require.Equal(t, 2, service.Charged())

	s = u.serve()
	g := s.ended(id)
	require.Equal(t, []any{"It stays.", nil}, []any{g["text"], g["error"]})
	status, sound := s.request("GET", "/audio/"+id, "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, string(hostedtest.MP3), sound)
	require.InDelta(t, 100_000-service.Credits(), g["credits"], 0)
	require.Len(t, u.audioFiles(), 3, "the file, its part, and the one that is paid")
	require.Equal(t, 2, service.Charged())
	status, body = revise(accepted)
	require.Equal(t, http.StatusAccepted, status, body)
	g = s.ended(id)
	require.Equal(t, "It stays.[pause 1s]New.[pause 1s]Newer.", g["text"])
	require.Equal(t, 3, service.Charged())
	require.InDelta(t, 100_000-service.Credits(), g["credits"], 0)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
}

// TestKilledBeforeTheFetchForTooLong starts the program when the service has deleted the audio: only a retry of the user pays again.
func TestKilledBeforeTheFetchForTooLong(t *testing.T) {
	t.Parallel()
	u, service := newUser(t), hostedtest.Start(t, hostedtest.Options{})
	id := u.killHosted(service)
	service.ExpireLinks()
	s := u.serve()
	g := s.ended(id)
	require.Equal(t, "failed", g["status"])
	require.Equal(t, "hosted_link_expired", g["error"].(object)["code"])
	require.Equal(t, 1, service.Charged())
	status, body := s.request("POST", "/generate/"+id+"/retry", "", "Prefer: respond-async")
	require.Less(t, status, 300, body)
	require.Equal(t, "complete", s.ended(id)["status"])
	require.Equal(t, 2, service.Charged())
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
}

// TestHostedWithoutFFmpeg speaks, joins, draws and exports MP3 on a machine without other programs.
func TestHostedWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	u, service := newUser(t), hostedtest.Start(t, hostedtest.Options{})
	s := u.withEnv("PATH=" + t.TempDir()).serve()
	voice := s.useHosted(service)
	request := fmt.Sprintf(`{"profile_id":%q,"text":"One. [pause 1s] Two.","voice":"hosted:%s"}`, s.firstProfile(), voice)
	status, body := s.request("POST", "/generate", request)
	require.Equal(t, http.StatusOK, status, body)
	g := parseJSON(t, body)
	require.Equal(t, "mp3", g["format"])
	require.InDelta(t, 2, g["duration"], 0.1, "half a second, a pause, and half a second")
	require.Equal(t, 2, service.Charged())
	id := g["id"].(string)
	status, body = s.request("GET", "/history/"+id+"/peaks", "")
	require.Equal(t, http.StatusOK, status, body)
	status, body = s.request("GET", "/history/"+id+"/export?format=wav", "")
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, "RIFF", body[:4])
	status, body = s.request("GET", "/history/"+id+"/export?format=flac", "")
	require.Equal(t, http.StatusServiceUnavailable, status, body)
	require.Equal(t, "runtime_missing", parseJSON(t, body)["code"])

	turn := fmt.Sprintf(`{"profile_id":%q,"text":"Hello.","voice":"hosted:%s"}`, s.firstProfile(), voice)
	status, body = s.request("POST", "/script", `{"title":"Both","turns":[`+turn+`,`+turn+`]}`)
	require.Less(t, status, 300, body)
	require.InDelta(t, 0.5, parseJSON(t, body)["duration"], 0.1, "one dialogue, which is joined as WAV")
}

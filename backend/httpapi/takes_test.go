package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// script returns a complete script with two turns.
func (s *studio) script() object {
	s.t.Helper()
	a := s.do("POST", "/script", s.fill(`{"turns":[{"profile_id":"{profile}","text":"One."},{"profile_id":"{profile}","text":"Two."}]}`))
	require.Equal(s.t, 200, a.StatusCode, a.body)
	return a.object(s.t)
}

func TestChunksOfAGeneration(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there. Goodbye.", "")
	path := "/history/" + g["id"].(string)
	for _, got := range []object{g, s.do("GET", path, "").object(t), s.do("GET", "/history", "").items(t)[0]} {
		require.Equal(t, "2 2", fmt.Sprint(got["chunks_done"], " ", got["chunks_total"]))
		require.Len(t, got["chunks"], 2)
	}
	again := "/generate/" + g["id"].(string) + "/chunks/"
	require.Equal(t, 200, s.do("POST", again+"1/regenerate", "").StatusCode)
	added := s.do("POST", again+"0/regenerate", `{"choose":false}`)
	require.Equal(t, 200, added.StatusCode, added.body)
	first := added.object(t)["chunks"].([]any)[0].(map[string]any)
	require.Equal(t, "0 2", fmt.Sprint(first["take"], " ", first["takes"]), "the new take is not chosen")
	for _, n := range []string{"-1", "x"} {
		a := s.do("POST", again+n+"/regenerate", "")
		require.Equal(t, 422, a.StatusCode, a.body)
		require.Contains(t, a.body, `"loc":["path","n"]`)
	}
	require.Contains(t, s.do("GET", "/openapi.json", "").body, `"/generate/{generation_id}/chunks/{n}/regenerate"`)
	for _, take := range []string{"0", "1"} {
		a := s.do("GET", path+"/chunks/1/takes/"+take, "")
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, "audio/wav", a.Header.Get("Content-Type"))
		require.Contains(t, a.body[:16], "WAVE")
	}
	for _, take := range []string{"2", "-1", "x"} {
		a := s.do("GET", path+"/chunks/1/takes/"+take, "")
		require.Equal(t, 422, a.StatusCode, a.body)
		require.Contains(t, a.body, `"loc":["path","take"]`)
	}
	require.Equal(t, 404, s.do("GET", "/history/"+uuid.NewString()+"/chunks/0/takes/0", "").StatusCode)
	listed := s.do("GET", path+"/chunks/0/takes?peaks=20", "")
	require.Equal(t, 200, listed.StatusCode, listed.body)
	for i, item := range listed.items(t) {
		require.Equal(t, fmt.Sprint(i), fmt.Sprint(item["take"]))
		require.Regexp(t, `^\d+$`, item["seed"])
		require.Regexp(t, `^\d+\.\d+$`, item["duration"])
		require.Len(t, item["peaks"], 20)
	}
	require.Len(t, listed.items(t), 2)
	for at, status := range map[string]int{"/chunks/2/takes": 422, "/chunks/-1/takes": 422, "/chunks/0/takes?peaks=0": 422} {
		require.Equal(t, status, s.do("GET", path+at, "").StatusCode, at)
	}
	require.Equal(t, 404, s.do("GET", "/history/"+uuid.NewString()+"/chunks/0/takes", "").StatusCode)
	require.Equal(t, 200, s.do("PATCH", path, `{"chunks":{"1":{"take":0}}}`).StatusCode)
	for _, name := range []string{"01", "+1", "-1", "-0", " 1", "1.0", "x", ""} {
		a := s.do("PATCH", path, fmt.Sprintf(`{"chunks":{%q:{"take":0}}}`, name))
		require.Equal(t, 422, a.StatusCode, name)
		require.Contains(t, a.body, fmt.Sprintf(`"loc":["body","chunks",%q]`, name))
		require.Contains(t, a.body, `"type":"int_parsing"`)
	}
}

func TestUnknownAudio(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	made := s.script()
	require.Equal(t, 200, s.do("GET", made["audio_url"].(string), "", "-Authorization").StatusCode)
	a := s.do("GET", "/audio/"+uuid.NewString(), "")
	require.Equal(t, 404, a.StatusCode, a.body)
	require.Equal(t, "No generation, script or transcript has audio with this id.", a.object(t)["detail"])
}

func TestWordsOfARequest(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, path := range []string{"/text/preview", "/generate", "/generate/stream"} {
		send := func(words string) answer {
			return s.do("POST", path, s.fill(`{"profile_id":"{profile}","text":"We use nginx.","pronunciations":{`+words+`}}`))
		}
		require.Equal(t, 200, send(`"nginx":"engine x"`).StatusCode)
		for words, has := range map[string]string{
			`"?":"x"`:                        `["body","pronunciations","?"]`,
			`"a|b":"x"`:                      `["body","pronunciations","a|b"]`,
			`"nginx":"[[x]]"`:                `["body","pronunciations","nginx"]`,
			`"nginx":""`:                     `["body","pronunciations","nginx"]`,
			`"don't":"x","DON’T":"y"`:        `["body","pronunciations","don't"]`,
			`"New York":"x","new  york":"y"`: `["body","pronunciations","new  york"]`,
		} {
			a := send(words)
			require.Equal(t, 422, a.StatusCode, "%s %s: %s", path, words, a.body)
			require.Contains(t, a.body, `"loc":`+has)
		}
		var many []string
		for i := range 1001 {
			many = append(many, fmt.Sprintf(`"word%d":"x"`, i))
		}
		require.Equal(t, 200, send(strings.Join(many[:1000], ",")).StatusCode)
		a := send(strings.Join(many, ","))
		require.Equal(t, 422, a.StatusCode)
		require.Contains(t, a.body, `"loc":["body","pronunciations"]`)
	}
}

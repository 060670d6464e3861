package httpapi_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzGenerateBody sends any bytes as the body of POST /generate: there is a response, which never says that the server is
// at fault.
func FuzzGenerateBody(f *testing.F) {
	s := newStudio(f, studioOptions{})
	for _, seed := range []string{
		``, `{}`, `[]`, `null`, `{"profile_id":"{profile}","text":"Hello."}`, `{"profile_id":"{profile}","text":"..."}`,
		`{"profile_id":"{profile}","text":"a [pause 0.1s] b","speed":4,"seed":0,"normalize":false}`,
		`{"profile_id":"{profile}","text":"A. B. C.","max_chunk_chars":50,"crossfade_ms":500,"title":"t"}`,
		`{"profile_id":"{profile}","text":"[[a|b]] [[","voice":"fixture:0","language":"en"}`,
		`{"profile_id":"{profile}","text":"a","voice":":"}`, `{"profile_id":"{profile}","text":"a","language":"-"}`,
		`{"profile_id":"{profile}","text":"\ud83d\ude00 é 你好","speed":0.25}`, `{"profile_id":"` + itemID + `","text":"a"}`,
		`{"profile_id":"{profile}","text":"a","format":"flac"}`, `{"profile_id":"{profile}","text":"1\u2028.\u0085"}`,
	} {
		f.Add([]byte(s.fill(seed)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 1000 || bytes.Contains(bytes.ToLower(body), []byte("pause")) && len(body) > 150 {
			return // long audio only takes time
		}
		s.t = t
		a := s.do("POST", "/generate", string(body))
		var answer struct {
			Code, ID string
			Detail   any
		}
		require.NoError(t, json.Unmarshal([]byte(a.body), &answer), a.body)
		switch {
		case a.StatusCode == 200:
			require.Equal(t, 204, s.do("DELETE", "/history/"+answer.ID, "").StatusCode)
		case answer.Code == "runtime_missing": // a format that this machine cannot write
		default:
			require.Less(t, a.StatusCode, 500, a.body)
			require.NotNil(t, answer.Detail)
		}
	})
}

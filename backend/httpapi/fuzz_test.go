package httpapi_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/httpapi"
)

// FuzzCheckJSON holds the body checker against encoding/json: the same texts are JSON, but for
// texts nested too deeply; what is passed is decoded without a silent repair.
func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, ``, ` `, `{"a":[1,-0.5e+3,true,null,"\u00e9\ud83d\ude00"]}`, `{"a":"\ud83d"}`, `"\udc00\ud800\udc00"`,
		"\"a\x00\"", "\"\xff\"", "\"\xef\xbf\xbd\"", `"\ufffd"`, `{"a" 1}`, `[1,]`, `01`, `-`, `1.`, `1e`, `tru`, `"\x"`, `"\u12g4"`, "\"\n\"",
		`{"a":1,}`, `{,}`, `{"\u0000":1}`, `[[[[[[]]]]]]`, `nullx`, "\xef\xbb\xbf{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		invalid := httpapi.CheckJSON(data)
		if invalid == nil {
			require.True(t, json.Valid(data))
			return
		}
		field := invalid.Fields[0]
		switch field.Type {
		case "json_invalid":
			if field.Msg != "JSON decode error: more than 200 levels" && !hasNUL(data) {
				require.False(t, json.Valid(data), field.Msg)
			}
		case "string_unicode":
			if !hasNUL(data) {
				require.True(t, json.Valid(data))
			}
		default:
			t.Fatalf("unknown type %s", field.Type)
		}
	})
}

// hasNUL reports a raw NUL byte, which is unclean text to us and malformed to encoding/json.
func hasNUL(data []byte) bool {
	for _, b := range data {
		if b == 0 {
			return true
		}
	}
	return false
}

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

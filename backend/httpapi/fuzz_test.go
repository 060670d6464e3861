package httpapi_test

import (
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

package backend_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestStoredRequest reads and writes requests as rows have them, also those of older programs.
func TestStoredRequest(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]string{
		"all": `{"voice":"kokoro:af_sky","language":"en","seed":7,"speed":1.5,"model_name":"kokoro","title":"A","format":"mp3",
			"normalize":true,"limit":false,"max_chunk_chars":300,"crossfade_ms":20,
			"pauses":{"sentence":0,"paragraph":0.7,"heading":1,"scene":1.5},"verify":true,"accept_license":true,
			"hosted":{"stability":0.5},"accept_credits":0,"dialogue":[{"profile_id":"p","profile_name":"Ann","voice":"v","text":"Hi."}],
			"hosted_voice":{"id":"v","name":"Ann"},"steps":5,"pronunciations":{"lemas":"lay-mas"}}`,
		"before pauses followed the structure": `{"voice":"espeak:en"}`,
		"nothing":                              `{}`,
	} {
		var r, again backend.GenerationRequest
		require.NoError(t, json.Unmarshal([]byte(stored), &r), name)
		require.Equal(t, strings.Contains(stored, "pauses"), r.Pauses != nil, name)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &again))
		require.Equal(t, r, again, name)
		var want, have map[string]any
		require.NoError(t, json.Unmarshal([]byte(stored), &want))
		require.NoError(t, json.Unmarshal(text, &have))
		for key, value := range want {
			if _, object := value.(map[string]any); !object {
				require.Equal(t, value, have[key], "%s: %s", name, key)
			}
		}
		require.Len(t, have, len(want), name)
	}
}

// TestFormatsOfTheAPI are those that can be written.
func TestFormatsOfTheAPI(t *testing.T) {
	t.Parallel()
	for _, of := range []reflect.Type{reflect.TypeFor[backend.Generation](), reflect.TypeFor[backend.GenerateOptions]()} {
		f, ok := of.FieldByName("Format")
		require.True(t, ok)
		require.Equal(t, strings.Join(backend.AudioFormats(), ","), f.Tag.Get("enum"), of)
	}
}

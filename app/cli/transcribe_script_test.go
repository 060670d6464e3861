package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/exit"
)

// A recording becomes a script by one command; its text goes nowhere unless a file is named.
func TestScriptOfARecording(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	f.on("GET /profiles", 200, `{"items":[{"id":"p1","name":"Narrator"}],"total":1}`)
	f.on("POST /transcriptions", 202, `{"id":"x","status":"queued"}`)
	f.on("GET /transcriptions/x/events", 200, "data: "+found+"\n\n")
	f.on("PATCH /transcriptions/x", 200, `{"id":"x","status":"complete","speakers":[{"name":"Änna"},{"name":"Ben"}]}`)
	f.on("POST /transcriptions/x/script", 201, `{"items":[`+
		`{"id":"d1","name":"talk (1/2)","content":{"speakers":[{"name":"Änna"},{"name":"Ben"}],"turns":[{},{},{}]}},`+
		`{"id":"d2","name":"talk (2/2)","content":{"speakers":[{"name":"Änna"}],"turns":[{}]}}]}`)
	f.on("GET /transcriptions/x/export", 200, "The text.\n")
	file := filepath.Join(t.TempDir(), "talk.wav")
	require.NoError(t, os.WriteFile(file, []byte("sound"), 0o600))
	words := []string{"transcribe", file, "--names", "Änna,Ben", "--script", "--voice", "anna=narrator", "--voice", "Karl=Narrator"}

	code, out, errs := f.run("", words...)
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, "talk (1/2): 3 turns of Änna, Ben. ID: d1\ntalk (2/2): 1 turn of Änna. ID: d2\n", out)
	require.Contains(t, errs, "no speaker is called Karl")
	require.Contains(t, f.called(), `POST /transcriptions/x/script {"voices":{"Änna":"p1"}}`)

	text := filepath.Join(t.TempDir(), "talk.txt")
	code, out, errs = f.run("", append(words, "--json", "-o", text)...)
	require.Equal(t, exit.Done, code, errs)
	var got struct {
		Output string
		Script []struct{ ID string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, text, got.Output)
	require.Len(t, got.Script, 2)
	written, err := os.ReadFile(text)
	require.NoError(t, err)
	require.Equal(t, "The text.\n", string(written))
}

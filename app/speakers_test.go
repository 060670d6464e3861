package app_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// TestModelThatFindsSpeakers imports one from its folder. It is neither a voice nor a transcription model.
func TestModelThatFindsSpeakers(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.Regexp(t, `(?m)^speakers +diarize +any +0 +35 MB +not installed +- +MIT .*Apache-2.0`, u.mustRun("models", "list"))
	dir := diarizetest.Folder(t)
	require.Equal(t, "Imported tones (diarize, finds speakers).\n", u.mustRun("models", "import", dir))
	m := u.model("tones")
	require.Equal(t, "speakers", m["family"])
	require.Equal(t, []any{}, m["languages"])
	require.Equal(t, true, m["downloaded"])
	require.Contains(t, u.mustRun("models", "verify", "tones"), "tones is intact: 2 files")
	u.mustFail(exitFailed, []string{"does not speak; it finds who said what"}, "say", "Hello.", "--voice", "tones:")
	u.mustFail(exitFailed, []string{"campplus", "of Speakers is not in"}, "models", "import", dir, "--name", "speakers")
	s := u.serve()
	_, body := s.request("GET", "/v1/models", "")
	require.NotContains(t, body, "tones")
	_, body = s.request("GET", "/profiles", "")
	require.NotContains(t, body, "tones")
	require.Contains(t, u.mustRun("models", "rm", "tones"), "Deleted tones.")
	require.NoFileExists(t, filepath.Join(u.data, "models", "imported", "tones", "model.onnx"))
}

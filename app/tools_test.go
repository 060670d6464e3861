package app_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProgramsAreFoundAgain installs the programs that a running server lacks, one after another: it says how to get each, finds it
// without a restart, and notices that it is gone again.
func TestProgramsAreFoundAgain(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	s := newUser(t).withEnv("PATH=" + tools).serve()
	libraries := func() map[string]object {
		_, body := s.request("GET", "/system", "")
		all := map[string]object{}
		for _, one := range parseJSON(t, body)["libraries"].([]any) {
			all[one.(object)["name"].(string)] = one.(object)
		}
		return all
	}
	speech := fmt.Sprintf(`{"profile_id":%q,"text":"Hello there."}`, s.firstProfile())
	status, body := s.request("POST", "/generate", speech)
	require.Equal(t, 503, status, body)
	require.Equal(t, map[string]any{"program": "espeak-ng"}, parseJSON(t, body)["params"])
	_, body = s.request("GET", "/voices/built-in", "")
	require.Empty(t, parseJSON(t, body)["voices"])

	for _, name := range []string{"espeak-ng", "ffmpeg", "pdftotext"} {
		lacking := libraries()[name]
		require.Equal(t, false, lacking["available"], name)
		install := lacking["install"].(object)
		require.Contains(t, install["page"], "https://", name)
		for _, p := range install["packages"].([]any) {
			require.Contains(t, lacking["reason"], p.(object)["command"], "the data and the sentence are the same")
		}
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(tools, name)))
		found := libraries()[name]
		require.Equal(t, []any{true, nil, nil}, []any{found["available"], found["install"], found["reason"]}, name)
	}
	_, body = s.request("GET", "/voices/built-in", "")
	require.NotEmpty(t, parseJSON(t, body)["voices"])
	status, body = s.request("POST", "/generate", speech)
	require.Equal(t, 200, status, body)

	require.NoError(t, os.Remove(filepath.Join(tools, "pdftotext")))
	require.Equal(t, false, libraries()["pdftotext"]["available"])
}

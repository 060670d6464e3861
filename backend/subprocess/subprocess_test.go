package subprocess_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/voicewright/voicewright/backend/subprocess"
)

func TestChildrenGetNoSecrets(t *testing.T) {
	names := []string{"VOICEWRIGHT_PASSPHRASE", "VOICEWRIGHT_TOKEN", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}
	for _, name := range names {
		t.Setenv(name, "a secret")
	}
	t.Setenv("LANG", "de_DE.UTF-8")
	for _, cmd := range [][]string{
		subprocess.Tool(t.Context(), nil, "ffmpeg").Env,
		subprocess.Desktop(t.Context(), "xdg-open", "https://example.org").Env,
	} {
		all := strings.Join(cmd, "\n")
		assert.Contains(t, all, "LANG=de_DE.UTF-8")
		assert.NotContains(t, all, "a secret")
		for _, name := range names {
			assert.NotContains(t, all, name)
		}
	}
}

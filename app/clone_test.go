package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestCloningEngines imports a model of each engine that clones voices.
func TestCloningEngines(t *testing.T) {
	u := newUser(t)
	for engine, folder := range enginetest.CloneModels(t) {
		out := u.mustRun("models", "import", folder, "--name", "my-"+engine)
		m := u.model("my-" + engine)
		if m["voices"] == float64(0) {
			require.Contains(t, out, "clones voices")
			require.Contains(t, out, `profiles create "My voice" --cloned --model my-`+engine)
		} else {
			require.Contains(t, out, "say --voice my-"+engine+":")
		}
		require.Equal(t, engine, m["engine"])
		require.Equal(t, true, m["cloning"])
		require.Equal(t, true, m["supported"])
	}
}

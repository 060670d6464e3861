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
		u.mustRun("models", "import", folder, "--name", "my-"+engine)
		m := u.model("my-" + engine)
		require.Equal(t, engine, m["engine"])
		require.Equal(t, true, m["cloning"])
		require.Equal(t, true, m["supported"])
	}
}

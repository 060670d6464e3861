package generations_test

import (
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestFilesLieByMonth(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Request("Hello."))
	require.Equal(t, filepath.Join(l.Dir, g.CreatedAt.Format("2006-01"), g.ID+".wav"), g.AudioPath)
	require.NoError(t, uuid.Validate(g.ID))
	path, err := l.Generations.Archive.AudioFile(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, g.AudioPath, path)
	_, err = l.Generations.Archive.AudioFile(t.Context(), "nobody")
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
}

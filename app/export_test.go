package app_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

// TestHistoryExportOfHours says how far it is.
func TestHistoryExportOfHours(t *testing.T) {
	t.Parallel()
	const frames = 3600 * 22050
	u := newUser(t)
	g := u.mustRunJSON("say", "Hello.")
	path := g["audio_path"].(string)
	header := audio.WAVHeader(22050, 1, 2*frames)
	require.NoError(t, os.WriteFile(path, header, 0o600))
	require.NoError(t, os.Truncate(path, int64(len(header))+2*frames))
	o := u.run("history", "export", g["id"].(string), "-o", "long.m4a")
	require.Equal(t, exitDone, o.code, o.err)
	require.Regexp(t, `Exporting: \d+%`, o.err)
	require.Contains(t, o.out, "Wrote long.m4a")
	require.Equal(t, []string{"long.m4a", "speech.wav"}, u.outputFiles())
}

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHistoryVerifyUsage(t *testing.T) {
	t.Parallel()
	u := newUser(t).withEnv("HF_HUB_OFFLINE=1") // nothing is tried again
	u.mustFail(exitUsage, []string{"--all", "--since"}, "history", "verify")
	u.mustFail(exitUsage, []string{"--all"}, "history", "verify", "0190a000-0000-7000-8000-000000000000", "--all")
	u.mustFail(exitUsage, []string{"2026-05-31"}, "history", "verify", "--since", "yesterday")
	u.mustFail(exitNotFound, []string{"generation"}, "history", "verify", "0190a000-0000-7000-8000-000000000000")
	u.mustRun("history", "verify", "--all") // an empty history
	u.mustRun("say", "Hello.", "-o", "a.wav")
	o := u.run("history", "verify", "--all") // there is no model, and none can be downloaded
	require.Equal(t, exitNeeded, o.code)
	require.Empty(t, o.out)
	require.Regexp(t, `Whisper base \(148 MB\) is not downloaded, and offline mode is on|whisper`, o.err) // as the build has it
}

//go:build postgres

package postgres_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// TestKilledProcesses kills a process at a random moment, again and again, while another one lives, whose call goes on.
func TestKilledProcesses(t *testing.T) {
	url := empty(t)
	clock := standing(t, url)
	db := openWith(t, postgres.Options{URL: url})
	other, err := db.SignIn(t.Context(), signingIn("other", 1<<40))
	require.NoError(t, err)
	outside := connect(t, url)
	var seen storetest.Kills
	for i := range kills {
		r := request(other, fmt.Sprint("other-", i))
		r.Instance = "watcher"
		_, err := db.Reserve(t.Context(), r)
		require.NoError(t, err)
		seen.Kill(t, exec.Command(os.Args[0]), url+"&application_name=killed", false)
		outside.waitFor(`SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'killed'`)
		seen.Repair(t, db, clock, postgres.DeadAfter)
		_, err = db.Settle(t.Context(), r.ID, service.Project{}, service.NewFile{Name: r.ID})
		require.NoError(t, err, "of the process that lives")
	}
	seen.End(t, kills)
}

//go:build scale && postgres

package servicescale_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// newCluster starts a server until the end of the test. A durable one syncs its commits.
func newCluster(t *testing.T, durable bool) *postgrestest.Cluster {
	t.Helper()
	cluster, err := postgrestest.Start(durable)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Remove()) })
	return cluster
}

// onPostgres returns a database with the schema.
func onPostgres(t *testing.T, cluster *postgrestest.Cluster) database {
	t.Helper()
	db := at(cluster.Database(t, "template0"))
	code, _, complaints := command(t, "migrate", "--database", db.address)
	require.Equal(t, exit.Done, code, complaints)
	return db
}

// at returns the database at an address.
func at(address string) database {
	return database{address: address, open: func(t testing.TB) service.Store {
		db, err := postgres.Open(context.Background(), postgres.Options{URL: address})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return db
	}}
}

// command runs a command of the program until it ends.
func command(t *testing.T, args ...string) (code int, out, complaints string) {
	t.Helper()
	dir := t.TempDir()
	return programtest.Shell{Dir: dir, Env: programtest.Environment(dir)}.Run(t, program, nil, args)
}

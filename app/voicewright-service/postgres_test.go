//go:build postgres

package main_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// newCluster starts a server of PostgreSQL until the end of the test.
func newCluster(t *testing.T) *postgrestest.Cluster {
	t.Helper()
	c, err := postgrestest.Start(false)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Remove()) })
	return c
}

// on returns the same lab, with the database at an address.
func (l *lab) on(address string) *lab {
	other := *l
	other.operator = l.withEnv("VOICEWRIGHT_SERVICE_DATABASE=" + address)
	return &other
}

// TestPostgresService looks at two processes on one database: one account, one balance, one call at a time, and a process that is killed.
func TestPostgresService(t *testing.T) {
	t.Parallel()
	address := newCluster(t).Database(t, "template0")
	place, _, _ := strings.Cut(address, "?")
	l := newLab(t).on(address)
	for _, args := range [][]string{{"run"}, {"account", "list"}, {"account", "check"}} {
		refused := l.run(args...)
		require.Equal(t, exitFailed, refused.code)
		require.Contains(t, refused.err, "The database "+place+" is empty. Run voicewright-service migrate, with the same address in --database or --config.")
	}
	require.Regexp(t, "^Made the database "+regexp.QuoteMeta(place)+` \(schema version \d+\)\.\n$`, l.mustRun("migrate"))
	require.Regexp(t, "^The database "+regexp.QuoteMeta(place)+` is up to date \(schema version \d+\)\.\n$`, l.mustRun("migrate"))
	l.mustFail(exitUsage, []string{"pg_dump"}, "backup", "copy.db")
	l.mustFail(exitUsage, []string{"pg_dump"}, "restore", "-")
	require.NoFileExists(t, filepath.Join(l.data, "service.db"))

	l.speech.hold = make(chan struct{}, 1)
	one, two := l.serve(), l.serve("--database-connections", "3")
	ann := l.issuer.Token("ann", object{"email": "ann@example.org"})
	require.Equal(t, http.StatusOK, two.call("GET", "/ready", "", nil).status)
	l.speech.hold <- struct{}{}
	made := one.must("POST", "/api/v1/tts/synthesize", ann, one.synthesis(ann))
	require.Equal(t, http.StatusOK, two.call("GET", strings.Replace(made["url"].(string), one.url, two.url, 1), "", nil).status)
	require.InDelta(t, 9_960, two.credits(ann), 0)
	l.mustRun("account", "set-plan", "ann@example.org", "pro")
	key := two.must("POST", "/api/v1/user/api-keys", ann, object{})["key"].(string)
	require.InDelta(t, 100_000, one.credits(key), 0)
	require.Contains(t, l.mustRun("account", "ledger", "ann"), "The balance is the sum of its rows (4)")
	require.Contains(t, l.mustRun("account", "check"), "1 accounts with 100000 plan")

	<-l.speech.started
	call := one.background("POST", "/api/v1/tts/synthesize", ann, one.synthesis(ann))
	waitFor(t, l.speech.started)
	require.Equal(t, "DUPLICATE_REQUEST", two.call("POST", "/api/v1/tts/synthesize", ann, two.synthesis(ann)).json["code"])
	require.Equal(t, -1, one.signal(syscall.SIGKILL))
	require.Nil(t, waitFor(t, call))
	require.Eventually(t, func() bool { return two.credits(ann) == 100_000 }, testTimeout, 50*time.Millisecond, "the other one refunds it")
	l.speech.hold <- struct{}{}
	two.must("POST", "/api/v1/tts/synthesize", key, two.synthesis(ann))
	l.mustRun("account", "delete", "ann", "--yes")
	require.Equal(t, exitDone, two.signal(syscall.SIGTERM), two.err.String())
	require.Contains(t, l.mustRun("account", "check"), "0 accounts")
	require.NoFileExists(t, filepath.Join(l.data, "service.db"))
}

// TestALostAnswerToAnOperator loses the answer to a change that was made: repeated, it would be made twice.
func TestALostAnswerToAnOperator(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	address := cluster.Database(t, "template0")
	l := newLab(t).on(address)
	l.mustRun("migrate")
	l.mustRun("account", "create", "ann@example.org")
	proxy := cluster.Proxy(t)
	proxy.Cut(postgrestest.AfterCommit)
	lost := l.on(proxy.URL(postgrestest.Name(address))).run("account", "add-credits", "ann@example.org", "500")
	require.Equal(t, exitFailed, lost.code)
	require.Contains(t, lost.err, "the change may have been made: look with account show before you repeat it")
	require.Contains(t, l.mustRun("account", "show", "ann@example.org"), "500")
}

// TestPostgresQueue has callers of two processes in one queue: as many calls run as processes live, and of those that wait the user of a
// Pro plan is the next one, in the other process.
func TestPostgresQueue(t *testing.T) {
	t.Parallel()
	address := newCluster(t).Database(t, "template0")
	l := newLab(t).on(address)
	l.mustRun("migrate")
	db, err := sql.Open("pgx", address)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	l.speech.hold = make(chan struct{})
	one, two := l.serve("--metrics"), l.serve("--metrics")
	speak := func(r *running, name string) <-chan *answer {
		token := l.issuer.Token(name)
		body := r.synthesis(token) // makes the account
		if name == "pro" {
			l.mustRun("account", "set-plan", name, name)
		}
		return r.background("POST", "/api/v1/tts/synthesize", token, body)
	}
	isWaiting := func(r *running, known int) { // to the database: a process says that somebody waits before it has connected
		require.Eventually(t, func() bool {
			var n int
			require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM waiting WHERE NOT turn`).Scan(&n))
			return n == known && strings.Contains(r.call("GET", "/metrics", "", nil).text, `voicewright_provider_waiting{provider="ProviderC"} 1`)
		}, testTimeout, 20*time.Millisecond)
	}
	next := func(c <-chan *answer) {
		l.speech.hold <- struct{}{} // to the one that began first
		require.Equal(t, http.StatusOK, waitFor(t, c).status)
	}
	first := speak(one, "ann")
	waitFor(t, l.speech.started)
	second := speak(one, "bob")
	waitFor(t, l.speech.started)
	free := speak(one, "carl")
	isWaiting(one, 1)
	pro := speak(two, "pro")
	isWaiting(two, 2)
	next(first)
	waitFor(t, l.speech.started)
	next(second)
	waitFor(t, l.speech.started)
	next(pro)
	next(free)
	for _, r := range []*running{one, two} {
		require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
	}
}

// TestPostgresCheck finds what somebody changed in the database.
func TestPostgresCheck(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	address := cluster.Database(t, "template0")
	o := newOperator(t).withEnv("VOICEWRIGHT_SERVICE_DATABASE=" + address)
	o.mustRun("migrate")
	o.mustRun("account", "create", "ann@example.org")
	cluster.Exec(t, postgrestest.Name(address), "UPDATE accounts SET plan_credits = plan_credits + 5")
	wrong := o.run("account", "check", "--json")
	require.Equal(t, exitFailed, wrong.code, wrong.err)
	require.Equal(t, []any{"acc-1 has (10005, 0, 0), its rows sum to (10000, 0, 0)"}, parseJSON(t, wrong.out)["flaws"])
	require.Contains(t, wrong.err, "The ledger is wrong;")
}

// TestPostgresPassword has the password in a file or in the environment, never in the address, the log or the table of processes.
func TestPostgresPassword(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	name := postgrestest.Name(cluster.Database(t, "template0"))
	cluster.Exec(t, name, `CREATE ROLE `+postgrestest.Guarded+` LOGIN PASSWORD '`+postgrestest.Password+`'; ALTER DATABASE `+name+
		` OWNER TO `+postgrestest.Guarded+`; GRANT ALL ON SCHEMA public TO `+postgrestest.Guarded)
	t.Cleanup(func() { cluster.Exec(t, "postgres", `ALTER DATABASE `+name+` OWNER TO postgres`) })
	address := "postgres://" + postgrestest.Guarded + "@" + cluster.Address() + "/" + name + "?sslmode=verify-full&sslrootcert=" +
		filepath.Join(cluster.Dir, "server.crt")
	address = strings.Replace(address, "127.0.0.1", "localhost", 1)
	o := newOperator(t).withEnv("VOICEWRIGHT_SERVICE_DATABASE=" + address)
	o.mustFail(exitFailed, []string{"refuses the user", "--database-password-file", "PGPASSWORD"}, "migrate")
	o.mustFail(exitFailed, []string{"password", "cannot be read"}, "migrate", "--database-password-file", "none")
	password := o.file("password", postgrestest.Password+"\n")
	o.mustRun("migrate", "--database-password-file", password)
	o.withEnv("PGPASSWORD="+postgrestest.Password).mustRun("account", "list")
	o.mustFail(exitNotFound, []string{"no database", "createdb"}, "account", "list", "--database-password-file", password,
		"--database", strings.Replace(address, name, "none", 1))
	r := o.withEnv("VOICEWRIGHT_SERVICE_DATABASE_PASSWORD_FILE=" + password).serve("--dev-idp")
	require.Equal(t, http.StatusOK, r.call("GET", "/ready", "", nil).status)
	require.FileExists(t, filepath.Join(o.data, "dev-idp.json"))
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	require.NotContains(t, r.err.String(), postgrestest.Password)
	require.NotContains(t, r.out.String()+strings.Join(r.cmd.Args, " "), postgrestest.Password)
}

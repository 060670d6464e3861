package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosts"
)

// Scheme begins the address of a database.
const Scheme = "postgres://"

// session are the parameters of each connection, where the address names no others. A process that a partition cuts off must not keep
// the row of an account locked: the server ends its transactions, and finds out within seconds that it is gone.
var session = map[string]string{
	"application_name":                    "voicewright-service",
	"idle_in_transaction_session_timeout": "3s",
	"tcp_keepalives_idle":                 "5",
	"tcp_keepalives_interval":             "2",
	"tcp_keepalives_count":                "3",
	"tcp_user_timeout":                    "10s",
	"timezone":                            "UTC",
}

// keepCommits makes commits durable where the database is set to acknowledge them before they are.
const keepCommits = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

func (o Options) wait() time.Duration { return cmp.Or(o.Wait, defaultWait) }

// Place returns an address for people: without parameters, and without the password that it must not have.
func Place(address string) string {
	u, hosts, err := parse(address)
	if err != nil {
		return Scheme + "…"
	}
	user := ""
	if u.User != nil {
		user = u.User.Username() + "@"
	}
	return Scheme + user + hosts + u.Path
}

// parse reads an address. It may name several hosts with their ports, which package url does not allow; they are returned apart.
func parse(address string) (u *url.URL, hosts string, err error) {
	scheme, remote, _ := strings.Cut(address, "://")
	authority := remote
	if end := strings.IndexAny(remote, "/?#"); end >= 0 {
		authority = remote[:end]
	}
	at := strings.LastIndex(authority, "@") + 1
	hosts = authority[at:]
	if strings.Contains(hosts, ",") {
		address = scheme + "://" + authority[:at] + remote[len(authority):]
	}
	u, err = url.Parse(address)
	if err == nil && u.Scheme != "postgres" && u.Scheme != "postgresql" {
		err = errors.New("another scheme")
	}
	return u, hosts, err
}

// config returns the configuration of the pool. Errors are *backend.Error with CodeAddress, and never contain the address as it was
// given: it may have a password.
func (o Options) config() (*pgxpool.Config, error) {
	u, _, err := parse(o.URL)
	if err != nil {
		return nil, backend.E(CodeAddress, "The address of the database is not valid.",
			"Write it as postgres://USER@HOST/DATABASE?sslmode=verify-full.")
	}
	if _, set := u.User.Password(); set || u.Query().Has("password") {
		return nil, backend.E(CodeAddress, "The address of the database contains a password, which other users of this machine could read.",
			"Remove it, and give it in a file with --database-password-file or in the environment variable PGPASSWORD.")
	}
	config, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, backend.E(CodeAddress, fmt.Sprintf("The address of the database %s has parameters that are not valid.", Place(o.URL)),
			"Check sslmode, sslrootcert, sslcert, sslkey and the port.").WithCause(reason(err))
	}
	if o.MaxConns > 0 || !u.Query().Has("pool_max_conns") {
		config.MaxConns = int32(min(max(cmp.Or(o.MaxConns, DefaultConns), 1), 10_000))
	}
	params := config.ConnConfig.RuntimeParams
	for name, value := range session {
		if params[name] == "" {
			params[name] = value
		}
	}
	params["lock_timeout"] = strconv.FormatInt(max(o.wait().Milliseconds()*9/10, 1), 10) // before the context ends
	reach(config.ConnConfig, u.Query(), o.wait())
	config.PingTimeout = time.Second
	config.BeforeConnect = o.setPassword
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, keepCommits)
		return err
	}
	return config, nil
}

// The time for a connection to one host.
const (
	leastConnect = 250 * time.Millisecond
	mostConnect  = 2 * time.Second
)

// reach has the server found that writes, where the address does not say which one is meant, and leaves time for each of its hosts: one
// that is frozen must not use up the time of the others.
func reach(config *pgx.ConnConfig, parameters url.Values, wait time.Duration) {
	given := func(parameter, variable string) bool { return parameters.Has(parameter) || os.Getenv(variable) != "" }
	if !given("target_session_attrs", "PGTARGETSESSIONATTRS") {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if !given("connect_timeout", "PGCONNECT_TIMEOUT") {
		config.ConnectTimeout = min(max(wait/time.Duration(hostsOf(config)+1), leastConnect), mostConnect)
	}
}

// hostsOf returns the number of hosts of an address. One may be tried with and without TLS, which is one try.
func hostsOf(config *pgx.ConnConfig) int {
	different := map[string]bool{fmt.Sprint(config.Host, " ", config.Port): true}
	for _, f := range config.Fallbacks {
		different[fmt.Sprint(f.Host, " ", f.Port)] = true
	}
	return len(different)
}

// Check returns nil for options that Open can use, else a *backend.Error with CodeAddress. It makes no connection.
func (o Options) Check() error {
	_, err := o.config()
	return err
}

// Local reports whether the server is on this machine, wherever the address leads to.
func (o Options) Local() bool {
	config, err := o.config()
	if err != nil {
		return false
	}
	local := func(host string) bool { return strings.HasPrefix(host, "/") || hosts.IsLoopback(host) }
	return local(config.ConnConfig.Host) &&
		!slices.ContainsFunc(config.ConnConfig.Fallbacks, func(f *pgconn.FallbackConfig) bool { return !local(f.Host) })
}

// reason returns the last cause of an error of the parser, which has no address in it.
func reason(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// setPassword reads the password of a new connection, so that it can be changed while the process runs.
func (o Options) setPassword(_ context.Context, config *pgx.ConnConfig) error {
	if o.PasswordFile == "" {
		return nil
	}
	content, err := os.ReadFile(o.PasswordFile)
	if err != nil {
		return &passwordError{err}
	}
	config.Password, _, _ = strings.Cut(string(content), "\n")
	config.Password = strings.TrimSuffix(config.Password, "\r")
	return nil
}

package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
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
	switch {
	case err != nil:
	case scheme != "postgres" && scheme != "postgresql": // pgx would take it for another kind of address
		err = errors.New("another scheme")
	case u.Fragment != "" || strings.HasSuffix(address, "#"):
		err = errors.New("a fragment, which is not sent to servers")
	}
	return u, hosts, err
}

// config returns the configuration of the pool. Errors are *backend.Error with CodeAddress, and never contain the address as it was
// given: it may have a password.
func (o Options) config() (*pgxpool.Config, error) {
	u, _, err := parse(o.URL)
	if err != nil {
		return nil, backend.E(CodeAddress, "The address of the database is not valid.",
			"Write it as postgres://USER@HOST/DATABASE?sslmode=verify-full, and # within it as %23.")
	}
	if _, set := u.User.Password(); set || hasPassword(u.Query()) {
		return nil, backend.E(CodeAddress, "The address of the database contains a password, which other users of this machine could read.",
			"Remove it, and give it in a file with --database-password-file or in the environment variable PGPASSWORD.")
	}
	config, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, backend.E(CodeAddress,
			fmt.Sprintf("The address of the database %s has parameters that are not valid%s.", Place(o.URL), o.wrong(u.Query(), err)),
			"Check sslmode, sslrootcert, sslcert, sslkey and the port.")
	}
	if !given(u.Query(), "sslmode", "PGSSLMODE") && mayBeOpen(config.ConnConfig) {
		return nil, backend.E(CodeAddress,
			fmt.Sprintf("The address of the database %s does not say how the connection to another machine is protected.", Place(o.URL)),
			"Add sslmode=verify-full, which encrypts it and checks the certificate of the server; "+
				"sslmode=require checks no certificate, and sslmode=disable sends everything in the clear.")
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

// hasPassword reports whether a parameter is a password, also where the server would not take it for one.
func hasPassword(parameters url.Values) bool {
	for name := range parameters {
		if strings.EqualFold(strings.TrimSpace(name), "password") {
			return true
		}
	}
	return false
}

// given reports whether an address or the environment has a parameter.
func given(parameters url.Values, parameter, variable string) bool {
	return parameters.Get(parameter) != "" || os.Getenv(variable) != ""
}

// reach has the server found that writes, where the address does not say which one is meant, and leaves time for each of its hosts: one
// that is frozen must not use up the time of the others.
func reach(config *pgx.ConnConfig, parameters url.Values, wait time.Duration) {
	if !given(parameters, "target_session_attrs", "PGTARGETSESSIONATTRS") {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if !given(parameters, "connect_timeout", "PGCONNECT_TIMEOUT") {
		config.ConnectTimeout = min(max(wait/time.Duration(hostsOf(config)+1), leastConnect), mostConnect)
	}
}

// hostsOf returns the number of hosts of an address. One may be tried with and without TLS, which is one try.
func hostsOf(config *pgx.ConnConfig) int {
	different := map[string]bool{}
	for _, t := range tries(config) {
		different[fmt.Sprint(t.Host, " ", t.Port)] = true
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
	return !slices.ContainsFunc(tries(config.ConnConfig), func(t *pgconn.FallbackConfig) bool { return !isLocal(t.Host) })
}

// isLocal reports whether a host is this machine: a loopback address, or the folder of a socket.
func isLocal(host string) bool { return strings.HasPrefix(host, "/") || hosts.IsLoopback(host) }

// tries returns the ways in which a connection is tried, one after the other.
func tries(config *pgx.ConnConfig) []*pgconn.FallbackConfig {
	first := &pgconn.FallbackConfig{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}
	return append([]*pgconn.FallbackConfig{first}, config.Fallbacks...)
}

// mayBeOpen reports whether the server of another machine, or who is in its place, decides if the connection to it is encrypted.
func mayBeOpen(config *pgx.ConnConfig) bool {
	ways := tries(config)
	return slices.ContainsFunc(ways, func(t *pgconn.FallbackConfig) bool { return !isLocal(t.Host) && t.TLSConfig == nil }) &&
		slices.ContainsFunc(ways, func(t *pgconn.FallbackConfig) bool { return !isLocal(t.Host) && t.TLSConfig != nil })
}

// wrong returns what is wrong with the parameters of an address, with ": " before it, where that is known: the one without which it can
// be read, and why. The reason has no address in it.
func (o Options) wrong(parameters url.Values, err error) string {
	why := ""
	var parse *pgconn.ParseConfigError
	if last := reason(err); !errors.As(last, &parse) { // an error of the parser has the whole address
		why = last.Error()
	}
	address, _, _ := strings.Cut(o.URL, "?")
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		others := maps.Clone(parameters)
		others.Del(name)
		if _, err := pgxpool.ParseConfig(address + "?" + others.Encode()); err == nil {
			return strings.TrimSuffix(fmt.Sprintf(": %s (%s)", name, why), " ()")
		}
	}
	if why == "" {
		return ""
	}
	return ": " + why
}

// reason returns the last cause of an error.
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
	if config.Password = strings.TrimSuffix(config.Password, "\r"); config.Password == "" {
		return &passwordError{errEmptyPassword} // the server would be asked without one, whatever PGPASSWORD is
	}
	return nil
}

//go:build postgres

package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

const (
	startTimeout = time.Minute // a busy machine is slow
	startTries   = 5           // as another program may take the port
)

// Password is that of Guarded.
const Password = "s3cret of the test"

// The users of a cluster. Superuser needs no password; the others do not exist until a test creates them.
const (
	Superuser = "postgres"
	Guarded   = "guarded"   // with Password
	Encrypted = "encrypted" // with TLS only
)

// hba says who may connect how.
const hba = `host all ` + Guarded + ` 127.0.0.1/32 scram-sha-256
hostssl all ` + Encrypted + ` 127.0.0.1/32 trust
hostnossl all ` + Encrypted + ` 127.0.0.1/32 reject
host all all 127.0.0.1/32 trust
`

// Cluster is a server with its folder.
type Cluster struct {
	Dir string // has the certificate server.crt, too, which is for localhost

	bin     string
	owner   *syscall.Credential // nil: this user
	durable bool
	port    int
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the server has ended
}

var shared *Cluster // of Main

// Main runs the tests of a package with a cluster for New, and stops it. Its commits survive the end of the server, not of the machine.
func Main(m *testing.M) int {
	c, err := Start(false)
	if err != nil {
		fmt.Fprintln(os.Stderr, "postgrestest:", err)
		return 1
	}
	shared = c
	code := m.Run()
	if err := c.Remove(); err != nil {
		fmt.Fprintln(os.Stderr, "postgrestest:", err)
		return 1
	}
	return code
}

// Shared returns the cluster of Main.
func Shared() *Cluster { return shared }

// New returns the address of an empty database in the cluster of Main, which is dropped when the test ends.
func New(t testing.TB) string { return shared.Database(t, "template0") }

// Start makes a cluster and starts it. A durable one syncs its commits.
func Start(durable bool) (c *Cluster, err error) {
	c = &Cluster{durable: durable}
	if c.bin, err = programs(); err != nil {
		return nil, err
	}
	if c.owner, err = owner(); err != nil {
		return nil, err
	}
	if c.Dir, err = os.MkdirTemp("", "postgrestest-"); err != nil {
		return nil, err
	}
	if err := errors.Join(c.init(), c.Start()); err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.Dir))
	}
	return c, nil
}

// programs returns the folder of the newest server that is installed.
func programs() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	if len(found) == 0 && err == nil {
		var path string
		if path, err = exec.LookPath("initdb"); err == nil {
			found = []string{path}
		}
	}
	if err != nil {
		return "", fmt.Errorf("PostgreSQL is not installed (build/setup --postgres): %w", err)
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// version returns the version of a server by the path of its program.
func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // the folders of Debian are numbers
	return n
}

// owner returns who runs the server, which refuses to run as root.
func owner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	var errs []error
	for _, name := range []string{"nobody", "postgres"} {
		u, err := user.Lookup(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err, gidErr)
	}
	return nil, errors.Join(errs...)
}

// init makes the folder.
func (c *Cluster) init() error {
	certificate, key, err := certificate()
	if err != nil {
		return err
	}
	if c.owner != nil {
		if err := os.Chown(c.Dir, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
			return err
		}
	}
	out, err := c.command(context.Background(), "initdb", "--pgdata="+c.data(), "--username="+Superuser, "--auth=trust", "--no-sync",
		"--encoding=UTF8", "--locale=C.UTF-8").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	for name, content := range map[string][]byte{"pg_hba.conf": []byte(hba), "server.crt": certificate, "server.key": key} {
		path := filepath.Join(c.data(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return err
		}
		if c.owner != nil {
			if err := os.Chown(path, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(c.Dir, "server.crt"), certificate, 0o644)
}

func (c *Cluster) data() string { return filepath.Join(c.Dir, "data") }

// command returns a program of PostgreSQL, run by the owner of the cluster.
func (c *Cluster) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir = c.Dir
	cmd.Env = []string{"PATH=" + c.bin + ":/usr/bin:/bin", "HOME=" + c.Dir, "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner, Pdeathsig: syscall.SIGQUIT}
	return cmd
}

// Start starts the server again after Stop or Kill, on the same port.
func (c *Cluster) Start() (err error) {
	if c.port != 0 {
		return c.start()
	}
	for range startTries {
		if c.port, err = freePort(); err != nil {
			return err
		}
		if err = c.start(); err == nil {
			return nil
		}
	}
	return err
}

func (c *Cluster) start() error {
	settings := map[string]string{
		"port": strconv.Itoa(c.port), "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": "100",
		"shared_buffers": "32MB", "ssl": "on", "fsync": "on", "full_page_writes": "on", "log_timezone": "UTC", "deadlock_timeout": "50ms",
	}
	if !c.durable {
		settings["fsync"], settings["full_page_writes"] = "off", "off"
	}
	args := []string{"-D", c.data()}
	for name, value := range settings {
		args = append(args, "-c", name+"="+value)
	}
	log, err := os.OpenFile(c.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the server has its own
	cmd := c.command(context.Background(), "postgres", args...)
	cmd.Stdout, cmd.Stderr = log, log
	ended, started := make(chan struct{}), make(chan error)
	go func() {
		runtime.LockOSThread() // with this thread, Pdeathsig would end the server; it stays until that has ended
		started <- cmd.Start()
		_ = cmd.Wait()
		close(ended)
	}()
	if err := <-started; err != nil {
		return err
	}
	c.cmd, c.ended = cmd, ended
	return c.await()
}

func (c *Cluster) log() string { return filepath.Join(c.Dir, "log") }

// await waits until the server accepts connections.
func (c *Cluster) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, c.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-c.ended:
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
			continue
		}
		log, _ := os.ReadFile(c.log()) // may not be there yet
		return fmt.Errorf("the server did not start: %w\n%s", err, log)
	}
}

// Standby starts the server again after Stop, as a standby: it answers queries, and writes nothing.
func (c *Cluster) Standby() error {
	if err := os.WriteFile(filepath.Join(c.data(), "standby.signal"), nil, 0o644); err != nil {
		return err
	}
	return c.Start()
}

// Stop ends the server: SIGTERM waits for its clients, SIGINT ends their transactions, SIGQUIT ends at once.
func (c *Cluster) Stop(signal syscall.Signal) error {
	if err := c.cmd.Process.Signal(signal); err != nil {
		return err
	}
	select {
	case <-c.ended:
		return nil
	case <-time.After(startTimeout):
		return errors.New("the server did not stop")
	}
}

// Remove stops the server and removes its folder.
func (c *Cluster) Remove() error {
	select {
	case <-c.ended:
		return os.RemoveAll(c.Dir)
	default:
		return errors.Join(c.Stop(syscall.SIGINT), os.RemoveAll(c.Dir))
	}
}

// Program returns a program of PostgreSQL, such as pgbench, that connects to a database.
func (c *Cluster) Program(ctx context.Context, name, database string, args ...string) *exec.Cmd {
	cmd := c.command(ctx, name, args...)
	cmd.Env = append(cmd.Env, "PGHOST=127.0.0.1", "PGPORT="+strconv.Itoa(c.port), "PGUSER="+Superuser, "PGDATABASE="+database)
	return cmd
}

// URL returns the address of a database.
func (c *Cluster) URL(database string) string {
	return "postgres://" + Superuser + "@" + c.Address() + "/" + database + "?sslmode=disable"
}

// Address returns host and port.
func (c *Cluster) Address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)) }

var databases atomic.Int64

// Database returns the address of a copy of a database to which nobody is connected; it is dropped when the test ends.
func (c *Cluster) Database(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprint("test_", databases.Add(1))
	c.Exec(t, "postgres", `CREATE DATABASE `+name+` TEMPLATE `+template)
	t.Cleanup(func() { c.Exec(t, "postgres", `DROP DATABASE `+name+` WITH (FORCE)`) })
	return c.URL(name)
}

// Exec runs statements as Superuser.
func (c *Cluster) Exec(t testing.TB, database, statements string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL(database))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, statements)
	require.NoError(t, err, statements)
}

// freePort returns a port on which nothing listens now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// Name returns the name of the database of an address.
func Name(url string) string {
	_, path, _ := strings.Cut(strings.TrimPrefix(url, "postgres://"), "/")
	name, _, _ := strings.Cut(path, "?")
	return name
}

package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/voicewright/voicewright/backend/service"
)

// DefaultConns is the number of connections of a process, where Options do not say.
const DefaultConns = 10

const (
	defaultWait = 5 * time.Second  // where Options do not say
	longWork    = 10 * time.Minute // of what grows with what is stored
	closeWait   = 10 * time.Second // for the calls that run when the store is closed
)

// Options are the options of Open and of Migrate.
type Options struct {
	// URL is postgres://USER@HOST/DATABASE with the parameters of libpq, such as sslmode, and without a password.
	URL string
	// PasswordFile has the password in its first line; it is read for each new connection. Empty: PGPASSWORD and ~/.pgpass, as libpq.
	PasswordFile string
	// MaxConns is the number of connections of this process, one of which is for heartbeats and one for the queues of providers;
	// 0 = DefaultConns, at least 3. Alone and Check take one more each while they run.
	MaxConns int
	// Wait is how long a call waits for a connection, for locks, and for a server that restarts, before service.ErrStoreBusy. 0 = 5 s. It
	// then waits for the answer to COMMIT as long, or for service.CommitWait where that is less.
	Wait time.Duration
}

// DB is an open store. All methods are safe for concurrent use.
type DB struct {
	server
	renewals

	// With a connection each of their own: calls that wait must not make a process seem dead, or lose its place in a queue.
	beats  server
	queues server
	alive  instances

	closing sync.Once
	done    chan struct{} // closed when the store is closed
}

// server is the way to PostgreSQL.
type server struct {
	pool *pgxpool.Pool
	wait time.Duration // of a call, before service.ErrStoreBusy
	work time.Duration // of a call that has what it waited for; 0 = wait, as the network may be cut
}

// patient returns the way for work that grows with what is stored.
func (s *server) patient() *server {
	long := *s
	long.work = longWork
	return &long
}

var _ service.Store = (*DB)(nil)

// Open opens a database that Migrate has prepared; it changes nothing in it. Errors are *backend.Error: CodeAddress, CodeUnreachable,
// backend.CodeNotPermitted, backend.CodeNotFound where there is no such database, CodeNotMigrated where the schema is missing or
// older, backend.CodeDatabaseNewer where it is more than one version ahead, and backend.CodeDatabaseCorrupt where it is another program's.
func Open(ctx context.Context, o Options) (*DB, error) {
	config, err := o.config()
	if err != nil {
		return nil, err
	}
	db := &DB{done: make(chan struct{})}
	db.renewals.server = &db.server
	for _, s := range []struct {
		server *server
		conns  int32
	}{{&db.server, max(config.MaxConns-2, 1)}, {&db.beats, 1}, {&db.queues, 1}} {
		if *s.server, err = o.newServer(ctx, config, s.conns); err != nil {
			return nil, errors.Join(o.openError(config.ConnConfig, err), db.Close())
		}
	}
	if err := db.checkSchema(ctx); err != nil {
		return nil, errors.Join(o.openError(config.ConnConfig, err), db.Close())
	}
	return db, nil
}

// newServer returns a way to PostgreSQL with a number of connections, which are made when they are needed.
func (o Options) newServer(ctx context.Context, config *pgxpool.Config, conns int32) (server, error) {
	config = config.Copy()
	config.MaxConns = conns
	config.MinConns, config.MinIdleConns = min(config.MinConns, conns), min(config.MinIdleConns, conns)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	return server{pool: pool, wait: o.wait()}, err
}

// Ping returns nil when the store can be read and written.
func (db *DB) Ping(ctx context.Context) error {
	return db.update(ctx, "check store", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `INSERT INTO instances (id, beat) VALUES ('', 0) ON CONFLICT (id) DO UPDATE SET beat = 0`)
	})
}

// Close closes the connections, after the calls that run have ended. Processes that gave heartbeats here and hold no call count no more
// from then on. Later calls return an error.
func (db *DB) Close() error {
	db.closing.Do(func() {
		go func() {
			defer close(db.done)
			for _, s := range []*server{&db.server, &db.queues} {
				s.close()
			}
			db.leave()
			db.beats.close()
		}()
	})
	select {
	case <-db.done:
		return nil
	case <-time.After(closeWait):
		return errors.New("close store: calls have not ended")
	}
}

// close closes the connections, where they were opened.
func (s *server) close() {
	if s.pool != nil {
		s.pool.Close()
	}
}

// Alone implements service.FileIndex. The lock is that of a connection of its own: the server frees it when the process dies. f is
// cancelled when that connection is lost.
func (db *DB) Alone(ctx context.Context, f func(ctx context.Context) error) (ran bool, err error) {
	const op = "take the turn"
	conn, err := db.connect(ctx)
	if err != nil {
		return false, fail(ctx, op, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // what it locks is free then, in any case
	var taken bool
	err = conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, turnLock).Scan(&taken)
	if err != nil || !taken {
		return false, fail(ctx, op, ended(conn, err))
	}
	ctx, cancel := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		defer cancel()
		_, _ = conn.WaitForNotification(ctx) // none comes: it ends with ctx, or when the connection is lost
	}()
	defer func() {
		cancel()
		<-watched
		giveBack(ctx, conn)
	}()
	return true, f(ctx)
}

// giveBack frees the lock of Alone at once: the server takes a moment to find out that a connection has ended.
func giveBack(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`) // the end of the connection does it, too
}

// connect makes a connection beside the pool.
func (s *server) connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	config := s.pool.Config()
	if err := config.BeforeConnect(ctx, config.ConnConfig); err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, config.ConnConfig)
}

// The advisory locks of a database.
const (
	migrateLock int64 = 0x766f6963_656d6967 // of Migrate
	turnLock    int64 = 0x766f6963_65747572 // of Alone
	emailLock   int32 = 0x766f6963          // with the hash of an e-mail address
	queueLock   int32 = 0x766f6971          // with the hash of a provider: its queue
)

//go:build postgres

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// The accounts of the database in which connections are cut, by their ids.
const (
	anna  int64 = iota + 1 // has a plan, a key, a favourite, and a call that was charged
	bob                    // has a call that runs, of a process that lives
	carl                   // has a call that runs, of a process that died
	dora                   // has a plan that has ended
	guest                  // waits for its user
	rita                   // has a plan that has ended, and renews itself
)

var keyOfAnna = service.KeyHash{1}

// people makes a database with these accounts, whose clock stands, and returns its address.
func people(t *testing.T) string {
	t.Helper()
	ctx := t.Context()
	url := empty(t)
	set, done := testClock(t, url)
	start := time.UnixMilli(1_790_000_000_000)
	set(start)
	db, err := postgres.Open(ctx, postgres.Options{URL: url})
	require.NoError(t, err)
	for i, name := range []string{"anna", "bob", "carl", "dora"} {
		a, err := db.SignIn(ctx, signingIn(name, 1000))
		require.NoError(t, err)
		require.EqualValues(t, i+1, a.ID)
		_, err = db.SetPlan(ctx, a.ID, service.Pro, 5000, 30, service.Change{})
		require.NoError(t, err)
		_, err = db.AddCredits(ctx, a.ID, 500, service.Change{Actor: "olga", Note: "paid"})
		require.NoError(t, err)
	}
	_, err = db.SetPlan(ctx, dora, service.Pro, 5000, 0, service.Change{})
	require.NoError(t, err)
	_, err = db.CreateAccount(ctx, service.NewAccount{Email: "guest@example.com", Plan: service.Pro, Days: 5, Credits: 7}, service.Change{})
	require.NoError(t, err)
	set(start.AddDate(0, 0, -40))
	_, err = db.SignIn(ctx, signingIn("rita", 1000))
	require.NoError(t, err)
	_, err = db.SetPlan(ctx, rita, service.Pro, 5000, 30, service.Change{})
	require.NoError(t, err)
	_, err = db.RenewUntil(ctx, rita, start.AddDate(1, 0, 0), 0, service.Change{})
	require.NoError(t, err)
	set(start)
	_, err = db.CreateKey(ctx, anna, service.NewKey{ID: "k", Prefix: "svc_sk_abcde", Hash: keyOfAnna}, 10)
	require.NoError(t, err)
	_, err = db.ToggleFavourite(ctx, anna, "voice")
	require.NoError(t, err)
	for account, id := range map[int64]string{anna: "old", bob: "running", carl: "left"} {
		r := request(service.Account{ID: account}, id)
		r.Instance = id
		r.Idempotency = &service.Idempotency{Key: [32]byte{byte(account)}}
		_, err = db.Reserve(ctx, r)
		require.NoError(t, err)
	}
	_, err = db.Settle(ctx, "old", service.Project{Title: "Old"}, service.NewFile{Name: "old.mp3", Format: service.MP3})
	require.NoError(t, err)
	for i := range 12 {
		set(start.Add(time.Duration(i) * time.Second))
		require.NoError(t, db.Heartbeat(ctx, "running"))
	}
	require.NoError(t, db.Close())
	// One that holds no call, and would have gone with the store.
	require.NoError(t, execute(t, url, `INSERT INTO instances (id, beat, since) SELECT 'watcher', beat, since FROM instances WHERE id = 'running'`))
	done()
	return url
}

// allowances are the credits of plans.
var allowances = map[service.Plan]int64{service.Pro: 5000}

// methods are the methods of a store that change something.
var methods = map[string]func(ctx context.Context, db *postgres.DB) error{
	"SignIn of a new user": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.SignIn(ctx, signingIn("new", 1000))
		return err
	},
	"SignIn of a guest": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.SignIn(ctx, signingIn("guest", 1000))
		return err
	},
	"SignIn with news": func(ctx context.Context, db *postgres.DB) error {
		in := signingIn("anna", 1000)
		in.Groups = []string{"team"}
		_, err := db.SignIn(ctx, in)
		return err
	},
	"CreateAccount": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.CreateAccount(ctx, service.NewAccount{Email: "x@example.com", Plan: service.Max, Days: 3, Credits: 9}, service.Change{Actor: "o"})
		return err
	},
	"SetPlan": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.SetPlan(ctx, anna, service.Max, 70, 3, service.Change{Actor: "o"})
		return err
	},
	"AddCredits": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.AddCredits(ctx, anna, 70, service.Change{Actor: "o", Note: "n"})
		return err
	},
	"SetDisabled": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.SetDisabled(ctx, anna, true, service.Change{Actor: "o"})
		return err
	},
	"ResetExpired": func(ctx context.Context, db *postgres.DB) error {
		_, _, err := db.ResetExpired(ctx, dora, 1000)
		return err
	},
	"Renew": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Renew(ctx, anna, allowances, 30, service.Change{Actor: "o"})
		return err
	},
	"RenewUntil": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.RenewUntil(ctx, anna, time.UnixMilli(1_900_000_000_000), 0, service.Change{Actor: "o"})
		return err
	},
	"RenewDue": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.RenewDue(ctx, rita, allowances)
		return err
	},
	"DeleteAccount": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.DeleteAccount(ctx, bob, service.Change{Actor: "o"})
		return err
	},
	"KeyCaller": func(ctx context.Context, db *postgres.DB) error {
		_, _, err := db.KeyCaller(ctx, keyOfAnna)
		return err
	},
	"CreateKey": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.CreateKey(ctx, anna, service.NewKey{ID: "l", Hash: service.KeyHash{2}}, 10)
		return err
	},
	"RevokeKey": func(ctx context.Context, db *postgres.DB) error {
		return db.RevokeKey(ctx, anna, "k", service.Change{Actor: "o"})
	},
	"ToggleFavourite": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.ToggleFavourite(ctx, anna, "other")
		return err
	},
	"CountCall": func(ctx context.Context, db *postgres.DB) error { return db.CountCall(ctx, anna, 30) },
	"Reserve": func(ctx context.Context, db *postgres.DB) error {
		r := request(service.Account{ID: anna}, "new")
		r.Idempotency = &service.Idempotency{Key: [32]byte{7}}
		held, err := db.Reserve(ctx, r)
		if err == nil && held != (service.Reservation{ID: "new", PlanCredits: 100}) {
			return fmt.Errorf("held %v", held)
		}
		return err
	},
	"Settle": func(ctx context.Context, db *postgres.DB) error {
		a, err := db.Settle(ctx, "running", service.Project{Title: "T"}, service.NewFile{Name: "new.mp3", Format: service.MP3})
		if err == nil && a.Credits() != 5400 {
			return fmt.Errorf("credits %d", a.Credits())
		}
		return err
	},
	"Refund":     func(ctx context.Context, db *postgres.DB) error { return db.Refund(ctx, "running", "provider failed") },
	"ForgetKeys": func(ctx context.Context, db *postgres.DB) error { return db.ForgetKeys(ctx, time.Second) },
	"Heartbeat":  func(ctx context.Context, db *postgres.DB) error { return db.Heartbeat(ctx, "another") },
	"Repair": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Repair(ctx, "watcher")
		return err
	},
	"Removed": func(ctx context.Context, db *postgres.DB) error { return db.Removed(ctx, []string{"old.mp3"}) },
	"Ping":    func(ctx context.Context, db *postgres.DB) error { return db.Ping(ctx) },
}

// reads are the methods of a store that only read.
var reads = map[string]func(ctx context.Context, db *postgres.DB) error{
	"Account": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Account(ctx, "anna")
		return err
	},
	"AccountByID": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.AccountByID(ctx, anna)
		return err
	},
	"AccountsByEmail": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.AccountsByEmail(ctx, "anna@example.com")
		return err
	},
	"Accounts": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Accounts(ctx, 0, 10)
		return err
	},
	"SignIn": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.SignIn(ctx, signingIn("anna", 1000))
		return err
	},
	"Keys": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Keys(ctx, anna)
		return err
	},
	"Favourites": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Favourites(ctx, anna)
		return err
	},
	"Earlier": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Earlier(ctx, anna, [32]byte{byte(anna)})
		return err
	},
	"Usage": func(ctx context.Context, db *postgres.DB) error {
		_, _, err := db.Usage(ctx, anna, "", 10)
		return err
	},
	"Entries": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Entries(ctx, anna, math.MaxInt64, 10)
		return err
	},
	"Sums": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Sums(ctx, anna)
		return err
	},
	"File": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.File(ctx, "old.mp3")
		return err
	},
	"Expired": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Expired(ctx, 10)
		return err
	},
	"Indexed": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Indexed(ctx, []string{"old.mp3"})
		return err
	},
	"RenewalsDue": func(ctx context.Context, db *postgres.DB) error {
		list, err := db.RenewalsDue(ctx, 0, 10)
		if err == nil && len(list) != 1 {
			return fmt.Errorf("%d accounts", len(list))
		}
		return err
	},
	"Check": func(ctx context.Context, db *postgres.DB) error { return db.Check(ctx) },
	"Alone": func(ctx context.Context, db *postgres.DB) error {
		_, err := db.Alone(ctx, func(context.Context) error { return nil })
		return err
	},
}

// again are the methods that are called again until their outcome is known, and always find the same.
var again = []string{"Reserve", "Settle", "Refund", "Heartbeat", "Ping", "Removed", "SetDisabled", "RenewDue"}

// state returns the content of a database, without the numbers that a transaction that was rolled back uses up.
func state(t *testing.T, url string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	var lines []string
	for table, without := range map[string]string{
		"accounts": "id", "keys": "number", "favourites": "id", "rate_calls": "at", "calls": "seq", "ledger": "id", "files": "call",
		"idempotency_keys": "call", "instances": "none",
	} {
		rows, err := conn.Query(t.Context(), `SELECT $1 || (to_jsonb(t) - $2::text - 'call' - 'account')::text FROM `+table+` t`, table, without)
		require.NoError(t, err)
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		lines = append(lines, found...)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestLostConnections cuts the connection of every method before a statement, before COMMIT, after it, and while its answer comes back.
// What is in the database is what was there before or what the method does, whole; a busy store has surely done nothing; and methods
// that can be called again find out.
func TestLostConnections(t *testing.T) {
	template := people(t)
	cluster := postgrestest.Shared()
	copied := func(t *testing.T) string { return cluster.Database(t, postgrestest.Name(template)) }
	before := state(t, template)
	for name, method := range methods {
		url := copied(t)
		require.NoError(t, method(t.Context(), openWith(t, postgres.Options{URL: url})), name)
		after := state(t, url)
		require.NotEqual(t, before, after, name)
		for point, what := range map[postgrestest.Point]string{
			postgrestest.AtStatement: "at a statement", postgrestest.BeforeCommit: "before COMMIT",
			postgrestest.AfterCommit: "after COMMIT", postgrestest.InAnswer: "in the answer",
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				url := copied(t)
				proxy := cluster.Proxy(t)
				db := openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url))})
				proxy.Cut(point)
				err := method(t.Context(), db)
				require.Equal(t, 1, proxy.Cuts())
				found := state(t, url)
				require.False(t, errors.Is(err, service.ErrStoreBusy), "of a lost COMMIT nothing is sure: %v", err)
				switch {
				case point == postgrestest.AtStatement:
					require.NoError(t, err, "it is tried again")
					require.Equal(t, after, found)
				case name == "KeyCaller":
					require.NoError(t, err, "although its use may not be written")
				default:
					require.True(t, postgres.IsUnknown(err), err)
				}
				if point == postgrestest.BeforeCommit {
					require.Equal(t, before, found)
				} else {
					require.Equal(t, after, found)
				}
				if slices.Contains(again, name) {
					require.NoError(t, method(t.Context(), db))
					require.Equal(t, after, state(t, url))
				}
				require.NoError(t, db.Check(t.Context()))
			})
		}
	}
}

// TestSilence has no answer to COMMIT come, as when a network is cut: the call ends in time, and whoever asks again learns the outcome.
func TestSilence(t *testing.T) {
	url := people(t)
	proxy := postgrestest.Shared().Proxy(t)
	db := openWith(t, postgres.Options{URL: url})
	hasty := openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url)), Wait: time.Second})
	for _, name := range []string{"Reserve", "Settle"} {
		proxy.Cut(postgrestest.Silent)
		err := methods[name](t.Context(), hasty)
		require.Error(t, err)
		require.NotErrorIs(t, err, service.ErrStoreBusy)
		require.NoError(t, methods[name](t.Context(), db))
	}
	require.Equal(t, 2, proxy.Cuts())
	require.NoError(t, db.Check(t.Context()))
}

// TestReadsOnLostConnections cuts the connection of every method that reads: another one is used.
func TestReadsOnLostConnections(t *testing.T) {
	url := people(t)
	proxy := postgrestest.Shared().Proxy(t)
	db := openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url))})
	for name, method := range reads {
		cuts := proxy.Cuts()
		proxy.Cut(postgrestest.AtStatement)
		err := method(t.Context(), db)
		require.Equal(t, cuts+1, proxy.Cuts(), name)
		if err != nil {
			require.ErrorIs(t, err, service.ErrStoreBusy, name)
			require.Contains(t, []string{"Check", "Alone"}, name, "background work is repeated by itself")
		}
		require.NoError(t, method(t.Context(), db), name)
	}
}

// TestUnreachable has no server for a while: nothing is done, which is sure, and afterwards everything goes on.
func TestUnreachable(t *testing.T) {
	url := people(t)
	proxy := postgrestest.Shared().Proxy(t)
	db := openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url))})
	hasty := openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url)), Wait: shortWait})
	before := state(t, url)
	proxy.Away(true)
	for name, method := range methods {
		require.ErrorIs(t, method(t.Context(), hasty), service.ErrStoreBusy, name)
	}
	for name, method := range reads {
		require.ErrorIs(t, method(t.Context(), hasty), service.ErrStoreBusy, name)
	}
	require.Equal(t, before, state(t, url))
	proxy.Away(false)
	for name, method := range reads {
		require.NoError(t, method(t.Context(), db), name)
	}
	require.NoError(t, methods["Reserve"](t.Context(), db))
}

package main_test

import (
	"database/sql"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ends returns when the plan of an account ends, as its JSON says.
func ends(t *testing.T, shown object) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, shown["plan_expires_at"].(string))
	require.NoError(t, err)
	return at
}

// endPlans lets the plans of all accounts end some days earlier.
func (l *lab) endPlans(days int) {
	l.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(l.data, "service.db")+"?_pragma=busy_timeout(30000)")
	require.NoError(l.t, err)
	_, err = db.ExecContext(l.t.Context(), `UPDATE accounts SET plan_expires = plan_expires - ? WHERE plan <> 'free'`, days*86_400_000)
	require.NoError(l.t, err)
	require.NoError(l.t, db.Close())
}

// TestRenewedByCommand renews a plan once: from its end, or from now where it has ended.
func TestRenewedByCommand(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	ann := l.issuer.Token("ann", object{"email": "ann@example.org"})
	r.credits(ann)
	before := time.Now()
	l.mustRun("account", "set-plan", "ann", "pro", "--days", "10")
	r.must("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	require.Less(t, r.credits(ann), 100_000.0)

	shown := parseJSON(t, l.mustRun("account", "renew", "ann@example.org", "--json", "--actor", "olga"))
	require.WithinDuration(t, before.AddDate(0, 0, 40), ends(t, shown), testTimeout)
	require.Equal(t, []any{nil, "olga"}, []any{shown["renews_until"], shown["changed_by"]})
	require.InDelta(t, 100_000, r.credits(ann), 0, "the credits are those of the plan anew")
	l.endPlans(90)
	require.Contains(t, l.mustRun("account", "renew", "ann", "--days", "3"), "pro, until")
	shown = parseJSON(t, l.mustRun("account", "show", "ann", "--json"))
	require.WithinDuration(t, time.Now().AddDate(0, 0, 3), ends(t, shown), testTimeout)
	require.Regexp(t, `(?m)^\S+Z +renewed +40 +0 +0 +olga +-$`, l.mustRun("account", "ledger", "ann"))
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// TestRenewedUntilADay: a plan renews itself for whoever calls and for whoever does not, until the day that was named.
func TestRenewedUntilADay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	ann, ben := l.issuer.Token("ann"), l.issuer.Token("ben")
	r.credits(ann)
	r.credits(ben)
	l.mustRun("account", "set-plan", "ann", "pro", "--days", "10")
	l.mustRun("account", "set-plan", "ben", "max", "--days", "7")
	key := r.must("POST", "/api/v1/user/api-keys", ann, object{"name": "laptop"})["key"].(string)
	soon := time.Now().AddDate(0, 0, 9).UTC().Format(time.DateOnly)
	l.mustFail(exitUsage, []string{`"ann"`, "--until", "later"}, "account", "renew", "ann", "--until", soon)

	shown := parseJSON(t, l.mustRun("account", "renew", "ann", "--until", "2099-12-31", "--json"))
	require.Equal(t, "2099-12-31", shown["renews_until"])
	require.Contains(t, l.mustRun("account", "show", "ann"), "renewed by 10 days each time until 2099-12-31")
	require.Regexp(t, `(?m)^ann .* active, renews until 2099-12-31$`, l.mustRun("account", "list"))
	require.Equal(t, "2099-12-31", parseJSON(t, l.mustRun("account", "export", "ann"))["account"].(object)["renews_until"])
	l.mustRun("account", "renew", "ben", "--until", "2099-12-31", "--days", "20")
	r.must("POST", "/api/v1/tts/synthesize", key, r.synthesis(ann))

	l.endPlans(15) // ann's ended 5 days ago, ben's 8
	balance := r.must("GET", "/api/v1/user/credits", key, nil)
	require.Equal(t, []any{"pro", 100_000.0}, []any{balance["plan"], balance["credits"]}, "a call renews the plan")
	shown = parseJSON(t, l.mustRun("account", "show", "ann", "--json"))
	require.WithinDuration(t, time.Now().AddDate(0, 0, 5), ends(t, shown), testTimeout)
	require.Equal(t, "none", r.must("POST", "/api/v1/user/subscription/check-renewal", ann, nil)["action"])

	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	r = l.serve() // its sweeper begins at once
	require.Eventually(t, func() bool {
		shown = parseJSON(t, l.mustRun("account", "show", "ben", "--json"))
		return time.Until(ends(t, shown)) > 0
	}, testTimeout, 100*time.Millisecond, "a plan is renewed without a call")
	require.WithinDuration(t, time.Now().AddDate(0, 0, 12), ends(t, shown), testTimeout)

	require.Nil(t, parseJSON(t, l.mustRun("account", "renew", "ann", "--until", "none", "--json"))["renews_until"])
	l.mustRun("account", "set-plan", "ben", "max", "--days", "7")
	l.endPlans(50)
	for _, token := range []string{ann, ben} {
		require.Equal(t, "subscription_expired_reset_to_free", r.must("POST", "/api/v1/user/subscription/check-renewal", token, nil)["action"])
	}
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// TestWrongRenewals: what is no day, and days of a renewal that ends, are refused, and nothing is changed.
func TestWrongRenewals(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.mustRun("migrate")
	o.mustRun("account", "create", "ann@example.org", "--plan", "pro")
	before := o.mustRun("account", "show", "ann@example.org")
	for name, args := range map[string][]string{
		"--until must be a day": {"--until", ""},
		`not " "`:               {"--until", " "},
		`not "None"`:            {"--until", "None"},
		"leave one of them out": {"--until", "none", "--days", "7"},
	} {
		o.mustFail(exitUsage, []string{name, "--until"}, append([]string{"account", "renew", "ann@example.org"}, args...)...)
	}
	require.Equal(t, before, o.mustRun("account", "show", "ann@example.org"))
	o.mustRun("account", "renew", "ann@example.org", "--until", "none")
}

// TestOnlyRenewalsToComeAreShown: a plan whose end is not before the day of --until is not renewed any more.
func TestOnlyRenewalsToComeAreShown(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.mustRun("migrate")
	o.mustRun("account", "create", "ann@example.org", "--plan", "pro", "--days", "1")
	require.Nil(t, parseJSON(t, o.mustRun("account", "show", "ann@example.org", "--json"))["plan_days"])
	until := time.Now().AddDate(0, 0, 20).UTC().Format(time.DateOnly)
	require.Contains(t, o.mustRun("account", "renew", "ann@example.org", "--until", until), "renewed by 1 day each time until "+until)
	require.Contains(t, o.mustRun("account", "list"), "renews until "+until)
	require.Contains(t, o.mustRun("account", "renew", "ann@example.org", "--until", until, "--days", "2"), "renewed by 2 days each time until "+until)

	shown := parseJSON(t, o.mustRun("account", "renew", "ann@example.org", "--days", "30", "--json"))
	require.Equal(t, []any{until, 2.0}, []any{shown["renews_until"], shown["plan_days"]})
	require.NotContains(t, o.mustRun("account", "show", "ann@example.org"), "renewed")
	require.NotContains(t, o.mustRun("account", "list"), "renews")
}

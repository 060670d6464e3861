package main_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // to spoil a database
)

// TestAccountsInAdvance makes accounts for a team: each user takes over the own one, and every command works before.
func TestAccountsInAdvance(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve("--invited-only")
	made := parseJSON(t, l.mustRun("account", "create", " Ann@Example.org", "--plan", "pro", "--days", "7", "--json"))
	require.Nil(t, made["sub"])
	require.Equal(t, "Ann@Example.org", made["email"])
	require.Equal(t, true, made["invited"])
	require.InDelta(t, 100_000, made["credits"], 0)
	l.mustFail(exitFailed, []string{"already"}, "account", "create", "ann@example.ORG")
	require.Regexp(t, `(?m)^- +Ann@Example\.org +pro .* waiting$`, l.mustRun("account", "list"))
	for _, name := range []string{"ann@example.org", made["id"].(string)} {
		l.mustRun("account", "show", name)
		l.mustRun("account", "set-plan", name, "max")
		l.mustRun("account", "add-credits", name, "5")
		l.mustRun("account", "disable", name)
		l.mustRun("account", "enable", name)
		l.mustRun("account", "keys", name)
		l.mustRun("account", "usage", name)
		l.mustRun("account", "ledger", name)
		require.Nil(t, parseJSON(t, l.mustRun("account", "export", name))["account"].(object)["sub"])
	}

	ann := l.issuer.Token("sub-ann", object{"email": "ANN@example.org"})
	require.False(t, r.may(l.issuer.Token("eve", object{"email": "ann@example.org", "email_verified": false})))
	require.True(t, r.may(ann))
	require.InDelta(t, 500_010, r.credits(ann), 0)
	require.False(t, r.may(l.issuer.Token("second", object{"email": "ann@example.org"})))
	shown := parseJSON(t, l.mustRun("account", "show", "sub-ann", "--json"))
	require.Equal(t, made["id"], shown["id"])

	l.mustRun("account", "create", "bob@example.org")
	require.Contains(t, l.mustRun("account", "delete", "bob@example.org", "--yes"), "acc-")
	require.False(t, r.may(l.issuer.Token("bob", object{"email": "bob@example.org"})))

	// Several processes share the database: of many users with one address, one gets the account.
	other := l.serve("--invited-only")
	l.mustRun("account", "create", "carl@example.org")
	var answers []<-chan *answer
	for i := range 10 {
		token := l.issuer.Token(fmt.Sprint("carl-", i), object{"email": "carl@example.org"})
		answers = append(answers, []*running{r, other}[i%2].background("GET", "/api/v1/user/credits", token, nil))
	}
	served := 0
	for _, c := range answers {
		if waitFor(t, c).status == http.StatusOK {
			served++
		}
	}
	require.Equal(t, 1, served)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// TestNamesOfAccounts finds accounts by subject, by the id of the log and by e-mail.
func TestNamesOfAccounts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	for _, user := range [][2]string{
		{"ann", "ann@example.org"},
		{"bob", "Bob@Example.org"},
		{"bob-2", "bob@example.org"},
		{"ann@example.org", "other@example.org"},
		{"jürgen", "Jürgen@bücher.example"},
		{"acc-1000", "thousand@example.org"},
	} {
		r.credits(l.issuer.Token(user[0], object{"email": user[1]}))
	}
	r.credits(l.issuer.Token("eve", object{"email": "boss@example.org", "email_verified": false}))
	r.credits(l.issuer.Token("eve-2", object{"email": "other@example.org", "email_verified": false}))
	show := func(name string) any { return parseJSON(t, l.mustRun("account", "show", name, "--json"))["sub"] }
	require.Equal(t, "ann@example.org", show("ann@example.org"), "a subject goes first")
	require.Equal(t, "ann@example.org", show("other@example.org"), "a verified address goes before one that is not")
	require.Equal(t, "jürgen", show("JÜRGEN@xn--bcher-kva.example"))
	require.Equal(t, "acc-1000", show("acc-1000"))
	id := parseJSON(t, l.mustRun("account", "show", "bob", "--json"))["id"].(string)
	require.Equal(t, "bob", show(id))
	r.credits(l.issuer.Token(id, object{"email": "mallory@example.org"}))
	require.Equal(t, "bob", show(id), "the id goes before a subject that is spelt like it")
	l.mustRun("account", "disable", id)
	require.True(t, r.may(l.issuer.Token(id, object{"email": "mallory@example.org"})))
	require.Equal(t, http.StatusForbidden, r.call("GET", "/api/v1/user/credits", l.issuer.Token("bob", object{"email": "Bob@Example.org"}), nil).status)
	l.withEnv("SUDO_USER="+strings.Repeat("ü", 150)).mustRun("account", "enable", id)
	require.Equal(t, strings.Repeat("ü", 100), parseJSON(t, l.mustRun("account", "show", id, "--json"))["changed_by"])
	shadow := parseJSON(t, l.mustRun("account", "show", "mallory@example.org", "--json"))
	require.Equal(t, id, shadow["sub"])
	require.Equal(t, id, show(shadow["id"].(string)))
	require.Regexp(t, `(?m)^`+shadow["id"].(string)+` +mallory@`, l.mustRun("account", "list"), "the list has the name that commands take")
	require.Contains(t, l.mustRun("account", "delete", shadow["id"].(string), "--yes"), "Deleted the account "+shadow["id"].(string)+" ")
	l.mustFail(exitUsage, []string{"bob, bob-2", "SUB"}, "account", "show", "bob@example.org")
	l.mustFail(exitUsage, []string{"eve", "not verified", "SUB"}, "account", "add-credits", "boss@example.org", "5")
	require.Contains(t, l.mustRun("account", "show", "eve"), "boss@example.org, not verified")

	r.waitForLog(`"account":"` + id + `"`)
	for line := range strings.Lines(r.err.String()) {
		require.NotContains(t, line, "example.org")
		if strings.Contains(line, "/user/credits") {
			require.Regexp(t, `"account":"acc-\d+"`, line)
		}
	}
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// TestKeysAndCallsOfAnAccount reads and revokes what users made. Their names print nothing that a terminal obeys.
func TestKeysAndCallsOfAnAccount(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	const bad = "a\u001b[31m\u009b31m\u202eb"
	ann := l.issuer.Token("ann", object{"email": "ann@example.org"})
	r.credits(ann)
	l.mustRun("account", "set-plan", "ann", "pro")
	var ids, secrets []string
	for _, name := range []string{"laptop", bad} {
		made := r.must("POST", "/api/v1/user/api-keys", ann, object{"name": name})
		ids = append(ids, made["apiKey"].(object)["id"].(string))
		secrets = append(secrets, made["key"].(string))
	}
	body := r.synthesis(ann)
	for i := range 3 {
		body["title"] = fmt.Sprint(bad, i)
		r.must("POST", "/api/v1/tts/synthesize", secrets[0], body)
	}

	require.Contains(t, l.mustRun("account", "revoke-key", "ann@example.org", ids[1], "--actor", "olga"), "Revoked")
	require.Equal(t, http.StatusUnauthorized, r.call("GET", "/api/v1/user/credits", secrets[1], nil).status)
	require.Contains(t, l.mustRun("account", "revoke-key", "ann", strings.ToUpper(ids[1])), "already")
	keys := parseJSON(t, l.mustRun("account", "keys", "ann", "--json"))["keys"].([]any)
	require.Len(t, keys, 2)
	require.Equal(t, bad, keys[0].(object)["name"])
	require.Equal(t, "olga", keys[0].(object)["revoked_by"])
	require.NotNil(t, keys[0].(object)["revoked_at"])
	require.Nil(t, keys[1].(object)["revoked_at"])
	require.NotNil(t, keys[1].(object)["last_used_at"])

	usage := parseJSON(t, l.mustRun("account", "usage", "ann", "--limit", "2", "--json"))["usage"].([]any)
	require.Len(t, usage, 2)
	require.Equal(t, bad+"2", usage[0].(object)["title"], "newest first")
	require.Equal(t, "charged", usage[0].(object)["status"])
	require.Len(t, parseJSON(t, l.mustRun("account", "usage", "ann", "--json", "--limit", "0"))["usage"], 3)
	require.Len(t, strings.Split(strings.TrimSpace(l.mustRun("account", "usage", "ann")), "\n"), 4)
	for _, command := range [][]string{
		{"keys", "ann"}, {"keys", "ann", "--json"}, {"usage", "ann"}, {"usage", "ann", "--json"}, {"export", "ann"},
	} {
		out := l.mustRun(append([]string{"account"}, command...)...)
		for _, secret := range secrets {
			require.NotContains(t, out, secret)
		}
		require.NotContains(t, out, "hash")
		require.False(t, strings.ContainsAny(out, "\x1b\u009b\u202e"), "%q", out)
	}
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// TestLedgerOfAnAccount lists who moved credits and why, and finds a balance that is not the sum of its rows.
func TestLedgerOfAnAccount(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	ann := l.issuer.Token("ann", object{"email": "ann@example.org"})
	r.credits(ann)
	sudo := l.withEnv("SUDO_USER=olga")
	sudo.mustRun("account", "add-credits", "ann", "500", "--note", "bill 17, für März")
	l.mustRun("account", "set-plan", "ann", "pro", "--actor", "Otto O.")
	r.must("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))

	v := parseJSON(t, l.mustRun("account", "ledger", "ann", "--json"))
	entries := v["entries"].([]any)
	require.Len(t, entries, 5)
	require.Equal(t, true, v["equal"])
	require.InDelta(t, 5, v["rows"], 0)
	for _, part := range []string{"plan", "payg", "held"} {
		var sum float64
		for _, e := range entries {
			sum += e.(object)[part].(float64)
		}
		require.InDelta(t, sum, v["balance"].(object)[part], 0, part)
		require.InDelta(t, sum, v["sums"].(object)[part], 0, part)
	}
	require.InDelta(t, 100_500-40, r.credits(ann), 0)
	require.Equal(t, v["balance"].(object)["payg"], 500.0)
	bought, plan, charged := entries[3].(object), entries[2].(object), entries[0].(object)
	require.Equal(t, []any{"payg", "olga", "bill 17, für März"}, []any{bought["reason"], bought["actor"], bought["note"]})
	require.Equal(t, []any{"plan", "Otto O.", nil}, []any{plan["reason"], plan["actor"], plan["note"]})
	require.Nil(t, charged["actor"])
	require.NotNil(t, charged["call"])
	shown := parseJSON(t, l.mustRun("account", "show", "ann", "--json"))
	require.Equal(t, "Otto O.", shown["changed_by"])
	require.Equal(t, plan["created_at"], shown["changed_at"])
	require.Len(t, parseJSON(t, l.mustRun("account", "export", "ann"))["ledger"], 5)
	require.Len(t, parseJSON(t, l.mustRun("account", "ledger", "ann", "--json", "--limit", "2"))["entries"], 2)
	out := l.mustRun("account", "ledger", "ann@example.org")
	require.Regexp(t, `(?m)^\S+Z +payg +0 +500 +0 +olga +bill 17, für März$`, out)
	require.Contains(t, out, "The balance is the sum of its rows (5)")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))

	db, err := sql.Open("sqlite", filepath.Join(l.data, "service.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), `INSERT INTO ledger (at, account, reason, plan, payg, held, granted, spent, expired)
		SELECT 1790000000000, id, '503 PROVIDER_BUSY', 0, 0, 0, 0, 0, 0 FROM accounts WHERE subject = 'ann'`)
	require.NoError(t, err)
	table := strings.Split(l.mustRun("account", "ledger", "ann"), "\n")
	require.Contains(t, table[1], "503 PROVIDER_BUSY")
	for _, row := range table[1:7] {
		require.Regexp(t, `^.*\d $`, row[:strings.Index(table[0], "PLAN")+len("PLAN ")], "in its column")
	}
	_, err = db.ExecContext(t.Context(), `UPDATE accounts SET payg_credits = payg_credits + 1 WHERE subject = 'ann'`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for _, flags := range [][]string{nil, {"--json"}, {"--limit", "1"}} {
		wrong := l.run(append([]string{"account", "ledger", "ann"}, flags...)...)
		require.Equal(t, exitFailed, wrong.code)
		require.Contains(t, wrong.err, "501")
		require.NotContains(t, wrong.out, "is the sum of its rows")
		require.NotContains(t, wrong.out, `"equal": true`)
	}
}

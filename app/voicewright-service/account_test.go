package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAccountsOfARunningService runs every account command while the service runs.
func TestAccountsOfARunningService(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	require.Contains(t, l.run("account", "list").err, "No accounts yet")
	ann := l.issuer.Token("ann", object{"email": "ann@example.org"})
	r.credits(ann)
	r.credits(l.issuer.Token("ben", object{"email": nil}))

	list := l.mustRun("account", "list")
	require.Regexp(t, `(?m)^SUB +EMAIL +PLAN +EXPIRES +CREDITS +PAYG +KEYS +STATE$`, list)
	require.Regexp(t, `(?m)^ann +ann@example\.org +free +- +10000 +0 +0 +active$`, list)
	require.Regexp(t, `(?m)^ben +- +free `, list)
	require.Len(t, parseJSON(t, l.mustRun("account", "list", "--json"))["accounts"], 2)

	shown := parseJSON(t, l.mustRun("account", "show", "ann", "--json"))
	created, ok := shown["created_at"].(string)
	require.True(t, ok)
	_, err := time.Parse(time.RFC3339, created)
	require.NoError(t, err)
	delete(shown, "created_at")
	require.Regexp(t, `^acc-\d+$`, shown["id"])
	delete(shown, "id")
	require.Equal(t, object{
		"email_verified": true, "groups": []any{}, "invited": false, "changed_by": nil, "changed_at": nil,
		"sub": "ann", "email": "ann@example.org", "plan": "free", "plan_days": nil, "plan_expires_at": nil, "renews_until": nil, "credits": 10_000.0, "payg_credits": 0.0,
		"disabled": false, "active_keys": 0.0,
	}, shown)
	require.Contains(t, l.mustRun("account", "show", "ann"), "ann@example.org")

	before := time.Now()
	require.Contains(t, l.mustRun("account", "set-plan", "ann", "pro", "--days", "3"), "pro, until")
	balance := r.must("GET", "/api/v1/user/credits", ann, nil)
	require.Equal(t, "pro", balance["plan"])
	require.InDelta(t, 100_000, balance["credits"], 0)
	expires, err := time.Parse(time.RFC3339, balance["expiresAt"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, before.AddDate(0, 0, 3), expires, testTimeout)
	require.Contains(t, l.mustRun("account", "add-credits", "ann", "500"), "500 pay-as-you-go")
	require.InDelta(t, 100_500, r.credits(ann), 0)

	key := r.must("POST", "/api/v1/user/api-keys", ann, object{"name": "laptop"})["key"].(string)
	voice := r.voice(ann, "ProviderC")
	r.must("POST", "/api/v1/tts/favorites/toggle", ann, object{"voiceId": voice})
	body := r.synthesis(ann)
	body["title"] = "A tone"
	url := r.must("POST", "/api/v1/tts/synthesize", key, body)["url"].(string)
	exported := l.mustRun("account", "export", "ann")
	require.NotContains(t, exported, key)
	e := parseJSON(t, exported)
	require.Equal(t, "ann", e["account"].(object)["sub"])
	require.Equal(t, key[:12], e["keys"].([]any)[0].(object)["prefix"])
	require.Equal(t, []any{voice}, e["favourites"])
	require.Equal(t, "A tone", e["usage"].([]any)[0].(object)["title"])
	require.Equal(t, voice, e["usage"].([]any)[0].(object)["voice"])

	l.mustRun("account", "disable", "ann")
	require.Equal(t, http.StatusForbidden, r.call("GET", "/api/v1/user/credits", ann, nil).status)
	require.Regexp(t, `(?m)^ann .* disabled$`, l.mustRun("account", "list"))
	l.mustRun("account", "enable", "ann")
	require.Equal(t, http.StatusOK, r.call("GET", "/api/v1/user/credits", key, nil).status)

	require.Contains(t, l.mustRun("account", "set-plan", "ann", "max", "--days", "0"), "expired")
	require.Equal(t, "subscription_expired_reset_to_free", r.must("POST", "/api/v1/user/subscription/check-renewal", ann, nil)["action"])

	l.mustFail(exitNeeded, []string{"--yes"}, "account", "delete", "ann")
	require.Len(t, l.audio(), 1)
	require.Contains(t, l.mustRun("account", "delete", "ann", "--yes"), "ann")
	require.Empty(t, l.audio(), "the audio is gone")
	require.GreaterOrEqual(t, r.call("GET", url, "", nil).status, 400)
	require.Equal(t, http.StatusUnauthorized, r.call("GET", "/api/v1/user/credits", key, nil).status)
	require.NotContains(t, l.mustRun("account", "list", "--json"), "ann")
	require.InDelta(t, 10_000, r.credits(ann), 0, "a new sign-in makes a new account")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

// audio returns the names of the audio files.
func (l *lab) audio() []string {
	l.t.Helper()
	names, err := filepath.Glob(filepath.Join(l.data, "files", "*.mp3"))
	require.NoError(l.t, err)
	return names
}

func TestWrongAccountCommands(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	r.credits(l.issuer.Token("ann"))
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	for name, c := range map[string]struct {
		code  int
		words []string
		args  []string
	}{
		"unknown account":        {exitNotFound, []string{`"carl"`}, []string{"show", "carl"}},
		"plan of nobody":         {exitNotFound, []string{`"carl"`}, []string{"set-plan", "carl", "pro"}},
		"credits of nobody":      {exitNotFound, []string{`"carl"`}, []string{"add-credits", "carl", "5"}},
		"disable nobody":         {exitNotFound, []string{`"carl"`}, []string{"disable", "carl"}},
		"enable nobody":          {exitNotFound, []string{`"carl"`}, []string{"enable", "carl"}},
		"export nobody":          {exitNotFound, []string{`"carl"`}, []string{"export", "carl"}},
		"delete nobody":          {exitNotFound, []string{`"carl"`}, []string{"delete", "carl", "--yes"}},
		"keys of nobody":         {exitNotFound, []string{`"carl"`}, []string{"keys", "carl"}},
		"usage of nobody":        {exitNotFound, []string{`"carl"`}, []string{"usage", "carl", "--json"}},
		"ledger of nobody":       {exitNotFound, []string{`"carl"`}, []string{"ledger", "carl", "--json"}},
		"key of nobody":          {exitNotFound, []string{`"carl"`}, []string{"revoke-key", "carl", "8f14e45f-ceea-467f-a0e6-1f3c2b4d5e6f"}},
		"unknown key":            {exitNotFound, []string{"ann", "account keys"}, []string{"revoke-key", "ann", "8f14e45f-ceea-467f-a0e6-1f3c2b4d5e6f"}},
		"no id of a key":         {exitNotFound, []string{`"laptop"`}, []string{"revoke-key", "ann", "laptop"}},
		"unknown e-mail":         {exitNotFound, []string{`"x@example.com"`}, []string{"show", "x@example.com"}},
		"unknown id":             {exitNotFound, []string{`"acc-99"`}, []string{"show", "acc-99"}},
		"id with zeros":          {exitNotFound, []string{`"acc-01"`}, []string{"show", "acc-01"}},
		"account without e-mail": {exitUsage, []string{`"ann"`, "ann@example.org"}, []string{"create", "ann"}},
		"two e-mails":            {exitUsage, []string{"e-mail"}, []string{"create", "ann@example.org,bob@example.org"}},
		"account of no plan":     {exitUsage, []string{`"gold"`}, []string{"create", "new@example.com", "--plan", "gold"}},
		"account that is there":  {exitFailed, []string{`"ANN@example.com"`, "already"}, []string{"create", "ANN@example.com"}},
		"negative limit":         {exitUsage, []string{"--limit", "-1"}, []string{"usage", "ann", "--limit", "-1"}},
		"no actor":               {exitUsage, []string{"--actor"}, []string{"disable", "ann", "--actor", ""}},
		"long actor":             {exitUsage, []string{"--actor", "100"}, []string{"disable", "ann", "--actor", strings.Repeat("a", 101)}},
		"long note":              {exitUsage, []string{"--note", "500"}, []string{"add-credits", "ann", "5", "--note", strings.Repeat("a", 501)}},
		"unknown plan":           {exitUsage, []string{`"gold"`, "free, pro and max"}, []string{"set-plan", "ann", "gold"}},
		"no plan":                {exitUsage, []string{"set-plan SUB"}, []string{"set-plan", "ann"}},
		"negative days":          {exitUsage, []string{"--days", "-1"}, []string{"set-plan", "ann", "pro", "--days", "-1"}},
		"renewal of nobody":      {exitNotFound, []string{`"carl"`}, []string{"renew", "carl"}},
		"renewal of free":        {exitUsage, []string{`"ann"`, "free plan", "set-plan"}, []string{"renew", "ann"}},
		"renewals of free":       {exitUsage, []string{`"ann"`, "free plan"}, []string{"renew", "ann", "--until", "2099-12-31"}},
		"renewal of no days":     {exitUsage, []string{"--days", "1 to 3660"}, []string{"renew", "ann", "--days", "0"}},
		"renewal of many days":   {exitUsage, []string{"--days", "3661"}, []string{"renew", "ann", "--days", "3661"}},
		"renewals until a word":  {exitUsage, []string{"--until", `"soon"`, "none"}, []string{"renew", "ann", "--until", "soon"}},
		"renewals until no day":  {exitUsage, []string{"--until", `"2027-02-30"`}, []string{"renew", "ann", "--until", "2027-02-30"}},
		"days in words":          {exitUsage, []string{"--days"}, []string{"set-plan", "ann", "pro", "--days", "ten"}},
		"no credits":             {exitUsage, []string{`"0"`}, []string{"add-credits", "ann", "0"}},
		"credits in words":       {exitUsage, []string{`"many"`}, []string{"add-credits", "ann", "many"}},
		"too many credits":       {exitUsage, []string{"1000000000"}, []string{"add-credits", "ann", "9999999999999999999"}},
		"unknown command":        {exitUsage, []string{"rename"}, []string{"rename", "ann"}},
		"too many arguments":     {exitUsage, []string{"show SUB"}, []string{"show", "ann", "ben"}},
		"wrong kind of database": {exitUsage, []string{"--database", "sqlite:PATH", "postgres://"}, []string{"list", "--database", "mysql://db/x"}},
		"no database":            {exitNotFound, []string{"nothing.db", "--database"}, []string{"list", "--database", "sqlite:nothing.db"}},
		"a folder":               {exitFailed, []string{l.dir, "--database must name a file"}, []string{"list", "--database", "sqlite:" + l.dir}},
		"another file":           {exitFailed, []string{"providers.yaml"}, []string{"list", "--database", "sqlite:providers.yaml"}},
		"missing configuration":  {exitUsage, []string{"no-such"}, []string{"list", "--config", "no-such"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := *l.operator
			o.t = t
			o.mustFail(c.code, c.words, append([]string{"account"}, c.args...)...)
		})
	}
	_, err := os.Stat(filepath.Join(l.dir, "nothing.db"))
	require.ErrorIs(t, err, os.ErrNotExist, "a typo creates no database")
	require.True(t, strings.HasPrefix(l.mustRun("account", "show", "ann"), "account "), "nothing changed")
}

// TestAccountSettings reads the database and the credits of plans from the configuration of run.
func TestAccountSettings(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	config := l.file("config.yaml", "database: sqlite:"+filepath.Join(l.dir, "other.db")+"\nfiles: "+filepath.Join(l.dir, "other")+
		"\nmetrics: true\nplan_credits: {max: 123}\n")
	r := l.serve("--config", config)
	r.credits(l.issuer.Token("ann"))
	l.mustFail(exitNotFound, []string{"service.db"}, "account", "list")
	l.mustRun("account", "set-plan", "ann", "max", "--config", config)
	require.InDelta(t, 123, r.credits(l.issuer.Token("ann")), 0)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	require.Contains(t, l.withEnv("VOICEWRIGHT_SERVICE_CONFIG="+config).mustRun("account", "list"), "ann")
}

// TestDeletionWithoutItsFiles: --files is looked at before the account is deleted, and what it does not have is left to the service.
func TestDeletionWithoutItsFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	ann, ben := l.issuer.Token("ann"), l.issuer.Token("ben")
	for _, token := range []string{ann, ben} {
		r.must("POST", "/api/v1/tts/synthesize", token, r.synthesis(token))
	}
	l.mustFail(exitUsage, []string{"AWS_ACCESS_KEY_ID"}, "account", "delete", "ann", "--yes", "--files", "s3://audio/voice?endpoint=http://127.0.0.1:1")
	l.mustFail(exitUsage, []string{"--files"}, "account", "delete", "ann", "--yes", "--files", "http://127.0.0.1:1")
	l.mustRun("account", "show", "ann")

	other := t.TempDir()
	require.Equal(t, "Deleted the account ann and 0 audio files; --files has no more of its audio (1), which the service removes within 24 hours.\n",
		l.mustRun("account", "delete", "ann", "--yes", "--files", other))
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	r = l.serve() // its sweeper begins at once
	require.Eventually(t, func() bool { return len(l.audio()) == 1 }, testTimeout, 50*time.Millisecond, "the service removes it")

	deleted := l.withEnv("AWS_ACCESS_KEY_ID=AKIA", "AWS_SECRET_ACCESS_KEY=secret").run("account", "delete", "ben", "--yes",
		"--files", "s3://audio/voice?endpoint=http://127.0.0.1:1")
	require.Equal(t, exitFailed, deleted.code, deleted.err)
	require.Contains(t, deleted.err, "The account is deleted, but not all of its audio: ")
	require.Contains(t, deleted.err, "; the service removes that within 24 hours.\n")
	require.NotContains(t, deleted.err, ".;")
	l.mustFail(exitNotFound, []string{"ben"}, "account", "show", "ben")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
}

package service_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestFirstSignInMakesAFreeAccount(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *service.Config) { c.Prices.PlanCredits = map[service.Plan]int64{service.Free: 777} })
	c, err := k.TokenCaller(t.Context(), service.Identity{Subject: "sub", Email: "a@example.org"})
	require.NoError(t, err)
	assert.Nil(t, c.Key)
	a := c.Account
	assert.Equal(t, []any{"sub", "a@example.org", service.Free, int64(777), int64(0)}, []any{a.Subject, a.Email, a.Plan, a.PlanCredits, a.PaygCredits})
	_, err = k.Synthesize(t.Context(), c, request(carla, "Ciao."))
	require.NoError(t, err)
	assert.Equal(t, int64(775), k.free("sub").Account.Credits(), "the second sign-in adds nothing")
}

func TestDisabledAccounts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	_, plaintext := k.withKey(caller)
	_, err := k.store.SetDisabled(t.Context(), caller.Account.ID, true, service.Change{})
	require.NoError(t, err)
	_, err = k.TokenCaller(t.Context(), service.Identity{Subject: caller.Account.Subject})
	fails(t, err, 403, "")
	_, err = k.KeyCaller(t.Context(), plaintext)
	fails(t, err, 403, "")
	_, err = k.store.SetDisabled(t.Context(), caller.Account.ID, false, service.Change{})
	require.NoError(t, err)
	_, err = k.KeyCaller(t.Context(), plaintext)
	require.NoError(t, err)
}

// Each way to have access, and each way to be without.
func TestAccess(t *testing.T) {
	t.Parallel()
	who := func(email string, groups ...string) service.Identity {
		return service.Identity{Email: email, Groups: groups}
	}
	unverified := service.Identity{Email: "ann@example.org", EmailUnverified: true}
	domain := service.Access{Domains: []string{"example.org"}}
	address := service.Access{Emails: []string{"ann@example.org"}}
	group := service.Access{Groups: []string{"team", "Ops"}}
	for name, c := range map[string]struct {
		access  service.Access
		who     service.Identity
		allowed bool
	}{
		"anybody":                 {service.Access{}, who(""), true},
		"anybody, unverified":     {service.Access{}, unverified, true},
		"domain":                  {domain, who("Ann@Example.org"), true},
		"subdomain":               {domain, who("ann@a.example.org"), false},
		"end of a domain":         {domain, who("ann@badexample.org"), false},
		"domain in the name":      {domain, who("example.org@evil.example"), false},
		"two addresses":           {domain, who("ann@evil.example@example.org"), false},
		"no e-mail":               {domain, who(""), false},
		"unverified domain":       {domain, unverified, false},
		"address":                 {address, who(" ANN@example.org "), true},
		"another address":         {address, who("bob@example.org"), false},
		"unverified address":      {address, unverified, false},
		"group":                   {group, who("", "staff", "team"), true},
		"group in another case":   {group, who("", "ops"), false},
		"no group":                {group, who("ann@example.org"), false},
		"group of an unverified":  {group, service.Identity{Email: "x@example.org", EmailUnverified: true, Groups: []string{"team"}}, true},
		"one of two lists":        {service.Access{Domains: domain.Domains, Groups: group.Groups}, who("bob@evil.example", "team"), true},
		"nobody":                  {service.Access{InvitedOnly: true}, who("ann@example.org", "team"), false},
		"nobody but one":          {service.Access{InvitedOnly: true, Emails: address.Emails}, who("ann@example.org"), true},
		"nobody but one, another": {service.Access{InvitedOnly: true, Emails: address.Emails}, who("bob@example.org"), false},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, func(cfg *service.Config) { cfg.Access = c.access })
			c.who.Subject = "sub"
			_, err := k.TokenCaller(t.Context(), c.who)
			_, stored := k.store.Account(t.Context(), "sub")
			if c.allowed {
				require.NoError(t, err)
				require.NoError(t, stored)
				return
			}
			fails(t, err, 403, "")
			require.ErrorIs(t, stored, service.ErrNotFound, "no row is made")
		})
	}
}

// An account loses access with its domain, its address or its group, with its token and with its keys, and gets it back.
func TestAccessEnds(t *testing.T) {
	t.Parallel()
	ann := service.Identity{Subject: "ann", Email: "ann@example.org", Groups: []string{"staff", "team"}}
	unverified, moved, expelled, silent, doubted, wrong := ann, ann, ann, ann, ann, ann
	unverified.EmailUnverified, moved.Email, expelled.Groups, silent.Email = true, "ann@evil.example", []string{"staff"}, ""
	doubted.Email, doubted.EmailUnverified, wrong.Email = "", true, "ann@example.org@evil.example"
	quiet := service.Identity{Subject: "ann"}
	for name, c := range map[string]struct {
		access  service.Access
		who     service.Identity
		allowed bool
		byKey   bool // by the last address and groups that a token named
	}{
		"same":                  {service.Access{Domains: []string{"example.org"}}, ann, true, true},
		"no e-mail":             {service.Access{Domains: []string{"example.org"}}, silent, false, true},
		"no e-mail, address":    {service.Access{Emails: []string{"ann@example.org"}}, silent, false, true},
		"no e-mail, unverified": {service.Access{Domains: []string{"example.org"}}, doubted, false, true},
		"no e-mail, group":      {service.Access{Groups: []string{"team"}, Domains: []string{"example.org"}}, silent, true, true},
		"wrong e-mail":          {service.Access{Domains: []string{"example.org"}}, wrong, false, false},
		"no claims":             {service.Access{Groups: []string{"team"}}, quiet, false, false},
		"no claims, anybody":    {service.Access{}, quiet, true, true},
		"moved":                 {service.Access{Domains: []string{"example.org"}}, moved, false, false},
		"unverified":            {service.Access{Emails: []string{"ann@example.org"}}, unverified, false, false},
		"expelled":              {service.Access{Groups: []string{"team"}}, expelled, false, false},
		"grouped":               {service.Access{Groups: []string{"team"}}, ann, true, true},
		"closed":                {service.Access{InvitedOnly: true}, ann, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, func(cfg *service.Config) { cfg.Access = service.Access{Groups: []string{"team"}} })
			caller, err := k.TokenCaller(t.Context(), ann)
			require.NoError(t, err)
			_, err = k.store.AddCredits(t.Context(), caller.Account.ID, 5, service.Change{})
			require.NoError(t, err)
			caller, err = k.TokenCaller(t.Context(), ann)
			require.NoError(t, err)
			_, key := k.withKey(caller)
			later := k.service("second", func(cfg *service.Config) { cfg.Access = c.access })
			_, err = later.TokenCaller(t.Context(), c.who)
			_, keyErr := later.KeyCaller(t.Context(), key)
			if c.byKey {
				require.NoError(t, keyErr)
			} else {
				fails(t, keyErr, 403, "")
			}
			if c.allowed {
				require.NoError(t, err)
				return
			}
			fails(t, err, 403, "")
			_, err = k.TokenCaller(t.Context(), ann)
			require.NoError(t, err)
			_, err = k.KeyCaller(t.Context(), key)
			require.NoError(t, err)
		})
	}
}

// An account that an operator made in advance always has access, also with another e-mail address later.
func TestAccountInAdvance(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(cfg *service.Config) { cfg.Access = service.Access{InvitedOnly: true} })
	made, err := k.store.CreateAccount(t.Context(), service.NewAccount{
		Email: "ann@evil.example", Plan: service.Max, Days: 1, Credits: 300,
	}, service.Change{Actor: "olga"})
	require.NoError(t, err)
	who := service.Identity{Subject: "ann", Email: "ANN@evil.example", EmailUnverified: true}
	_, err = k.TokenCaller(t.Context(), who)
	fails(t, err, 403, "")
	who.EmailUnverified = false
	caller, err := k.TokenCaller(t.Context(), who)
	require.NoError(t, err)
	require.Equal(t, made.ID, caller.Account.ID)
	require.Equal(t, int64(300), caller.Account.Credits())
	_, key := k.withKey(caller)
	who.Email = "ann@other.example"
	_, err = k.TokenCaller(t.Context(), who)
	require.NoError(t, err)
	_, err = k.KeyCaller(t.Context(), key)
	require.NoError(t, err)
	who.Subject, who.Email = "second", "ann@evil.example"
	_, err = k.TokenCaller(t.Context(), who)
	fails(t, err, 403, "")
	_, err = k.store.SetDisabled(t.Context(), made.ID, true, service.Change{})
	require.NoError(t, err)
	_, err = k.KeyCaller(t.Context(), key)
	fails(t, err, 403, "")
}

// An address that only looks like the one of a waiting account takes nothing over.
func TestAccountInAdvanceOfAnother(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(cfg *service.Config) {
		cfg.Access = service.Access{InvitedOnly: true, Emails: []string{"kim@example.org"}}
	})
	_, err := k.store.CreateAccount(t.Context(), service.NewAccount{Email: "bill@example.org", Plan: service.Max}, service.Change{})
	require.NoError(t, err)
	for _, email := range []string{"bI\u0307ll@example.org", "b\u0130ll@example.org", "b\u0131ll@example.org", "\u212aI\u0307m@example.org", "kI\u0307m@example.org"} {
		_, err := k.TokenCaller(t.Context(), service.Identity{Subject: "evil", Email: email})
		fails(t, err, 403, "")
	}
	_, err = k.TokenCaller(t.Context(), service.Identity{Subject: "bill", Email: "BILL@example.org"})
	require.NoError(t, err)
}

// Only what has the form of a key reaches the store.
func TestMalformedKeys(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var looked atomic.Int32
	k.store.key = func() { looked.Add(1) }
	_, plaintext := k.withKey(k.pro())
	looked.Store(0)
	for _, key := range []string{
		"", "svc_sk_", plaintext[:len(plaintext)-1], plaintext + "A", strings.ToUpper(plaintext), " " + plaintext, plaintext + "\n",
		"sk_" + plaintext[7:], plaintext[:49] + "+", plaintext[:49] + "=", plaintext[:49] + "é", strings.Repeat("A", 1<<20),
	} {
		_, err := k.KeyCaller(t.Context(), key)
		fails(t, err, 401, "")
	}
	assert.Zero(t, looked.Load())
	_, err := k.KeyCaller(t.Context(), "svc_sk_"+strings.Repeat("A", 43))
	fails(t, err, 401, "")
	assert.Equal(t, int32(1), looked.Load())
}

// The key of an account without paid access is refused everywhere.
func TestKeysNeedPaidAccess(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	_, plaintext := k.withKey(caller)
	k.clock.Pass(service.PlanDays*24*time.Hour - time.Second)
	c, err := k.KeyCaller(t.Context(), plaintext)
	require.NoError(t, err)
	assert.True(t, c.ByKey())
	k.clock.Pass(time.Second)
	_, err = k.KeyCaller(t.Context(), plaintext)
	fails(t, err, 403, service.CodePaidAccess)
	_, err = k.store.AddCredits(t.Context(), caller.Account.ID, 1, service.Change{})
	require.NoError(t, err)
	_, err = k.KeyCaller(t.Context(), plaintext)
	require.NoError(t, err)
}

func TestCreateKey(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	plaintext, record, err := k.CreateKey(t.Context(), caller, "Räume 🎧")
	require.NoError(t, err)
	assert.Regexp(t, `^svc_sk_[A-Za-z0-9_-]{43}$`, plaintext)
	assert.NoError(t, uuid.Validate(record.ID))
	assert.Equal(t, service.Key{ID: record.ID, Prefix: plaintext[:12], Name: "Räume 🎧", CreatedAt: k.clock.Now()}, record)

	byKey, err := k.KeyCaller(t.Context(), plaintext)
	require.NoError(t, err)
	assert.Equal(t, caller.Account.ID, byKey.Account.ID)

	name := strings.Repeat("ä", 100)
	_, _, err = k.CreateKey(t.Context(), caller, name)
	require.NoError(t, err)
	_, _, err = k.CreateKey(t.Context(), caller, name+"ä")
	fails(t, err, 400, "")
	_, _, err = k.CreateKey(t.Context(), k.free("free"), "")
	fails(t, err, 403, service.CodePaidAccess)
	_, _, err = k.CreateKey(t.Context(), byKey, "")
	fails(t, err, 403, "")
	_, err = k.Keys(t.Context(), byKey)
	fails(t, err, 403, "")
	fails(t, k.RevokeKey(t.Context(), byKey, record.ID), 403, "")
}

func TestTenActiveKeys(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	for range service.MaxActiveKeys {
		_, _, err := k.CreateKey(t.Context(), caller, "")
		require.NoError(t, err)
		k.clock.Pass(time.Second)
	}
	_, _, err := k.CreateKey(t.Context(), caller, "")
	fails(t, err, 409, service.CodeKeyLimitReached)
	keys, err := k.Keys(t.Context(), caller)
	require.NoError(t, err)
	require.NoError(t, k.RevokeKey(t.Context(), caller, keys[3].ID))
	_, _, err = k.CreateKey(t.Context(), caller, "eleventh")
	require.NoError(t, err)
	keys, err = k.Keys(t.Context(), caller)
	require.NoError(t, err)
	assert.Len(t, keys, 11, "revoked keys stay in the list")
	assert.Equal(t, "eleventh", keys[0].Name)
}

func TestRevokeKey(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller, other := k.pro(), k.pro()
	byKey, plaintext := k.withKey(caller)
	fails(t, k.RevokeKey(t.Context(), other, byKey.Key.ID), 404, "")
	fails(t, k.RevokeKey(t.Context(), caller, uuid.NewString()), 404, "")
	fails(t, k.RevokeKey(t.Context(), caller, "../1"), 404, "")
	_, err := k.KeyCaller(t.Context(), plaintext)
	require.NoError(t, err)
	require.NoError(t, k.RevokeKey(t.Context(), caller, byKey.Key.ID))
	revokedAt := k.clock.Now()
	k.clock.Pass(time.Hour)
	require.NoError(t, k.RevokeKey(t.Context(), caller, byKey.Key.ID), "again")
	_, err = k.KeyCaller(t.Context(), plaintext)
	fails(t, err, 401, "")
	keys, err := k.Keys(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, revokedAt, keys[0].RevokedAt)
}

func TestCheckRenewal(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for name, c := range map[string]struct {
		plan    service.Plan
		days    int
		action  string
		after   service.Plan
		credits int64
	}{
		"free":        {service.Free, 0, service.RenewalNone, service.Free, 5},
		"active":      {service.Pro, 1, service.RenewalNone, service.Pro, 5},
		"expired now": {service.Pro, 0, service.RenewalReset, service.Free, 10_000},
		"expired":     {service.Max, -1, service.RenewalReset, service.Free, 10_000},
	} {
		t.Run(name, func(t *testing.T) {
			account := k.free(name).Account.ID
			_, err := k.store.SetPlan(t.Context(), account, c.plan, 5, c.days, service.Change{})
			require.NoError(t, err)
			_, err = k.store.AddCredits(t.Context(), account, 70, service.Change{})
			require.NoError(t, err)
			stale := k.free(name)
			r, err := k.CheckRenewal(t.Context(), stale)
			require.NoError(t, err)
			assert.Equal(t, []any{c.action, c.after, c.credits + 70, int64(70)},
				[]any{r.Action, r.Account.Plan, r.Account.Credits(), r.Account.PaygCredits})
			if c.action == service.RenewalReset {
				assert.True(t, r.Account.PlanExpires.IsZero())
			}
			r, err = k.CheckRenewal(t.Context(), stale)
			require.NoError(t, err)
			assert.Equal(t, service.RenewalNone, r.Action, "only one of several requests resets the plan")
			assert.Equal(t, c.credits+70, r.Account.Credits())
		})
	}
}

func TestUsagePages(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller, other := k.pro(), k.pro()
	for _, c := range []service.Caller{caller, other, caller, caller} {
		_, err := k.Synthesize(t.Context(), c, request(carla, "Ciao."))
		require.NoError(t, err)
		k.clock.Pass(time.Second)
	}
	first, cursor, err := k.Usage(t.Context(), caller, "", 2)
	require.NoError(t, err)
	assert.Len(t, first, 2)
	second, end, err := k.Usage(t.Context(), caller, cursor, 2)
	require.NoError(t, err)
	assert.Len(t, second, 1)
	assert.Empty(t, end)
	assert.True(t, first[0].At.After(first[1].At) && first[1].At.After(second[0].At), "newest first")
	for _, limit := range []int{-1, 0, 101} {
		_, _, err := k.Usage(t.Context(), caller, "", limit)
		fails(t, err, 400, "")
	}
	_, _, err = k.Usage(t.Context(), caller, "no cursor", 50)
	fails(t, err, 400, "")
}

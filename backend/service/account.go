package service

import (
	"strconv"
	"strings"
	"time"
)

// Plan is what an account has bought.
type Plan string

// The plans of the contract.
const (
	Free Plan = "free"
	Pro  Plan = "pro"
	Max  Plan = "max"
)

// PlanDays is the validity of a purchase in days.
const PlanDays = 30

// Account is one user, with the balance of the moment it was read.
type Account struct {
	ID          int64  // of the store; never leaves the service
	Subject     string // `sub` of the user's tokens; empty until the user of an account that was made in advance signs in
	Email       string // empty where the tokens have none
	Plan        Plan
	ActivePlan  Plan      // as it counts for access: one that has expired is free at once
	PlanExpires time.Time // zero on the free plan
	PlanCredits int64     // of the plan, or the free baseline
	PaygCredits int64     // bought apart from a plan; they do not expire
	PaygHeld    int64     // pay-as-you-go credits that the running call holds; not part of the balance
	Disabled    bool
	CreatedAt   time.Time
	ActiveKeys  int

	RenewsUntil time.Time // a period that begins before then is renewed by itself; zero where the plan just ends
	RenewsBy    int       // days of such a period; 0 likewise
	RenewalDue  bool      // the plan has ended and is to be renewed by RenewDue; a disabled account waits

	EmailUnverified bool      // the issuer says that nobody checked whose address it is
	Groups          []string  // those of the last sign-in that give access
	Invited         bool      // an operator made the account in advance
	ChangedBy       string    // the operator who changed it last; empty where none did
	ChangedAt       time.Time // zero likewise
}

// Credits returns the balance: plan and pay-as-you-go.
func (a Account) Credits() int64 { return a.PlanCredits + a.PaygCredits }

// Expired reports whether the account's plan has passed its expiration date.
func (a Account) Expired() bool { return a.ActivePlan != a.Plan }

// Paid reports whether the account has paid access: an active Pro or Max plan, or pay-as-you-go credits. Those that a running
// call holds count too, as they are the account's until it ends.
func (a Account) Paid() bool { return a.ActivePlan != Free || a.PaygCredits+a.PaygHeld > 0 }

// NextPeriod returns when the period after that of a plan which ends at a time begins and ends. Of a plan that ended before now it is
// the one that contains now: the periods in between are left out.
func NextPeriod(ends, now time.Time, days int) (begins, until time.Time) {
	length := time.Duration(days) * 24 * time.Hour
	if late := now.Sub(ends); late > 0 {
		ends = ends.Add(late.Truncate(length))
	}
	return ends, ends.Add(length)
}

// accountIDPrefix begins the name of an account in the log.
const accountIDPrefix = "acc-"

// LogID returns the name of the account for the log and for operators. It says nothing of the user.
func (a Account) LogID() string { return accountIDPrefix + strconv.FormatInt(a.ID, 10) }

// ParseLogID returns the ID of the account that LogID names, and false for other texts.
func ParseLogID(name string) (int64, bool) {
	digits, found := strings.CutPrefix(name, accountIDPrefix)
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, found && err == nil && id > 0 && name == Account{ID: id}.LogID()
}

// KeyPrefix begins every API key; a random base64url secret follows.
const KeyPrefix = "svc_sk_"

// KeyHash is the SHA-256 of an API key, the only form in which it is stored.
type KeyHash [32]byte

// Key is the record of an API key.
type Key struct {
	ID         string // UUID
	Prefix     string // the first 12 characters of the key
	Name       string // at most 100 characters; may be empty
	CreatedAt  time.Time
	LastUsedAt time.Time // zero until its first use
	RevokedAt  time.Time // zero while active
	RevokedBy  string    // the operator who did; empty where the user did
}

// MaxActiveKeys is the number of active keys that an account may have.
const MaxActiveKeys = 10

// Caller is who sent a request: an account, by an API key or by a JWT.
type Caller struct {
	Account Account
	Key     *Key // nil with a JWT
	// Refused is why the caller may only repeat earlier calls; nil where everything is allowed.
	Refused error
}

// ByKey reports whether the caller used an API key, which costs 10 % less and closes some routes.
func (c Caller) ByKey() bool { return c.Key != nil }

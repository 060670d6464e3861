package service

import (
	"context"
	"time"
)

// CommitWait is how long a store waits for the answer to a commit although the context of the call has ended: only that tells what was
// done.
const CommitWait = 5 * time.Second

// Store holds accounts, keys, favourites, the ledger and the index of files. Limits and locks are in it, not in the memory of a
// process, so that several processes can share one; and so is the clock that decides what has ended, as those of their machines
// differ. Every method is one transaction; a panic or an error rolls it back.
// Temporary failures (locked, full disk) match ErrStoreBusy: then surely nothing was done. Of an error that a method does not name the
// outcome is unknown, as the connection can be lost after the commit: Reserve, Settle and Refund can be called again until it is known.
// Implementations pass the suite in backend/service/storetest.
type Store interface {
	AccountStore
	KeyStore
	FavouriteStore
	Ledger
	FileIndex
	// Ping returns nil when the store can be read and written.
	Ping(ctx context.Context) error
	Close() error
}

// SignIn is a sign-in of a user whose token is verified.
type SignIn struct {
	Identity
	Admitted bool  // an account may be made for the user
	Baseline int64 // plan credits of an account that is made
}

// Change is who changes something and why.
type Change struct {
	Actor string // the operator; empty where the user or the service does it
	Note  string // of credits; empty where there is nothing to say
}

// NewAccount is an account that an operator makes for a user who has not signed in yet.
type NewAccount struct {
	Email   string // as mailbox.Fold accepts it
	Plan    Plan
	Days    int   // of validity, as of SetPlan
	Credits int64 // plan credits
}

// AccountStore holds the accounts. Methods that name an account return ErrNotFound for an unknown one.
type AccountStore interface {
	// SignIn returns the account of a subject and stores what the token says of the user; a token without an e-mail leaves the
	// one that is known. A subject without an account takes over the one that was made for its verified e-mail, which happens
	// once for each account, or gets a free one with baseline plan credits if it is admitted, else ErrNotAdmitted.
	SignIn(ctx context.Context, in SignIn) (Account, error)
	// CreateAccount makes an account in advance. Error: ErrEmailTaken where an account has that verified e-mail, or waits for it.
	CreateAccount(ctx context.Context, n NewAccount, c Change) (Account, error)
	Account(ctx context.Context, subject string) (Account, error)
	AccountByID(ctx context.Context, id int64) (Account, error)
	// AccountsByEmail returns the accounts whose e-mail address is the same by mailbox.Fold, oldest first.
	AccountsByEmail(ctx context.Context, email string) ([]Account, error)
	// Accounts returns up to limit accounts after the one with this id, oldest first.
	Accounts(ctx context.Context, after int64, limit int) ([]Account, error)
	// SetPlan replaces the plan and its credits. It is valid for a number of days, 0 for one that has just expired; the free plan
	// for ever. It does not renew itself. Pay-as-you-go credits stay.
	SetPlan(ctx context.Context, account int64, plan Plan, credits int64, days int, c Change) (Account, error)
	RenewalStore
	// AddCredits adds pay-as-you-go credits, n > 0.
	AddCredits(ctx context.Context, account, n int64, c Change) (Account, error)
	SetDisabled(ctx context.Context, account int64, disabled bool, c Change) (Account, error)
	// ResetExpired moves an account whose plan has expired to the free plan with baseline plan credits, and reports whether it
	// did. Pay-as-you-go credits stay. One whose renewal is due is left to RenewDue.
	ResetExpired(ctx context.Context, account, baseline int64) (Account, bool, error)
	// DeleteAccount removes keys, favourites, projects, notes and the name, and returns the names of the files to delete. The
	// ledger keeps its sums without a name.
	DeleteAccount(ctx context.Context, account int64, c Change) (files []string, err error)
}

// RenewalStore renews plans. A renewal sets the credits of the plan anew; those that are left of the former period expire.
type RenewalStore interface {
	// Renew renews a plan once, with the credits of its kind: its end moves by days from the present one, from now where that has
	// passed. Error: ErrFreePlan.
	Renew(ctx context.Context, account int64, credits map[Plan]int64, days int, c Change) (Account, error)
	// RenewUntil says until when periods of a plan that begin are renewed by themselves, and by how many days, 0 for those that the
	// plan was given; the zero time ends that. Errors: ErrFreePlan; ErrNoRenewal where no period begins before then.
	RenewUntil(ctx context.Context, account int64, until time.Time, days int, c Change) (Account, error)
	// RenewDue renews a plan to the period that contains now where its renewal is due, and returns the account as it is then.
	RenewDue(ctx context.Context, account int64, credits map[Plan]int64) (Account, error)
	// RenewalsDue returns up to limit accounts after the one with this id whose renewal is due, oldest first.
	RenewalsDue(ctx context.Context, after int64, limit int) ([]Account, error)
}

// KeyStore holds API keys by hash.
type KeyStore interface {
	// KeyCaller returns the account of an active key and the key, and writes LastUsedAt at most once a minute. Error: ErrNotFound
	// for an unknown or revoked one. It reads the store each time, so that a revoked key is dead at once.
	KeyCaller(ctx context.Context, hash KeyHash) (Account, Key, error)
	// CreateKey stores a new key and returns it with its time. Error: ErrKeyLimit when limit keys are active.
	CreateKey(ctx context.Context, account int64, k NewKey, limit int) (Key, error)
	// Keys returns active and revoked keys, newest first.
	Keys(ctx context.Context, account int64) ([]Key, error)
	// RevokeKey revokes a key; one that is revoked already stays as it is. Error: ErrNotFound for another account's.
	RevokeKey(ctx context.Context, account int64, id string, c Change) error
}

// NewKey is a key that is made.
type NewKey struct {
	ID, Prefix, Name string // as in Key
	Hash             KeyHash
}

// FavouriteStore holds the ids of favourite voices, in the order in which they were added.
type FavouriteStore interface {
	Favourites(ctx context.Context, account int64) ([]string, error)
	ToggleFavourite(ctx context.Context, account int64, voice string) (favorited bool, err error)
}

// RateWindow is the length of the sliding window in which calls are counted.
const RateWindow = time.Minute

// Ledger moves credits. Each movement is a row of amounts that sum to zero, over the parts of an account (plan, payg, held) and of
// the service (granted, spent, expired); a balance is the sum of its rows and never negative.
type Ledger interface {
	// CountCall counts one call in the account's sliding window. Error: *RateError when limit calls are in it already; such a
	// call is not counted.
	CountCall(ctx context.Context, account int64, limit int) error
	// Reserve counts the call, makes the account's synthesis the only one, and moves the price out of its balance, plan credits
	// first. The same request again returns what is held for it and counts nothing. Errors, in this order: ErrKeyUsed, *RateError,
	// ErrDuplicate, ErrNoCredits; the latter two leave the call counted.
	Reserve(ctx context.Context, r Reserve) (Reservation, error)
	// Settle spends a reservation, stores the project and the file, which expires after FileRetention, and returns the account as
	// it is then; again with the same file it does nothing but that. Error: ErrReleased when the reservation is no longer held.
	Settle(ctx context.Context, id string, p Project, f NewFile) (Account, error)
	// Refund returns a reservation to where it came from and frees its idempotency key; plan credits of a plan that has ended
	// meanwhile expire. One that is refunded or unknown is left as it is. Error: ErrCharged, which leaves it charged.
	Refund(ctx context.Context, id, reason string) error
	// Earlier returns the call of an account that has an idempotency key. Error: ErrNotFound.
	Earlier(ctx context.Context, account int64, key [32]byte) (Earlier, error)
	// ForgetKeys frees the idempotency keys of calls that were charged that long ago, and forgets the calls that have left RateWindow.
	ForgetKeys(ctx context.Context, age time.Duration) error
	// Heartbeat marks a process as alive. Each process calls it every HeartbeatInterval.
	Heartbeat(ctx context.Context, instance string) error
	// Held returns the ids of the calls of a process that are held.
	Held(ctx context.Context, instance string) ([]string, error)
	// Repair refunds the reservations of processes that gave no heartbeat for as long as the store waits for one, or none at all, and
	// returns how many. After a gap between the heartbeats of the process that calls it, it waits for that time first: a store that
	// could not be reached, a changed clock or a machine that slept stopped the others too.
	Repair(ctx context.Context, instance string) (int, error)
	// Usage returns the account's calls that moved credits, newest first, up to limit before the cursor (empty: from
	// the newest), and the cursor of the next page, empty at the end. Error: an *Error with status 400 for a wrong cursor.
	Usage(ctx context.Context, account int64, cursor string, limit int) ([]Usage, string, error)
	// Entries returns up to limit rows of an account with an ID below before, newest first.
	Entries(ctx context.Context, account, before int64, limit int) ([]Entry, error)
	// Sums returns the balance of an account beside the sums of its rows, both of one moment.
	Sums(ctx context.Context, account int64) (Sums, error)
	// Check returns a *LedgerError when a movement does not sum to zero, a balance is not the sum of its rows, or one is negative.
	Check(ctx context.Context) error
}

// Reserve is a request for credits.
type Reserve struct {
	ID         string // UUID of the call
	Account    int64
	Instance   string // of the process, see Heartbeat
	Credits    int64  // > 0
	RateLimit  int    // calls a RateWindow
	Kind       string // synthesize or dialogue
	Provider   ProviderID
	Model      string
	Characters int

	Idempotency *Idempotency // nil without a key
}

// Idempotency is the key with which a client may repeat a call, and what the call asks for. Neither can be read back.
type Idempotency struct {
	Key     [32]byte // SHA-256 of the key
	Request [32]byte // HMAC-SHA-256 of the request, with the key
}

// Earlier is the call that has an idempotency key: it runs or was charged.
type Earlier struct {
	Request          [32]byte // as in Idempotency
	Running          bool
	File             string // name of its audio, empty while it runs
	RemainingCredits int64  // after it, 0 while it runs
}

// Reservation is what is held for one call.
type Reservation struct {
	ID          string
	PlanCredits int64
	PaygCredits int64
}

// Project is the record of a finished synthesis.
type Project struct {
	Title string // as the request gave it; texts are not stored
	Voice string // id of the voice, the first of a dialogue
}

// NewFile is stored audio that gets an index entry.
type NewFile struct {
	Name    string // random, with its extension
	Format  Format
	Bytes   int64
	Seconds float64
}

// File is the index entry of stored audio.
type File struct {
	NewFile
	CreatedAt time.Time
	ExpiresAt time.Time
}

// FileIndex lists the stored audio.
type FileIndex interface {
	// File returns the entry of a file. Errors: ErrNotFound; ErrExpired, with the entry.
	File(ctx context.Context, name string) (File, error)
	// Expired returns the names of up to limit files that have expired and whose content was not removed yet.
	Expired(ctx context.Context, limit int) ([]string, error)
	// Removed marks the content of files as removed. Their entries stay so that their links answer 410.
	Removed(ctx context.Context, names []string) error
	// Indexed returns those of names that have an entry; a file without one was left by a process that died.
	Indexed(ctx context.Context, names []string) ([]string, error)
	// Alone runs f unless another process runs its own at the same time, and reports whether it did.
	Alone(ctx context.Context, f func(ctx context.Context) error) (ran bool, err error)
}

// Usage is one call that moved credits.
type Usage struct {
	ID         string
	At         time.Time
	Kind       string // synthesize or dialogue
	Provider   ProviderID
	Model      string
	Voice      string // id; empty unless it was charged
	Title      string
	Characters int
	Seconds    float64 // of audio; 0 for a refunded call
	Credits    int64   // what was charged; 0 for a refunded call
	Status     string  // held, charged or refunded

	File    string // name of its audio; empty once that has expired or was removed
	KeyHash string // SHA-256 of its idempotency key in hex, empty where none is kept
}

// Entry is a row of the ledger: amounts that sum to zero.
type Entry struct {
	ID                      int64
	At                      time.Time
	Reason                  string
	Call                    string // id of the call; empty where none is involved
	Parts                          // of the account
	Granted, Spent, Expired int64  // of the service
	Actor                   string // the operator who made it; empty where none did
	Note                    string
}

// Parts are the credits of an account.
type Parts struct {
	Plan int64
	Payg int64
	Held int64 // by the running call
}

// Sums compares the balance of an account with its rows in the ledger.
type Sums struct {
	Balance Parts
	Rows    Parts // their sums
	Count   int   // of the rows
	Last    int64 // ID of the newest row
}

package service

import (
	"context"
	"time"
)

// Store holds accounts, keys, favourites, the ledger and the index of files. Limits and locks are in it, not in the memory of a
// process, so that several processes can share one. Every method is one transaction; a panic or an error rolls it back.
// Temporary failures (locked, full disk) match ErrStoreBusy. Implementations pass the suite in backend/service/storetest.
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

// AccountStore holds the accounts. Methods that name an account by subject return ErrNotFound for an unknown one.
type AccountStore interface {
	// SignIn returns the account of a subject. At the first sign-in it creates a free one with baseline plan credits; an email
	// that changed is stored, an empty one changes nothing.
	SignIn(ctx context.Context, subject, email string, baseline int64, now time.Time) (Account, error)
	Account(ctx context.Context, subject string) (Account, error)
	// Accounts returns up to limit accounts in order of subject, after the given one.
	Accounts(ctx context.Context, after string, limit int) ([]Account, error)
	// SetPlan replaces the plan and its credits; expires is zero for the free plan. Pay-as-you-go credits stay.
	SetPlan(ctx context.Context, subject string, plan Plan, credits int64, expires, now time.Time) (Account, error)
	// AddCredits adds pay-as-you-go credits, n > 0.
	AddCredits(ctx context.Context, subject string, n int64, now time.Time) (Account, error)
	SetDisabled(ctx context.Context, subject string, disabled bool, now time.Time) (Account, error)
	// ResetExpired moves an account whose plan has expired to the free plan with baseline plan credits, and reports whether it
	// did. Pay-as-you-go credits stay.
	ResetExpired(ctx context.Context, subject string, baseline int64, now time.Time) (Account, bool, error)
	// DeleteAccount removes keys, favourites, projects and the name, and returns the names of the files to delete. The ledger
	// keeps its sums without a name.
	DeleteAccount(ctx context.Context, subject string, now time.Time) (files []string, err error)
}

// KeyStore holds API keys by hash.
type KeyStore interface {
	// KeyCaller returns the account of an active key and the key, and writes LastUsedAt at most once a minute. Error: ErrNotFound
	// for an unknown or revoked one. It reads the store each time, so that a revoked key is dead at once.
	KeyCaller(ctx context.Context, hash KeyHash, now time.Time) (Account, Key, error)
	// CreateKey stores a key. Error: ErrKeyLimit when limit keys are active.
	CreateKey(ctx context.Context, account int64, k Key, hash KeyHash, limit int) error
	// Keys returns active and revoked keys, newest first.
	Keys(ctx context.Context, account int64) ([]Key, error)
	// RevokeKey revokes a key; one that is revoked already stays as it is. Error: ErrNotFound for another account's.
	RevokeKey(ctx context.Context, account int64, id string, now time.Time) error
}

// FavouriteStore holds the ids of favourite voices, in the order in which they were added.
type FavouriteStore interface {
	Favourites(ctx context.Context, account int64) ([]string, error)
	ToggleFavourite(ctx context.Context, account int64, voice string, now time.Time) (favorited bool, err error)
}

// RateWindow is the length of the sliding window in which calls are counted.
const RateWindow = time.Minute

// Ledger moves credits. Each movement is a row of amounts that sum to zero, over the parts of an account (plan, payg, held) and of
// the service (granted, spent, expired); a balance is the sum of its rows and never negative.
type Ledger interface {
	// CountCall counts one call in the account's sliding window. Error: *RateError when limit calls are in it already; such a
	// call is not counted.
	CountCall(ctx context.Context, account int64, limit int, now time.Time) error
	// Reserve counts the call, makes the account's synthesis the only one, and moves the price out of its balance, plan credits
	// first. Errors, in this order: *RateError, ErrDuplicate, ErrNoCredits; the latter two leave the call counted.
	Reserve(ctx context.Context, r Reserve) (Reservation, error)
	// Settle spends a reservation, stores the project and the file, and returns the account as it is then. Error: ErrReleased
	// when the reservation is no longer held.
	Settle(ctx context.Context, id string, p Project, f File, now time.Time) (Account, error)
	// Refund returns a reservation to where it came from; plan credits of a plan that has ended meanwhile expire. One that is not
	// held is left as it is.
	Refund(ctx context.Context, id, reason string, now time.Time) error
	// Heartbeat marks a process as alive.
	Heartbeat(ctx context.Context, instance string, now time.Time) error
	// Repair refunds the reservations of processes that gave no heartbeat since deadline, or none at all, and returns how many.
	Repair(ctx context.Context, deadline, now time.Time) (int, error)
	// Usage returns the account's calls that moved credits, newest first, up to limit before the cursor (empty: from
	// the newest), and the cursor of the next page, empty at the end. Error: an *Error with status 400 for a wrong cursor.
	Usage(ctx context.Context, account int64, cursor string, limit int) ([]Usage, string, error)
	// Check returns an error when a movement does not sum to zero, a balance is not the sum of its rows, or one is negative.
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
	Now        time.Time
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

// File is the index entry of stored audio.
type File struct {
	Name      string // random, with its extension
	Format    Format
	Bytes     int64
	Seconds   float64
	CreatedAt time.Time
	ExpiresAt time.Time
}

// FileIndex lists the stored audio.
type FileIndex interface {
	// File returns the entry of a file, also after it expired. Error: ErrNotFound.
	File(ctx context.Context, name string) (File, error)
	// Expired returns up to limit files that expired by now and whose content was not removed yet.
	Expired(ctx context.Context, now time.Time, limit int) ([]File, error)
	// Removed marks the content of files as removed. Their entries stay so that their links answer 410.
	Removed(ctx context.Context, names []string) error
	// Indexed returns those of names that have an entry; a file without one was left by a process that died.
	Indexed(ctx context.Context, names []string) ([]string, error)
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
}

// Package storetest has the test suites that every service.Store and every service.Files passes.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// start is the time at which the tests begin.
var start = time.UnixMilli(1_790_000_000_000).UTC()

const (
	baseline = 10_000 // plan credits of a new account
	instance = "process-1"
)

// store is a store of a test, with its clock.
type store struct {
	service.Store
	*Clock
	deadAfter time.Duration
}

// Run runs the suite. deadAfter is how long the store waits for a heartbeat. open returns an empty store with a clock, which it closes
// when the test ends.
func Run(t *testing.T, deadAfter time.Duration, open func(t *testing.T, clock *Clock) service.Store) {
	for name, test := range map[string]func(*testing.T, *store){
		"SignIn": testSignIn, "Accounts": testAccounts, "Plans": testPlans, "ResetExpired": testResetExpired,
		"DeleteAccount": testDeleteAccount, "DeleteDuringCall": testDeleteDuringCall,
		"Renew": testRenew, "RenewDue": testRenewDue, "RenewalsDue": testRenewalsDue, "RenewalEnds": testRenewalEnds,
		"RenewDuringCall": testRenewDuringCall,
		"Keys":            testKeys, "KeyCaller": testKeyCaller, "KeyLimit": testKeyLimit, "Favourites": testFavourites,
		"RateWindow": testRateWindow, "RateCountsEveryCall": testRateCountsEveryCall, "RateIsPerAccount": testRateIsPerAccount,
		"ConcurrentCalls": testConcurrentCalls, "ClockGoesBack": testClockGoesBack, "ClockGoesBackALittle": testClockGoesBackALittle,
		"OneCallAtATime": testOneCallAtATime, "OrderOfChecks": testOrderOfChecks, "SpendingOrder": testSpendingOrder,
		"HeldCreditsArePaidAccess": testHeldCreditsArePaidAccess, "NeverNegative": testNeverNegative, "OneOfManyReserves": testOneOfManyReserves,
		"Charge":      testCharge,
		"ChargeTwice": testChargeTwice, "LostAnswers": testLostAnswers, "RefundAfterPlanChange": testRefundAfterPlanChange,
		"RefundTwice": testRefundTwice,
		"Repair":      testRepair, "RepairAfterAGap": testRepairAfterAGap, "RepairAfterClockWentBack": testRepairAfterClockWentBack,
		"RepairOfWhoWasAway": testRepairOfWhoWasAway, "RepairWithoutAHeartbeat": testRepairWithoutAHeartbeat,
		"RepairByANewProcess": testRepairByANewProcess,
		"Usage":               testUsage, "UsageWhileCallsArrive": testUsageWhileCallsArrive, "UsageCursors": testUsageCursors,
		"SignInDescribes": testSignInDescribes, "NotAdmitted": testNotAdmitted, "AccountInAdvance": testAccountInAdvance,
		"AccountsByEmail": testAccountsByEmail, "Signed": testSigned, "Entries": testEntries,
		"IdempotencyKeys": testIdempotencyKeys, "KeysOfRefundedCalls": testKeysOfRefundedCalls, "OneOfManyRepeats": testOneOfManyRepeats,
		"FileIndex": testFileIndex, "Cancelled": testCancelled, "Movements": testMovements,
	} {
		t.Run(name, func(t *testing.T) {
			clock := NewClock()
			s := &store{open(t, clock), clock, deadAfter}
			test(t, s)
			require.NoError(t, s.Check(context.Background()))
		})
	}
}

// RunShared runs the tests of two stores that are open on one database, as two processes. open returns both, empty, and closes
// them when the test ends.
func RunShared(t *testing.T, deadAfter time.Duration, open func(t *testing.T, clock *Clock) (a, b service.Store)) {
	for name, test := range map[string]func(t *testing.T, a, b *store){
		"Limits": testSharedLimits, "Keys": testSharedKeys, "Repeats": testSharedRepeats, "Repair": testSharedRepair,
		"Credits": testSharedCredits, "Renewal": testSharedRenewal,
		"AccountInAdvance": testSharedAccountInAdvance,
	} {
		t.Run(name, func(t *testing.T) {
			clock := NewClock()
			one, other := open(t, clock)
			a, b := &store{one, clock, deadAfter}, &store{other, clock, deadAfter}
			test(t, a, b)
			require.NoError(t, a.Check(context.Background()))
			require.NoError(t, b.Check(context.Background()))
		})
	}
}

// signIn returns a new account.
func signIn(t testing.TB, s *store, subject string) service.Account {
	t.Helper()
	a, err := s.SignIn(t.Context(), signingIn(subject, subject+"@example.com"))
	require.NoError(t, err)
	return a
}

// signingIn returns the sign-in of a user who may have an account.
func signingIn(subject, email string) service.SignIn {
	return service.SignIn{
		Identity: service.Identity{Subject: subject, Email: email}, Admitted: true, Baseline: baseline,
	}
}

// id returns the id of the account of a subject, 0 where there is none.
func id(t testing.TB, s *store, subject string) int64 {
	t.Helper()
	a, err := s.Account(t.Context(), subject)
	if !errors.Is(err, service.ErrNotFound) {
		require.NoError(t, err)
	}
	return a.ID
}

// request returns a request for credits.
func request(a service.Account, id string, credits int64) service.Reserve {
	return service.Reserve{
		ID: id, Account: a.ID, Instance: instance, Credits: credits, RateLimit: service.CallsPerMinute, Kind: "synthesize",
		Provider: service.ProviderA, Model: service.ModelV3, Characters: 7,
	}
}

// reserve reserves credits, which must be possible.
func reserve(t testing.TB, s *store, a service.Account, id string, credits int64) service.Reservation {
	t.Helper()
	r, err := s.Reserve(t.Context(), request(a, id, credits))
	require.NoError(t, err)
	return r
}

// file returns the audio of a call.
func file(id string) service.NewFile {
	return service.NewFile{Name: id + ".mp3", Format: service.MP3, Bytes: 1000, Seconds: 1.5}
}

// stored returns the index entry of a file that was stored at a time.
func stored(f service.NewFile, now time.Time) service.File {
	return service.File{NewFile: f, CreatedAt: now, ExpiresAt: now.Add(service.FileRetention)}
}

// charge settles a call, which must be possible.
func charge(t testing.TB, s *store, id string) service.Account {
	t.Helper()
	a, err := s.Settle(t.Context(), id, service.Project{Title: "title of " + id, Voice: "voice"}, file(id))
	require.NoError(t, err)
	return a
}

// balance returns plan and pay-as-you-go credits.
func balance(t testing.TB, s *store, subject string) [2]int64 {
	t.Helper()
	a, err := s.Account(t.Context(), subject)
	require.NoError(t, err)
	return [2]int64{a.PlanCredits, a.PaygCredits}
}

// rateError requires the error of the rate limit and returns its wait.
func rateError(t testing.TB, err error) time.Duration {
	t.Helper()
	var e *service.RateError
	require.ErrorAs(t, err, &e)
	require.ErrorIs(t, err, service.ErrRateLimited)
	return e.RetryAfter
}

// together calls f n times at once and returns how many calls returned each error; nil counts as "".
func together(n int, f func(i int) error) map[string]int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	counts := map[string]int{}
	begin := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-begin
			err := f(i)
			mu.Lock()
			defer mu.Unlock()
			counts[nameOf(err)]++
		})
	}
	close(begin)
	wg.Wait()
	return counts
}

// nameOf returns the text of the expected error that err matches.
func nameOf(err error) string {
	if err == nil {
		return ""
	}
	for _, known := range []error{
		service.ErrNotFound, service.ErrRateLimited, service.ErrDuplicate, service.ErrNoCredits, service.ErrKeyLimit,
		service.ErrReleased, service.ErrStoreBusy, service.ErrNotAdmitted, service.ErrEmailTaken, service.ErrKeyUsed,
		service.ErrFreePlan, service.ErrNoRenewal,
	} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return fmt.Sprintf("unexpected: %v", err)
}

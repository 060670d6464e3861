package rows_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// row is a row of a query.
type row []any

func (r row) Scan(dest ...any) error {
	for i, into := range dest {
		switch into := into.(type) {
		case *int64:
			*into = int64(r[i].(int))
		case *bool:
			*into = r[i].(bool)
		case *string:
			*into = r[i].(string)
		default:
			return errors.New("another column")
		}
	}
	return nil
}

func held(t *testing.T, current bool) rows.Held {
	t.Helper()
	h, err := rows.ScanHeld(row{7, 1, 30, 12, current})
	require.NoError(t, err)
	return h
}

func TestRefundReturnsWhatTheAccountStillHas(t *testing.T) {
	m := held(t, true).Refund("failed", service.Change{})
	assert.Equal(t, [4]int64{30, 12, -42, 0}, [4]int64{m.Plan, m.Payg, m.Held, m.Expired})
	m = held(t, false).Refund("failed", service.Change{})
	assert.Equal(t, [4]int64{0, 12, -42, 30}, [4]int64{m.Plan, m.Payg, m.Held, m.Expired}, "of a plan that has ended")
	assert.EqualValues(t, 7, *m.Call)
}

func TestMovementsSumToZero(t *testing.T) {
	a := service.Account{ID: 1, PlanCredits: 500, PaygCredits: 70}
	bought, err := rows.Bought(1, 9, service.Change{})
	require.NoError(t, err)
	for _, m := range []rows.Movement{
		held(t, true).Refund("failed", service.Change{}), held(t, false).Refund("failed", service.Change{}), bought,
		rows.SignedUp(1, 100), rows.Created(1, service.NewAccount{Credits: 100}, service.Change{}), rows.Closed(a, service.Change{}),
		rows.NewPlan(1, service.Pro, 1000, 30).Begin(a, service.Change{}),
	} {
		assert.Zero(t, m.Plan+m.Payg+m.Held+m.Granted+m.Spent+m.Expired, m.Reason)
	}
	for _, n := range []int64{0, -1} {
		_, err := rows.Bought(1, n, service.Change{})
		require.Error(t, err)
	}
}

func TestPlanCreditsAreSpentFirst(t *testing.T) {
	r := service.Reserve{ID: "call", Credits: 10}
	assert.Equal(t, service.Reservation{ID: "call", PlanCredits: 10}, rows.Split(r, 11))
	assert.Equal(t, service.Reservation{ID: "call", PlanCredits: 4, PaygCredits: 6}, rows.Split(r, 4))
	assert.Equal(t, service.Reservation{ID: "call", PaygCredits: 10}, rows.Split(r, 0))
}

func TestTimes(t *testing.T) {
	assert.Zero(t, rows.Millis(time.Time{}))
	assert.True(t, rows.Time(0).IsZero())
	at := time.Date(2026, 11, 29, 13, 0, 0, int(7*time.Millisecond), time.UTC)
	assert.Equal(t, at, rows.Time(rows.Millis(at)))
	assert.Equal(t, at.AddDate(0, 0, 30), rows.Time(rows.PlanEnd(rows.Millis(at), service.Max, 30)))
	assert.Zero(t, rows.PlanEnd(rows.Millis(at), service.Free, 30))
}

func TestDescribe(t *testing.T) {
	a := service.Account{ID: 1, Email: "anna@example.com", EmailUnverified: true, Groups: []string{"staff"}}
	same := service.Identity{Email: a.Email, EmailUnverified: true, Groups: a.Groups}
	described, differs := rows.Describe(a, same)
	assert.False(t, differs)
	assert.Equal(t, a, described)

	described, differs = rows.Describe(a, service.Identity{Groups: a.Groups})
	assert.False(t, differs, "a token without an address leaves the one that is known, and whether it is verified")
	assert.Equal(t, a, described)

	described, differs = rows.Describe(a, service.Identity{Email: a.Email, Groups: a.Groups})
	assert.True(t, differs)
	assert.False(t, described.EmailUnverified)

	described, differs = rows.Describe(a, service.Identity{})
	assert.True(t, differs, "it has no groups any more")
	assert.Empty(t, described.Groups)
	assert.Equal(t, a.Email, described.Email)
}

func TestSameEmail(t *testing.T) {
	var addresses []rows.Address
	for id, email := range []string{"Anna@EXAMPLE.com", "bob@example.com", "not an address", "anna@example.com"} {
		a, err := rows.ScanAddress(row{id, email})
		require.NoError(t, err)
		addresses = append(addresses, a)
	}
	assert.Equal(t, []int64{0, 3}, rows.SameEmail(addresses, "anna@example.com"))
	assert.Empty(t, rows.SameEmail(addresses, "other@example.com"))
}

func TestCheckCollectsEveryFlaw(t *testing.T) {
	var wrong *service.LedgerError
	n := 0
	require.ErrorAs(t, rows.Check(func(string) ([]string, error) {
		if n++; n%2 == 0 {
			return []string{"flaw"}, nil
		}
		return nil, nil
	}), &wrong)
	assert.Len(t, wrong.Flaws, n/2)
	require.NoError(t, rows.Check(func(string) ([]string, error) { return nil, nil }))
	lost := errors.New("lost")
	require.ErrorIs(t, rows.Check(func(string) ([]string, error) { return nil, lost }), lost)
}

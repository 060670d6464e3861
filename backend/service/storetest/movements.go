package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/service"
)

// model is what the ledger of one account should say.
type model struct {
	subject            string
	id                 int64
	plan, payg         int64
	number             int // of the plan
	call               string
	heldPlan, heldPayg int64
	heldFrom           int
}

// testMovements runs random sequences of movements and compares balances with a model.
func testMovements(t *testing.T, s *store) {
	run := 0
	rapid.Check(t, func(r *rapid.T) {
		run++
		m := &model{subject: fmt.Sprint("user-", run), plan: baseline}
		m.id = signIn(t, s, m.subject).ID
		calls := 0
		steps := map[string]func(){
			"reserve": func() {
				calls++
				s.Add(10 * time.Second)
				m.reserve(t, s, fmt.Sprintf("%d-%d", run, calls), rapid.Int64Range(1, 8000).Draw(r, "price"))
			},
			"settle": func() { m.charge(t, s) },
			"refund": func() { m.refund(t, s) },
			"repair": func() {
				if repair(t, s) > 0 {
					m.returned()
				}
			},
			"add":  func() { m.add(t, s, rapid.Int64Range(1, 5000).Draw(r, "bought")) },
			"plan": func() { m.setPlan(t, s, rapid.Int64Range(0, 20_000).Draw(r, "allowance")) },
		}
		names := []string{"reserve", "reserve", "settle", "settle", "refund", "repair", "add", "plan"}
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			steps[rapid.SampledFrom(names).Draw(r, "step")]()
			require.Equal(t, [2]int64{m.plan, m.payg}, balance(t, s, m.subject))
		}
		m.refund(t, s)
		require.NoError(t, s.Check(t.Context()))
	})
}

func (m *model) reserve(t *testing.T, s *store, id string, price int64) {
	_, err := s.Reserve(t.Context(), request(service.Account{ID: m.id}, id, price))
	switch {
	case m.call != "":
		require.ErrorIs(t, err, service.ErrDuplicate)
	case m.plan+m.payg < price:
		require.ErrorIs(t, err, service.ErrNoCredits)
	default:
		require.NoError(t, err)
		m.call, m.heldFrom, m.heldPlan = id, m.number, min(m.plan, price)
		m.heldPayg = price - m.heldPlan
		m.plan -= m.heldPlan
		m.payg -= m.heldPayg
	}
}

func (m *model) charge(t *testing.T, s *store) {
	_, err := s.Settle(t.Context(), m.call, service.Project{}, file(m.call))
	if m.call == "" {
		require.True(t, errors.Is(err, service.ErrReleased), err)
		return
	}
	require.NoError(t, err)
	m.call = ""
}

func (m *model) refund(t *testing.T, s *store) {
	require.NoError(t, s.Refund(t.Context(), m.call, "provider failed"))
	m.returned()
}

// returned is what a refund changes.
func (m *model) returned() {
	if m.call == "" {
		return
	}
	if m.heldFrom == m.number {
		m.plan += m.heldPlan
	}
	m.payg += m.heldPayg
	m.call = ""
}

func (m *model) add(t *testing.T, s *store, n int64) {
	_, err := s.AddCredits(t.Context(), m.id, n, service.Change{})
	require.NoError(t, err)
	m.payg += n
}

func (m *model) setPlan(t *testing.T, s *store, credits int64) {
	_, err := s.SetPlan(t.Context(), m.id, service.Pro, credits, 1, service.Change{})
	require.NoError(t, err)
	m.plan = credits
	m.number++
}

package service_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/service"
)

func TestCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		characters int
		rate       int64
		byKey      bool
		want       int64
	}{
		{1, 2100, false, 3},
		{1, 2100, true, 2},
		{1000, 2100, false, 2100},
		{1000, 2100, true, 1890},
		{5000, 2100, false, 10500},
		{5000, 2100, true, 9450},
		{10, 400, false, 4},
		{10, 400, true, 4},
		{11, 400, true, 4},
		{12, 400, true, 5},
		{1, 1, true, 1},
		{1111, 1200, true, 1200},
	} {
		assert.Equal(t, c.want, service.Cost(c.characters, c.rate, c.byKey), "%+v", c)
	}
}

// The price is that of exact fractions, rounded up.
func TestCostIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		characters := rapid.IntRange(1, 1_000_000).Draw(t, "characters")
		rate := rapid.Int64Range(1, 1_000_000_000).Draw(t, "rate")
		byKey := rapid.Bool().Draw(t, "byKey")
		exact := new(big.Rat).SetFrac64(int64(characters), 1000)
		exact.Mul(exact, new(big.Rat).SetInt64(rate))
		if byKey {
			exact.Mul(exact, big.NewRat(9, 10))
		}
		whole, remainder := new(big.Int).QuoRem(exact.Num(), exact.Denom(), new(big.Int))
		want := whole.Int64()
		if remainder.Sign() != 0 {
			want++
		}
		require.Equal(t, want, service.Cost(characters, rate, byKey))
	})
}

func TestPricesAreChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prices service.Prices
		want   string
	}{
		"unknown model": {service.Prices{Rates: map[string]int64{"v9": 1}}, `rates: "v9" is unknown`},
		"free speech":   {service.Prices{Rates: map[string]int64{"ProviderC": 0}}, "rates: ProviderC must be from 1 to"},
		"no limit":      {service.Prices{Limits: map[string]int{"providerA-v3": -1}}, "limits: providerA-v3 must be from 1 to"},
		"unknown plan":  {service.Prices{PlanCaps: map[service.Plan]int{"gold": 1}}, `plan_caps: "gold" is unknown. Use free, pro, max`},
		"negative plan": {service.Prices{PlanCredits: map[service.Plan]int64{"pro": -1}}, "plan_credits: pro must be from 0 to"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.prices.Complete()
			require.ErrorContains(t, err, c.want)
		})
	}
	full, err := service.Prices{}.Complete()
	require.NoError(t, err)
	assert.Equal(t, map[service.Plan]int64{service.Free: 10_000, service.Pro: 100_000, service.Max: 500_000}, full.PlanCredits)
}

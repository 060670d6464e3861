package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Prices are what the operator may set: the keys of Rates and Limits are ids of models, or of providers as the default of their
// models.
type Prices struct {
	Rates       map[string]int64 // credits per 1,000 characters
	Limits      map[string]int   // characters of a text
	PlanCaps    map[Plan]int     // characters of a text on a plan; none where absent
	PlanCredits map[Plan]int64   // that a plan starts with; of free, the baseline
}

// The range of every price and limit, so that no product of them exceeds 64 bits.
const (
	maxRate       = 1_000_000_000
	maxCharacters = 1_000_000
)

// defaultPrices returns the prices of decisions.md section 6.
func defaultPrices() Prices {
	return Prices{
		Rates:       map[string]int64{string(ProviderA): 2100, string(ProviderB): 1200, string(ProviderC): 400},
		Limits:      map[string]int{},
		PlanCaps:    map[Plan]int{},
		PlanCredits: map[Plan]int64{Free: 10_000, Pro: 100_000, Max: 500_000},
	}
}

// Complete returns the prices with the defaults for what they leave out. The error names a key that is unknown or a value that
// is out of range.
func (p Prices) Complete() (Prices, error) {
	all := defaultPrices()
	maps.Copy(all.Rates, p.Rates)
	maps.Copy(all.Limits, p.Limits)
	maps.Copy(all.PlanCaps, p.PlanCaps)
	maps.Copy(all.PlanCredits, p.PlanCredits)
	plans := []Plan{Free, Pro, Max}
	for _, err := range []error{
		check("rates", all.Rates, spoken(), 1, maxRate),
		check("limits", all.Limits, spoken(), 1, maxCharacters),
		check("plan_caps", all.PlanCaps, plans, 1, maxCharacters),
		check("plan_credits", all.PlanCredits, plans, 0, maxRate),
	} {
		if err != nil {
			return Prices{}, err
		}
	}
	return all, nil
}

// check returns an error that names the first entry of a setting that is unknown or out of range.
func check[K ~string, V int | int64](setting string, values map[K]V, allowed []K, low, high V) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(allowed, key) {
			names := make([]string, len(allowed))
			for i, a := range allowed {
				names[i] = string(a)
			}
			return fmt.Errorf("%s: %q is unknown. Use %s", setting, key, strings.Join(names, ", "))
		}
		if v := values[key]; v < low || v > high {
			return fmt.Errorf("%s: %s must be from %d to %d, not %d", setting, key, low, high, v)
		}
	}
	return nil
}

// spoken returns the ids of all providers and models.
func spoken() []string {
	var ids []string
	for _, p := range ProviderIDs() {
		ids = append(ids, string(p))
	}
	for _, m := range models() {
		ids = append(ids, m.ID)
	}
	return ids
}

// rate returns the price of a model in credits per 1,000 characters.
func (p Prices) rate(m Model) int64 {
	if r, ok := p.Rates[m.ID]; ok {
		return r
	}
	return p.Rates[string(m.Provider)]
}

// limit returns the longest text, in characters, that a model speaks on a plan.
func (p Prices) limit(m Model, plan Plan) int {
	limit, ok := p.Limits[m.ID]
	if !ok {
		limit, ok = p.Limits[string(m.Provider)]
	}
	if !ok {
		limit = DefaultMaxText
	}
	if planCap, ok := p.PlanCaps[plan]; ok {
		limit = min(limit, planCap)
	}
	return limit
}

// Cost returns the price of a text: characters x rate / 1000, less 10 % with an API key, rounded up.
func Cost(characters int, rate int64, byKey bool) int64 {
	tenths := int64(10)
	if byKey {
		tenths = 9
	}
	const per = 1000 * 10
	return (int64(characters)*rate*tenths + per - 1) / per
}

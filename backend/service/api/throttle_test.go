package api

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Failures from very many addresses take a bounded amount of memory: those without room share one bucket, until others are full
// again.
func TestThrottleIsBounded(t *testing.T) {
	t.Parallel()
	limit := newThrottle()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	address := func(i int) netip.Prefix {
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)}), 32)
	}
	refused := 0
	for i := range 2 * maxAddresses {
		if limit.fail(address(i), now) > 0 {
			refused++
		}
	}
	require.LessOrEqual(t, len(limit.buckets), maxAddresses+1)
	require.Equal(t, maxAddresses-maxFailures, refused)
	now = now.Add(time.Minute)
	require.Zero(t, limit.fail(address(1<<30), now))
	require.Len(t, limit.buckets, 1, "full buckets are dropped")

	for range 200 {
		limit.fail(address(7), now)
	}
	require.NotZero(t, limit.fail(address(7), now.Add(-time.Hour)), "a clock that went back returns no tokens")
	require.Zero(t, limit.fail(address(7), now.Add(time.Minute)))
}

package api

import (
	"maps"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// Failures that an address may have at once, and how many come back each second.
const (
	maxFailures    = 100
	failuresPerSec = 10
	maxAddresses   = 1 << 16
)

// throttle limits failures by address with a bucket of tokens each. It is safe for concurrent use.
type throttle struct {
	mu      sync.Mutex
	buckets map[netip.Prefix]bucket
	swept   time.Time
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newThrottle() *throttle { return &throttle{buckets: map[netip.Prefix]bucket{}} }

// fail counts a failure and returns 0, or how long the address must wait until the next one counts as one.
func (t *throttle) fail(address netip.Prefix, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, seen := t.buckets[address]
	if !seen && t.full(now) {
		address = netip.Prefix{} // shared by all addresses for which there is no room
		b, seen = t.buckets[address]
	}
	if !seen {
		b = bucket{tokens: maxFailures, at: now}
	}
	b = b.refill(now)
	wait := time.Duration(0)
	if b.tokens < 1 {
		wait = time.Duration((1 - b.tokens) / failuresPerSec * float64(time.Second))
	} else {
		b.tokens--
	}
	t.buckets[address] = b
	return wait
}

// clients are the addresses that requests come from.
type clients struct {
	proxies []netip.Prefix // whose X-Forwarded-For counts
	now     func() time.Time
}

// count counts a failure of the client's address and returns err, or 429 with the sentence where it has failed too often.
func (c *clients) count(t *throttle, r *http.Request, err error, sentence string) error {
	wait := t.fail(c.clientAddress(r), c.now())
	if wait == 0 {
		return err
	}
	return &service.Error{
		Status: http.StatusTooManyRequests, Code: service.CodeRateLimited, RetryAfter: wait, Sentence: sentence,
	}
}

// refill returns the bucket with the tokens that came back by now; a clock that went back returns none.
func (b bucket) refill(now time.Time) bucket {
	if elapsed := now.Sub(b.at); elapsed > 0 {
		b.tokens = math.Min(maxFailures, b.tokens+elapsed.Seconds()*failuresPerSec)
	}
	b.at = now
	return b
}

// full reports whether there are too many buckets. At most once a second it drops those that have all their tokens again.
func (t *throttle) full(now time.Time) bool {
	if len(t.buckets) >= maxAddresses && now.Sub(t.swept).Abs() >= time.Second {
		t.swept = now
		maps.DeleteFunc(t.buckets, func(_ netip.Prefix, b bucket) bool { return b.refill(now).tokens == maxFailures })
	}
	return len(t.buckets) >= maxAddresses
}

// clientAddress returns the address that a request came from: an IPv4 address, or the /64 of an IPv6 one, which a single user
// usually owns. Of X-Forwarded-For only what trusted proxies wrote counts.
func (c *clients) clientAddress(r *http.Request) netip.Prefix {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	address = address.Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !c.trusts(address) {
			break
		}
		next, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		address = next.Unmap().WithZone("")
	}
	bits := 64
	if address.Is4() {
		bits = 32
	}
	prefix, _ := address.Prefix(bits)
	return prefix
}

func (c *clients) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(c.proxies, func(p netip.Prefix) bool { return p.Contains(address) })
}

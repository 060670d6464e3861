package hub

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const maxWait = 10 * time.Minute // no answer of a hub makes us wait longer

var windowLeft = regexp.MustCompile(`(?:^|;)\s*t=(\d{1,6})\s*(?:;|,|$)`)

// retryAfter reads `RateLimit: "resolvers";r=0;t=55` (one second more than it says) or Retry-After, in seconds or as a
// date, which counts from the answer's own date, so that a wrong clock of ours does not matter.
func (c *Client) retryAfter(h http.Header) (time.Duration, bool) {
	if m := windowLeft.FindStringSubmatch(h.Get("RateLimit")); m != nil {
		n, _ := strconv.Atoi(m[1]) // six digits always fit
		return min(time.Duration(n+1)*time.Second, maxWait), true
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(time.Duration(n)*time.Second, maxWait), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		from = c.o.Now()
	}
	return min(max(at.Sub(from), 0), maxWait), true
}

var contentRange = regexp.MustCompile(`^bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)$`)

// parseContentRange reads `bytes 5-9/10`; total is -1 for `*`. ok is false for anything that cannot be.
func parseContentRange(v string) (start, end, total int64, ok bool) {
	m := contentRange.FindStringSubmatch(v)
	if m == nil {
		return 0, 0, 0, false
	}
	start, _ = strconv.ParseInt(m[1], 10, 64) // eighteen digits always fit
	end, _ = strconv.ParseInt(m[2], 10, 64)
	total = -1
	if m[3] != "*" {
		total, _ = strconv.ParseInt(m[3], 10, 64)
	}
	return start, end, total, end >= start && (total < 0 || end < total)
}

// etagOf gives the hub's name of the content: X-Linked-Etag, or ETag of the hub's own host, without quotes.
func etagOf(h http.Header) string {
	for _, name := range []string{"X-Linked-Etag", "Etag"} {
		if v := h.Get(name); v != "" {
			return strings.Trim(strings.TrimPrefix(v, "W/"), `"`)
		}
	}
	return ""
}

// strong gives the etag as If-Range takes it, "" when it is weak or absent.
func strong(h http.Header) string {
	if v := h.Get("Etag"); len(v) > 2 && v[0] == '"' {
		return v
	}
	return ""
}

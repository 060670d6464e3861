package hub

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const maxWait = 10 * time.Minute // the longest wait that a hub can ask for

var windowLeft = regexp.MustCompile(`(?:^|;)\s*t=(\d{1,6})\s*(?:;|,|$)`)

// retryAfter parses `RateLimit: "resolvers";r=0;t=55` (and adds one second) or Retry-After, in seconds or as a date. A date
// counts from that of the response, so that a wrong local clock does not matter.
func (c *Client) retryAfter(h http.Header) (time.Duration, bool) {
	if m := windowLeft.FindStringSubmatch(h.Get("RateLimit")); m != nil {
		n, _ := strconv.Atoi(m[1]) // six digits fit into an int
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

// parseContentRange parses `bytes 5-9/10`; total is -1 for `*`. ok is false for an invalid header.
func parseContentRange(v string) (start, end, total int64, ok bool) {
	m := contentRange.FindStringSubmatch(v)
	if m == nil {
		return 0, 0, 0, false
	}
	start, _ = strconv.ParseInt(m[1], 10, 64) // eighteen digits fit into an int64
	end, _ = strconv.ParseInt(m[2], 10, 64)
	total = -1
	if m[3] != "*" {
		total, _ = strconv.ParseInt(m[3], 10, 64)
	}
	return start, end, total, end >= start && (total < 0 || end < total)
}

// etagOf returns the hub's name of the content without quotes: X-Linked-Etag, or the Etag of the hub's own host.
func etagOf(h http.Header) string {
	for _, name := range []string{"X-Linked-Etag", "Etag"} {
		if v := h.Get(name); v != "" {
			return strings.Trim(strings.TrimPrefix(v, "W/"), `"`)
		}
	}
	return ""
}

// strongETag returns the etag for If-Range, "" when it is weak or absent.
func strongETag(h http.Header) string {
	if v := h.Get("Etag"); len(v) > 2 && v[0] == '"' {
		return v
	}
	return ""
}

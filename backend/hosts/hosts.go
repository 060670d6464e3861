// Package hosts reads names of hosts and origins as browsers and settings write them.
package hosts

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Split parses NAME, NAME:PORT, [IPV6] or [IPV6]:PORT. It returns the name without brackets in lower case, and the port,
// "" for none.
func Split(s string) (name, port string, ok bool) {
	name = s
	if bracketed, found := strings.CutPrefix(s, "["); found {
		name, port, found = strings.Cut(bracketed, "]")
		ip, err := netip.ParseAddr(name)
		if !found || err != nil || !ip.Is6() {
			return "", "", false
		}
	} else if i := strings.IndexByte(s, ':'); i >= 0 {
		name, port = s[:i], s[i:]
	}
	if port != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(port, ":"), 10, 16)
		if err != nil || port[0] != ':' {
			return "", "", false
		}
		port = strconv.FormatUint(n, 10)
	}
	if name == "" || strings.ContainsAny(name, "/@*;\\ \t") {
		return "", "", false
	}
	return strings.ToLower(name), port, true
}

// PlainOrigin parses SCHEME://HOST[:PORT] and returns it as browsers send it: in lower case, without the default port.
func PlainOrigin(s string) (string, bool) {
	u, err := url.Parse(strings.TrimSuffix(s, "/"))
	if err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", false
	}
	if _, _, ok := Split(u.Host); !ok {
		return "", false
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if defaultPort := map[string]string{"http": ":80", "https": ":443"}[scheme]; defaultPort != "" {
		host = strings.TrimSuffix(host, defaultPort)
	}
	return scheme + "://" + host, true
}

// IsLoopback reports whether a host name without brackets and port always means this machine.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

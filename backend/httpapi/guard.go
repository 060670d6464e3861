package httpapi

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend/hosts"
)

// guard decides which hosts and origins are accepted (decisions.md section 2, Access).
type guard struct {
	addr    func() net.Addr
	scheme  string
	hosts   []hostPort
	origins map[string]bool
	allowed Allowed
}

// Allowed returns the origins and hosts that the current settings allow, in the form of Options.
type Allowed func() (origins, hosts []string)

// hostPort is a host without brackets in lower case; port "" means the bound one.
type hostPort struct{ name, port string }

// appOrigins are the origins of the page in the desktop window, on Linux and macOS and on Windows. The window may open onto
// any server, so they are always allowed.
var appOrigins = []string{"wails://wails", "http://wails.localhost"}

func newGuard(o Options) (guard, error) {
	g := guard{addr: o.Addr, scheme: "http", origins: map[string]bool{}, allowed: o.Allowed}
	if o.TLS {
		g.scheme = "https"
	}
	for _, h := range o.AllowHosts {
		hp, ok := splitHost(h)
		if !ok {
			return guard{}, fmt.Errorf("allowed host %q is not NAME or NAME:PORT", h)
		}
		g.hosts = append(g.hosts, hp)
	}
	for _, origin := range append(append([]string{}, appOrigins...), o.AllowOrigins...) {
		same, ok := hosts.PlainOrigin(origin)
		if !ok {
			return guard{}, fmt.Errorf("allowed origin %q is not SCHEME://HOST[:PORT]", origin)
		}
		g.origins[same] = true
	}
	return g, nil
}

// settingsAllowHost reports whether the settings allow a host; port is the bound one.
func (g guard) settingsAllowHost(hp hostPort, port string) bool {
	_, hosts := g.allowed()
	return slices.ContainsFunc(hosts, func(h string) bool {
		allowed, ok := splitHost(h)
		return ok && allowed.is(hp, port)
	})
}

// settingsAllowOrigin reports whether the settings allow an origin.
func (g guard) settingsAllowOrigin(origin string) bool {
	origins, _ := g.allowed()
	return slices.ContainsFunc(origins, func(o string) bool {
		same, ok := hosts.PlainOrigin(o)
		return ok && same == origin
	})
}

// is reports whether h stands for host; port is the bound one.
func (h hostPort) is(host hostPort, port string) bool {
	return h.name == host.name && cmp.Or(h.port, port) == host.port
}

func splitHost(s string) (hostPort, bool) {
	name, port, ok := hosts.Split(s)
	return hostPort{name, port}, ok
}

// bound returns the bound address, false before the server listens.
func (g guard) bound() (netip.Addr, string, bool) {
	if g.addr == nil {
		return netip.Addr{}, "", false
	}
	tcp, ok := g.addr().(*net.TCPAddr)
	if !ok || tcp == nil {
		return netip.Addr{}, "", false
	}
	ap := tcp.AddrPort()
	return ap.Addr().Unmap().WithZone(""), strconv.Itoa(int(ap.Port())), true
}

// allowsHost reports whether host is ours: an allowed one, the bound address or localhost with the bound
// port, on a non-loopback address any IP literal with it.
func (g guard) allowsHost(host string) bool {
	hp, ok := splitHost(host)
	ip, port, isBound := g.bound()
	if !ok || !isBound {
		return false
	}
	if hp.port == "" {
		hp.port = map[string]string{"http": "80", "https": "443"}[g.scheme]
	}
	literal, err := netip.ParseAddr(hp.name)
	switch {
	case slices.ContainsFunc(g.hosts, func(allowed hostPort) bool { return allowed.is(hp, port) }):
		return true
	case hp.port == port && (hp.name == "localhost" || err == nil && literal.Zone() == "" && (!ip.IsLoopback() || literal.Unmap() == ip)):
		return true
	default:
		return g.settingsAllowHost(hp, port)
	}
}

// allowsOrigin reports whether a page of this origin may call: the app's own, an allowed one, the bound
// address, or the very host that the request went to, which has passed allowsHost.
func (g guard) allowsOrigin(origin string, r *http.Request) bool {
	origin = strings.ToLower(origin)
	if g.origins[origin] {
		return true
	}
	return g.isOwn(origin, r) || g.settingsAllowOrigin(origin)
}

// isOwn reports whether an origin is that of a page from this server.
func (g guard) isOwn(origin string, r *http.Request) bool {
	host, ok := strings.CutPrefix(origin, g.scheme+"://")
	if !ok {
		return false
	}
	if host == strings.ToLower(r.Host) {
		return true
	}
	ip, port, ok := g.bound()
	hp, wellFormed := splitHost(host)
	if !ok || !wellFormed || hp.port != port {
		return false
	}
	literal, err := netip.ParseAddr(hp.name)
	return hp.name == "localhost" || err == nil && literal.Unmap() == ip
}

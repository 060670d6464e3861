package main

import (
	"net"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/app/voicewright-service/database"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
)

// checkedOptions are checked settings.
type checkedOptions struct {
	options
	store     database.Database
	audio     audioPlace
	proxies   []netip.Prefix // of trustProxy
	access    service.Access
	graceTime time.Duration // of grace; 0 where that is empty
}

// validate checks the settings of run. Every error is a wrong use that names the option and what it accepts.
func (s options) validate() (checkedOptions, error) {
	v := checkedOptions{options: s}
	var err error
	if v.store, err = s.store(); err != nil {
		return v, err
	}
	if v.audio, err = s.audio(); err != nil {
		return v, err
	}
	for _, check := range []func() error{
		s.checkAddr, s.checkIssuer, s.checkLogin, s.checkPublicURL, s.checkDevIDP, v.checkFolders, v.checkOffline,
	} {
		if err := check(); err != nil {
			return v, err
		}
	}
	if v.graceTime, err = s.checkEnd(); err != nil {
		return v, err
	}
	if s.audience == "" {
		v.audience = s.clientID
	}
	if v.access, err = s.access(); err != nil {
		return v, err
	}
	v.proxies, err = prefixes(s.trustProxy)
	return v, err
}

// withoutPassword replaces the user and password of an address.
func withoutPassword(address string) string {
	if scheme, host, ok := strings.Cut(address, "://"); ok {
		if at := strings.LastIndex(host, "@"); at >= 0 {
			return scheme + "://***" + host[at:]
		}
	}
	return address
}

func (s options) checkAddr() error {
	err := checkHostPort("--addr", s.addr)
	if err == nil && s.metricsAddr != "" {
		err = checkHostPort("--metrics-addr", s.metricsAddr)
	}
	return err
}

// checkHostPort returns nil for an address to listen on.
func checkHostPort(option, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return usagef("%s must be HOST:PORT such as 127.0.0.1:8080, not %q", option, addr)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return usagef("%s: the port must be 0 to 65535, not %q", option, port)
	}
	return nil
}

func (s options) checkIssuer() error {
	if s.clientID == "" || strings.ContainsAny(s.clientID, " \t\n") {
		return usagef("--client-id must be the id of the app at the issuer, without spaces")
	}
	switch {
	case s.issuer == "" && !s.devIDP:
		return usagef("tokens need an issuer: give --issuer URL, or --dev-idp to try the service out on this machine")
	case s.issuer != "" && s.devIDP:
		return usagef("--dev-idp is an issuer of its own; leave out --issuer or --dev-idp")
	case s.issuer == "":
		return nil
	}
	if err := checkURL("--issuer", s.issuer); err != nil {
		return err
	}
	if strings.HasPrefix(s.issuer, "http:") && !isLoopback(hostOf(s.issuer)) {
		return usagef("--issuer must be an https address, or http on this machine, not %q", s.issuer)
	}
	return nil
}

// login returns what clients are told of how to sign in.
func (s options) login() backend.Login {
	return backend.Login{
		Issuer: s.issuer, ClientID: s.clientID, Audience: s.audience, Scopes: s.scopes, ClientSecret: s.clientSecret,
		UseIDToken: s.useIDToken, Resource: s.resource, AuthParams: s.authParams,
	}
}

// checkLogin refuses what the app would refuse. Its errors contain no value: one may be a secret.
func (s options) checkLogin() error {
	if s.scopes == "" {
		return usagef("--scopes must name what the app asks the issuer for, such as openid email")
	}
	if s.devIDP && s.clientSecret != "" {
		return usagef("--dev-idp has an app without one; leave out --client-secret")
	}
	if s.useIDToken && s.audience != "" && s.audience != s.clientID {
		return usagef("--use-id-token needs the client id as audience, which is what ID tokens name; leave out --audience")
	}
	if member, should := s.login().Problem(); member != "" {
		return usagef("--%s %s", strings.ReplaceAll(member, "_", "-"), should)
	}
	return nil
}

func (s options) checkPublicURL() error {
	if s.publicURL == "" {
		return nil
	}
	return checkURL("--public-url", s.publicURL)
}

// checkURL returns nil for an http or https address without password, query and fragment.
func checkURL(option, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Opaque != "" || (u.Scheme != "http" && u.Scheme != "https") ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return usagef("%s must be an http or https address such as https://id.example.org, not %q", option, withoutPassword(address))
	}
	return nil
}

// checkDevIDP keeps the issuer for trying out on this machine: it signs in anybody without a password.
func (s options) checkDevIDP() error {
	if !s.devIDP {
		return nil
	}
	if host, _, _ := net.SplitHostPort(s.addr); !isLoopback(host) {
		return usagef("--dev-idp signs in anybody without a password, so --addr must be a loopback address such as 127.0.0.1:0, not %q", s.addr)
	}
	if s.publicURL != "" && !isLoopback(hostOf(s.publicURL)) {
		return usagef("--dev-idp signs in anybody without a password, so --public-url must be a loopback address, not %q", s.publicURL)
	}
	return nil
}

func (v checkedOptions) checkFolders() error {
	if v.models == "" {
		return usagef("--models must be a folder")
	}
	for option, dir := range map[string]string{"--files": v.audio.folder, "--models": v.models} {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return usagef("%s must be a folder; %s is a file", option, dir)
		}
	}
	return nil
}

// checkEnd checks how the program ends, and returns the time in grace, 0 where that is empty.
func (s options) checkEnd() (grace time.Duration, err error) {
	if s.drainDelay < 0 {
		return 0, usagef("--drain-delay must be a time such as 5s, or 0s, not %s", s.drainDelay)
	}
	if s.grace != "" {
		grace, err = time.ParseDuration(s.grace)
	}
	if err != nil || grace < 0 {
		return 0, usagef("--grace must be a time such as 90s or 10m, not %q", s.grace)
	}
	return grace, nil
}

// checkOffline refuses an issuer, a database and a store of files on another machine in offline mode.
func (s checkedOptions) checkOffline() error {
	if s.offline && !s.store.Local() {
		return usagef("--offline opens no connection to other machines, but --database is %s; leave out --offline", s.store.Place())
	}
	if s.offline && !s.audio.local() {
		return usagef("--offline opens no connection to other machines, but --files is %s; leave out --offline", s.audio.objects)
	}
	if s.offline && s.issuer != "" && !isLoopback(hostOf(s.issuer)) {
		return usagef("--offline opens no connection to other machines, but --issuer is %s; leave out --offline", s.issuer)
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// prefixes reads the addresses of trusted proxies; one without a length is a single machine.
func prefixes(texts []string) ([]netip.Prefix, error) {
	var found []netip.Prefix
	for _, text := range texts {
		text = strings.TrimSpace(text)
		if ip, err := netip.ParseAddr(text); err == nil {
			found = append(found, netip.PrefixFrom(ip, ip.BitLen()))
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, usagef("--trust-proxy must be an address or a range such as 10.0.0.0/8, not %q", text)
		}
		found = append(found, prefix.Masked())
	}
	return found, nil
}

// Package devidptest starts the dev-idp and signs in to it as a browser does, for the tests of other packages.
package devidptest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/voicewright/voicewright/backend/service/devidp"
)

// The client of the issuer that Start starts, and the audience of its tokens.
const (
	ClientID = "voicewright"
	Audience = "voicewright-service"
)

// Start starts the issuer of `voicewright-service run --dev-idp` until the test ends, and returns its address.
func Start(tb testing.TB) (issuer string, server *httptest.Server) {
	tb.Helper()
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("listen: %v", err)
	}
	issuer = "http://" + listener.Addr().String() + "/dev-idp"
	handler, err := devidp.New(devidp.Options{Issuer: issuer, ClientID: ClientID, Audience: Audience})
	if err != nil {
		tb.Fatalf("open the issuer: %v", err)
	}
	server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}}
	server.Start()
	tb.Cleanup(server.Close)
	return issuer, server
}

// Browse signs in on the page of the dev-idp as a browser does, and returns the address at which the browser ends.
func Browse(tb testing.TB, authorize, name string) string {
	tb.Helper()
	page := follow(tb, http.MethodGet, authorize, nil)
	back := follow(tb, http.MethodPost, page, url.Values{"name": {name}})
	return follow(tb, http.MethodGet, back, nil)
}

// follow makes a request and returns the address that its answer leads to.
func follow(tb testing.TB, method, address string, form url.Values) string {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		tb.Fatalf("prepare the request: %v", err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		tb.Fatalf("open %s: %v", address, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		tb.Fatalf("read the answer: %v", err)
	}
	location := res.Header.Get("Location")
	if location == "" {
		tb.Fatalf("%s answers %s: %s", address, res.Status, body)
	}
	return location
}

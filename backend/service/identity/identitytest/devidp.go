package identitytest

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

// ClientID is the client of the issuer that StartDevIDP starts.
const ClientID = "voicewright"

// StartDevIDP starts the issuer of `voicewright-service run --dev-idp` until the test ends, and returns its address.
func StartDevIDP(tb testing.TB) (issuer string, server *httptest.Server) {
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
	page, _ := Open(tb, http.MethodGet, authorize, nil)
	back, _ := Open(tb, http.MethodPost, page.Header.Get("Location"), url.Values{"name": {name}})
	end, body := Open(tb, http.MethodGet, back.Header.Get("Location"), nil)
	address := end.Header.Get("Location")
	if address == "" {
		tb.Fatalf("the sign-in page answers %s: %s", end.Status, body)
	}
	return address
}

// Open makes a request without following redirects, and returns the response with its body read.
func Open(tb testing.TB, method, address string, form url.Values) (*http.Response, string) {
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
	return res, string(body)
}

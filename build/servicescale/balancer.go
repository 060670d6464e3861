// Package servicescale has what the tests of `make service-scale-test` put around several processes of voicewright-service: a load
// balancer, a server that speaks at once, and a wire to a database that is cut.
package servicescale

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Lost is the header of answers that the balancer gives because the process died, so that the outcome of the request is unknown.
const Lost = "X-Balancer-Lost"

// dialTimeout is how long the balancer tries to reach a process.
const dialTimeout = time.Second

// Balancer is a load balancer: each request goes to the next process. One that cannot be reached got nothing, so the request goes to the
// one after it; one that was lost before its answer is 502. It is safe for concurrent use.
type Balancer struct {
	proxy     *httputil.ReverseProxy
	transport *http.Transport

	mu        sync.Mutex
	processes []*url.URL
	resting   map[string]bool // hosts of those that are not ready
	next      int
}

// NewBalancer returns a balancer without processes, which answers 502. It must be closed.
func NewBalancer() *Balancer {
	b := &Balancer{transport: &http.Transport{
		DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext, MaxIdleConnsPerHost: 256,
	}}
	b.proxy = &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetXForwarded() },
		Transport: b,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.Header().Set(Lost, "true")
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	}
	return b
}

// Set replaces the processes by those at these addresses.
func (b *Balancer) Set(addresses ...string) error {
	var processes []*url.URL
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil {
			return err
		}
		processes = append(processes, u)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.processes = processes
	return nil
}

// turn returns the processes, the one whose turn it is first, and those that are not ready last.
func (b *Balancer) turn() []*url.URL {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.processes) == 0 {
		return nil
	}
	b.next = (b.next + 1) % len(b.processes)
	var ready, resting []*url.URL
	for _, process := range slices.Concat(b.processes[b.next:], b.processes[:b.next]) {
		if b.resting[process.Host] {
			resting = append(resting, process)
		} else {
			ready = append(ready, process)
		}
	}
	return append(ready, resting...)
}

// Watch notes at each interval which processes are ready, until ctx ends. Without it all of them count as ready.
func (b *Balancer) Watch(ctx context.Context, interval time.Duration) {
	client := &http.Client{Transport: b.transport, Timeout: 5 * dialTimeout}
	for ctx.Err() == nil {
		resting := map[string]bool{}
		for _, process := range b.turn() {
			resting[process.Host] = !ready(ctx, client, process)
		}
		b.mu.Lock()
		b.resting = resting
		b.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(interval):
		}
	}
}

// ready reports whether a process says that it is ready.
func ready(ctx context.Context, client *http.Client, process *url.URL) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, process.JoinPath("ready").String(), http.NoBody)
	if err != nil {
		return false
	}
	res, err := client.Do(r)
	if err != nil {
		return false
	}
	_ = res.Body.Close() // the status is enough
	return res.StatusCode == http.StatusOK
}

// ServeHTTP implements http.Handler.
func (b *Balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.proxy.ServeHTTP(w, r) }

// RoundTrip implements http.RoundTripper.
func (b *Balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	failure := errors.New("no process runs")
	for _, process := range b.turn() {
		try := r.Clone(r.Context())
		try.URL.Scheme, try.URL.Host = process.Scheme, process.Host
		try.Body = io.NopCloser(bytes.NewReader(body))
		res, err := b.transport.RoundTrip(try)
		if err == nil {
			return res, nil
		}
		failure = err
		var network *net.OpError
		if !errors.As(err, &network) || network.Op != "dial" {
			break
		}
	}
	return nil, failure
}

// Close closes the connections that wait for requests.
func (b *Balancer) Close() { b.transport.CloseIdleConnections() }

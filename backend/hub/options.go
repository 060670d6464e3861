// Package hub downloads files from a Hugging Face hub into a cache in the hub's standard layout, and finds them there. It handles
// repositories, revisions and files, and nothing about models.
//
// The rules are those of decisions.md section 3: only verified files are found, a download resumes after any stop, and a file
// that another program's cache has is not downloaded again.
package hub

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// Options are the settings of a Client. Every zero value has a default.
type Options struct {
	Endpoint  string            // address of the hub; "" is https://huggingface.co
	Token     string            // sent as Bearer to the endpoint's own host only
	Mirrors   []string          // hubs to try after the endpoint, for files with a pinned SHA-256 only
	Offline   func() bool       // nil: never; while true no connection is opened
	Transport http.RoundTripper // nil: a new transport, which uses Proxy
	Proxy     func(*url.URL) (*url.URL, error)
	Stall     time.Duration // how long a connection may deliver nothing; 0: 60 s
	Tries     int           // attempts in a row without a new byte before a download fails; 0: 5
	Log       *slog.Logger  // nil: no log

	NoSymlinks bool // files are moved, hard linked or copied instead

	Now  func() time.Time                             // nil: time.Now
	Wait func(context.Context, time.Duration) error   // waits between attempts; nil: a timer
	Free func(ctx context.Context, dir string) uint64 // free bytes of dir's disk; nil: those that the system reports
}

// PublicHub is the endpoint without HF_ENDPOINT.
const PublicHub = "https://huggingface.co"

// FromEnv reads HF_ENDPOINT, HF_TOKEN (else HUGGING_FACE_HUB_TOKEN, else the file token in HF_HOME), HF_HUB_OFFLINE,
// HF_HUB_DISABLE_SYMLINKS and the proxy variables, as the hub's own library does.
func FromEnv(getenv func(string) string) Options {
	o := Options{
		Endpoint: getenv("HF_ENDPOINT"), Token: token(getenv), NoSymlinks: truthy(getenv("HF_HUB_DISABLE_SYMLINKS")),
	}
	if truthy(getenv("HF_HUB_OFFLINE")) {
		o.Offline = func() bool { return true }
	}
	either := func(name string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return getenv(strings.ToLower(name))
	}
	proxies := httpproxy.Config{
		HTTPProxy: either("HTTP_PROXY"), HTTPSProxy: either("HTTPS_PROXY"), NoProxy: either("NO_PROXY"),
		CGI: getenv("REQUEST_METHOD") != "",
	}
	o.Proxy = proxies.ProxyFunc()
	return o
}

// SharedCache returns the directory of the user's standard hub cache: HF_HUB_CACHE, else hub in HF_HOME, else the default. It is
// "" when the home directory is unknown; the directory need not exist.
func SharedCache(getenv func(string) string) string {
	if dir := getenv("HF_HUB_CACHE"); dir != "" {
		return dir
	}
	if home := hubHome(getenv); home != "" {
		return filepath.Join(home, "hub")
	}
	return ""
}

func hubHome(getenv func(string) string) string {
	if dir := getenv("HF_HOME"); dir != "" {
		return dir
	}
	if dir := getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "huggingface")
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := getenv(name); dir != "" {
			return filepath.Join(dir, ".cache", "huggingface")
		}
	}
	return ""
}

func token(getenv func(string) string) string {
	for _, name := range []string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"} {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			return v
		}
	}
	home := hubHome(getenv)
	if home == "" {
		return ""
	}
	raw, err := os.ReadFile(filepath.Join(home, "token"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(raw))
}

func truthy(v string) bool {
	return slices.Contains([]string{"1", "on", "yes", "true"}, strings.ToLower(strings.TrimSpace(v)))
}

func (o Options) withDefaults() Options {
	if o.Endpoint == "" {
		o.Endpoint = PublicHub
	}
	if o.Offline == nil {
		o.Offline = func() bool { return false }
	}
	if o.Stall <= 0 {
		o.Stall = time.Minute
	}
	if o.Tries <= 0 {
		o.Tries = 5
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Free == nil {
		o.Free = freeSpace
	}
	return o
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

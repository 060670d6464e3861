// Package s3 implements service.Files over a store that speaks the protocol of Amazon S3.
//
// Generated audio is <prefix>/2026/11/28/NAME by the day in its name, previews of voices are <prefix>/previews/NAME, and any other name
// is <prefix>/other/NAME.
package s3

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/voicewright/voicewright/backend/service"
)

// Options are what Open needs; all are required.
type Options struct {
	Address     Address
	Credentials Credentials
	Log         *slog.Logger
}

// Store is an open store of files. All methods are safe for concurrent use, also by several processes. Failures of the store match
// service.ErrFilesDown; no error contains a credential or the name of a file, which is one.
type Store struct {
	Options
	client    *minio.Core
	transport *http.Transport
	times     times
	page      int // names of objects in a list
	ready     *readiness
	cleaning  sync.WaitGroup // what cleanUp began
}

var _ service.Files = (*Store)(nil)

// times limit how long a store is waited for, with all repeats of a request. Whoever calls may stop earlier.
type times struct {
	request time.Duration // that has a short answer
	stall   time.Duration // of a download, until more of it arrives
	probe   time.Duration // of Ready
}

// maxPage is how many names of objects stores list at once.
const maxPage = 1000

// Open returns a store. It makes no connection: a store that is down is an error of Ready and of each call.
func Open(o Options) (*Store, error) {
	if o.Address == (Address{}) || o.Credentials == (Credentials{}) || o.Log == nil {
		return nil, errors.New("open store of files: the address, the credentials or the log is missing")
	}
	s := &Store{
		Options: o, transport: newTransport(), ready: newReadiness(), page: maxPage,
		times: times{request: 10 * time.Second, stall: 15 * time.Second, probe: 5 * time.Second},
	}
	scheme, host, _ := strings.Cut(o.Address.Endpoint, "://")
	var err error
	s.client, err = minio.NewCore(host, &minio.Options{
		Creds:  credentials.NewStaticV4(o.Credentials.accessKey, o.Credentials.secretKey, ""), // nothing else is looked for
		Secure: scheme == "https", Transport: s.transport,
		Region:       o.Address.Region,                      // or minio-go would ask for it
		BucketLookup: minio.BucketLookupPath, MaxRetries: 1, // see repeat
	})
	if err != nil {
		return nil, s.fail(context.Background(), "open store of files", err)
	}
	s.client.SetS3EnableDualstack(strings.Contains(host, ".dualstack.")) // or minio-go would connect to such a host of Amazon's
	return s, nil
}

// newTransport returns a transport without a proxy: variables of the environment do not change where audio goes.
func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 3 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second, IdleConnTimeout: time.Minute,
		MaxIdleConns: 64, MaxIdleConnsPerHost: 64, ExpectContinueTimeout: time.Second,
		DisableCompression: true, // audio is compressed
	}
}

// Close waits for what is being cleaned up, a few seconds at most, and closes the connections. Call it when no other call runs.
func (s *Store) Close() error {
	s.cleaning.Wait()
	s.transport.CloseIdleConnections()
	return nil
}

// cleanUp calls f whether or not ctx has ended, and returns its error, or that of ctx once it ends. Close waits for f.
func (s *Store) cleanUp(ctx context.Context, f func(context.Context) error) error {
	done := make(chan error, 1)
	s.cleaning.Go(func() { done <- f(context.WithoutCancel(ctx)) })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// The folders below the prefix, in the order of the names of objects: days come first, and those without audio after all others.
const (
	otherFolder   = "other/"
	previewFolder = "previews/"
	probeFolder   = "probe/" // of what Ready writes
)

// validName matches names of which no store, proxy or address makes another one.
var validName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$`)

// root returns what begins the names of all objects.
func (s *Store) root() string {
	if s.Address.Prefix == "" {
		return ""
	}
	return s.Address.Prefix + "/"
}

// key returns the name of the object of a file. Error: service.ErrNotFound for a name that no file can have.
func (s *Store) key(name string) (string, error) {
	if !validName.MatchString(name) {
		return "", errInvalidName
	}
	if day, ok := service.FileDay(name); ok {
		return s.root() + day.Format("2006/01/02/") + name, nil
	}
	if strings.HasPrefix(name, service.PreviewPrefix) {
		return s.root() + previewFolder + name, nil
	}
	return s.root() + otherFolder + name, nil
}

// nameOf returns the last part of the name of an object.
func nameOf(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// owns reports whether an object is, or would be, the content of a file.
func (s *Store) owns(key string) bool {
	own, err := s.key(nameOf(key))
	return err == nil && own == key
}

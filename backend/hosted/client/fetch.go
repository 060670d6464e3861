package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/hosts"
)

const (
	maxAudio     = 1 << 30 // bytes, over three hours of pcm_48000
	maxRedirects = 5       // of a link, which stores use
	maxResumes   = 5       // in a row without a new byte
)

// Fetched is a file that Fetch stored.
type Fetched struct {
	SHA256      string // 64 hexadecimal digits
	Bytes       int64
	ContentType string
}

// Fetch stores the file of a link, complete or not at all. No credential is sent. A connection that breaks is resumed. Links
// are https, or http on this machine while the base URL is there. Errors: hosted_link_expired for an *Error of 404 and 410,
// insufficient_disk, not_permitted.
func (c *Client) Fetch(ctx context.Context, link, path string) (Fetched, error) {
	base, err := c.base()
	if err != nil {
		return Fetched{}, err
	}
	d := &download{c: c, base: base, call: call{path: "(link)", free: true}, dir: filepath.Dir(path), total: -1}
	if d.link, err = url.Parse(link); err != nil {
		return Fetched{}, d.wrong("the link is not an address")
	}
	var failed *Error
	err = files.Replace(path, 0o600, func(f *os.File) error {
		d.file, d.sum = f, sha256.New()
		err := d.run(ctx)
		errors.As(err, &failed)
		return err
	})
	switch {
	case failed != nil:
		return Fetched{}, failed
	case err != nil:
		return Fetched{}, backend.FileError("store the audio", "the data directory", err)
	}
	return Fetched{hex.EncodeToString(d.sum.Sum(nil)), d.bytes, d.contentType}, nil
}

// download is a file that arrives in one or more attempts.
type download struct {
	c     *Client
	base  *url.URL
	link  *url.URL
	call  call
	dir   string
	file  *os.File
	sum   hash.Hash
	bytes int64
	total int64 // -1 until known

	validator   string // ETag or Last-Modified: what follows must be of the same file
	contentType string
}

// run downloads until the file is complete, and gives up after maxResumes attempts that brought nothing.
func (d *download) run(ctx context.Context) error {
	delays := newBackoff()
	for idle := 0; ; idle++ {
		before := d.bytes
		err := d.attempt(ctx)
		var failed *Error
		if err == nil || !errors.As(err, &failed) || idle >= maxResumes || ctx.Err() != nil || !failed.resumable() {
			return err
		}
		if d.bytes > before {
			idle = 0
			delays.Reset()
		}
		if err := d.c.pause(ctx, d.call, failed, delays); err != nil {
			return failed
		}
	}
}

// resumable reports whether a download may go on after e.
func (e *Error) resumable() bool {
	if e.RetryAfter != nil && *e.RetryAfter > longestWait {
		return false
	}
	switch e.reason {
	case unreachable, slow:
		return true
	case answered:
		return e.Status == http.StatusTooManyRequests || e.Status >= 500
	default:
		return false
	}
}

// attempt requests what is missing and stores it.
func (d *download) attempt(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(d.c.o.Timeouts.Answer, func() { cancel(errTimeout) })
	defer stall.Stop()
	res, err := d.request(ctx)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := d.accept(ctx, res); err != nil {
		return err
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := res.Body.Read(buffer)
		stall.Reset(d.c.o.Timeouts.Answer)
		if stored := d.store(buffer[:n]); stored != nil {
			return stored
		}
		switch {
		case errors.Is(err, io.EOF) && (d.total < 0 || d.bytes == d.total):
			return nil
		case errors.Is(err, io.EOF):
			return d.wrong(fmt.Sprintf("the audio has %d bytes and not %d", d.bytes, d.total))
		case err != nil:
			return errBrokenCall(ctx, d.call, d.link, Credential{}, true, err)
		case d.c.o.Offline():
			return errOffline
		}
	}
}

// store appends what arrived.
func (d *download) store(p []byte) error {
	d.bytes += int64(len(p))
	if d.bytes > maxAudio || d.total >= 0 && d.bytes > d.total {
		return d.wrong("the audio is longer than announced")
	}
	d.sum.Write(p)
	_, err := d.file.Write(p)
	return err
}

// request sends the request and follows redirects, each of which must be as safe as the link.
func (d *download) request(ctx context.Context) (*http.Response, error) {
	at := d.link
	for range maxRedirects {
		if !safe(at, hosts.IsLoopback(d.base.Hostname())) {
			return nil, d.wrong("the link is neither https nor of this computer")
		}
		if d.c.o.Offline() {
			return nil, errOffline
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), http.NoBody)
		if err != nil {
			return nil, d.wrong("the link is not an address")
		}
		req.URL.User = nil
		req.Header.Set("User-Agent", strings.TrimSuffix("voicewright/"+d.c.o.Version, "/"))
		req.Header.Set("Accept-Encoding", "identity") // else the number of bytes is not that of the file
		if d.bytes > 0 {
			req.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.bytes))
			if d.validator != "" {
				req.Header.Set("If-Range", d.validator)
			}
		}
		res, err := d.c.other.Do(req)
		if err != nil {
			return nil, errBrokenCall(ctx, d.call, at, Credential{}, true, err)
		}
		next, _ := res.Location()
		if res.StatusCode/100 != 3 || next == nil {
			return res, nil
		}
		_ = res.Body.Close()
		at = next
	}
	return nil, d.wrong("the link redirects too often")
}

// accept checks the answer's head, and starts again where the service sends the file from its beginning.
func (d *download) accept(ctx context.Context, res *http.Response) error {
	switch {
	case res.StatusCode == http.StatusPartialContent && d.bytes > 0:
		var start, end, total int64
		if n, _ := fmt.Sscanf(res.Header.Get("Content-Range"), "bytes %d-%d/%d", &start, &end, &total); n != 3 ||
			start != d.bytes || d.total >= 0 && total != d.total {
			return d.wrong("it sent another part of the audio than was requested")
		}
		d.total = total
		return nil
	case res.StatusCode == http.StatusOK:
		return d.restart(ctx, res)
	case res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone:
		return &Error{Status: http.StatusGone, Outcome: Refused, call: d.call, host: d.link.Host, reason: expiredLink}
	default:
		return d.c.errRefused(d.call, d.link, Credential{}, res, nil, nil)
	}
}

// restart begins with the first byte.
func (d *download) restart(ctx context.Context, res *http.Response) error {
	if err := d.reset(); err != nil {
		return err
	}
	d.total, d.contentType = res.ContentLength, res.Header.Get("Content-Type")
	d.validator = res.Header.Get("Etag")
	if d.validator == "" || strings.HasPrefix(d.validator, "W/") {
		d.validator = res.Header.Get("Last-Modified")
	}
	if d.total > maxAudio {
		return d.wrong("the audio is longer than " + strconv.Itoa(maxAudio>>20) + " MiB")
	}
	if free, known := d.c.o.FreeSpace(ctx, d.dir); known && d.total > free {
		return backend.E(backend.CodeInsufficientDisk, "There isn't enough disk space for the audio.", "Free some space and try again.").
			With("needed", d.total).With("free", free)
	}
	return nil
}

func (d *download) reset() error {
	d.bytes, d.total = 0, -1
	d.sum.Reset()
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.file.Truncate(0)
}

// wrong returns the Error of a link that is not what the contract says.
func (d *download) wrong(what string) *Error {
	return &Error{Outcome: Refused, call: d.call, host: d.base.Host, reason: badAnswer, Err: errors.New(what)}
}

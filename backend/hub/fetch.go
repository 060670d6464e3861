package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// fetch brings one file, whose lock is held, from the hub or else from a mirror, and settles it.
func (c *Client) fetch(ctx context.Context, j *job, t target) error {
	p, err := c.cache.openPartial(ctx, j.repo, t)
	if err != nil {
		return cancelled(ctx, err)
	}
	j.have(p.size)
	sources := []string{c.o.Endpoint}
	if t.SHA256 != "" {
		sources = append(append(sources, c.o.Mirrors...), j.mirrors...)
	}
	var first error
	for _, base := range sources {
		err = c.fetchFrom(ctx, j, p, base)
		if err == nil {
			break
		}
		if first == nil {
			first = err
		}
		if !elsewhere(err) {
			first = err
			break
		}
		c.o.Log.InfoContext(ctx, "a hub could not give a file", "hub", base, "file", t.Path, "error", err)
	}
	if err != nil {
		p.stop()
		return first
	}
	j.meter.doing(Verifying, t.Path)
	sha := p.digest.sum()
	if err := p.finish(); err != nil {
		return c.cache.failed("finish a file", err)
	}
	settled, err := p.want.honest(ctx, sha, p.name)
	if err != nil {
		return cancelled(ctx, c.cache.failed("read a file again", err))
	}
	return c.cache.settle(ctx, j.repo, j.commit, settled, p.name)
}

// elsewhere reports whether another hub may have what this one had not.
func elsewhere(err error) bool {
	switch backend.CodeOf(err) {
	case backend.CodeDownloadFailed, backend.CodeChecksumMismatch, backend.CodeHubRateLimited:
		return true
	default:
		return false
	}
}

func cancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return backend.ErrCancelled.Because(ctx.Err())
	}
	return err
}

// fetchFrom repeats attempts against one hub until the file is there and verified.
func (c *Client) fetchFrom(ctx context.Context, j *job, p *partial, base string) error {
	highest := p.size
	gained := func() bool {
		more := p.size > highest
		highest = max(highest, p.size)
		return more
	}
	return c.retry(ctx, gained, j.meter.waits, func(ctx context.Context) *setback {
		j.meter.doing(Downloading, p.want.Path)
		if s := c.attempt(ctx, j, p, base); s != nil {
			return s
		}
		j.meter.doing(Verifying, p.want.Path)
		right, err := p.verify(ctx)
		if err != nil {
			return &setback{err: c.cache.failed("read a file again", err)}
		}
		if right {
			return nil
		}
		if err := p.restart(); err != nil {
			return &setback{err: c.cache.failed("drop a wrong file", err)}
		}
		highest = 0
		return &setback{err: mismatch(p.want.File, nil), again: true, bad: true}
	})
}

// attempt asks once for what is missing. Nil means that the file has its size.
func (c *Client) attempt(ctx context.Context, j *job, p *partial, base string) *setback {
	if p.size == p.want.Size && p.size > 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.o.Stall, func() { cancel(errStalled) })
	defer watch.Stop()

	address := resolveURL(base, j.repo, j.commit, p.want.Path)
	host := hostOf(address)
	header := http.Header{}
	if p.size > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", p.size))
		if p.etag != "" && p.url == address {
			header.Set("If-Range", p.etag)
		}
	}
	a, err := c.send(ctx, http.MethodGet, address, header, false)
	if err != nil {
		return trouble(host, p.want.Path, because(ctx, err))
	}
	defer func() { _ = a.Body.Close() }()
	if s := c.begin(a, p, address); s != nil {
		return s
	}
	err = p.grow(a.Body, func(n int) {
		watch.Reset(c.o.Stall)
		j.meter.got(n)
		j.have(p.size)
	})
	if err == nil {
		err = surplus(a)
	}
	return c.ended(ctx, p, a, err)
}

// because puts the reason of our own in the place of a mere cancellation.
func because(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errStalled) {
		return errStalled
	}
	return err
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}

// begin judges the answer before its first byte, and makes the partial file ready for it.
func (c *Client) begin(a *answer, p *partial, address string) *setback {
	host := a.Request.URL.Host
	again := func(what string) *setback {
		if err := p.restart(); err != nil {
			return &setback{err: c.cache.failed("begin a file again", err)}
		}
		return trouble(host, p.want.Path, &badAnswer{host, what})
	}
	length := a.ContentLength
	switch a.StatusCode {
	case http.StatusPartialContent:
		start, end, total, ok := parseContentRange(a.Header.Get("Content-Range"))
		if !ok || start != p.size || end != p.want.Size-1 || total >= 0 && total != p.want.Size || length >= 0 && length != end-start+1 {
			return again("it gave another part of the file than was asked for")
		}
		if etag := strong(a.Header); p.etag != "" && p.url == address && etag != "" && etag != p.etag {
			return again("the file changed while it was fetched")
		}
	case http.StatusOK:
		if p.size > 0 {
			if err := p.restart(); err != nil {
				return &setback{err: c.cache.failed("begin a file again", err)}
			}
		}
		if length >= 0 && length != p.want.Size {
			return trouble(host, p.want.Path, &badAnswer{host, fmt.Sprintf("the file has %d bytes there, not %d", length, p.want.Size)})
		}
	case http.StatusRequestedRangeNotSatisfiable:
		return again("it does not know the missing part of the file")
	default:
		return c.refusal(a, p.want.Path)
	}
	return c.named(a, p, address)
}

// named takes what the hub calls the content. Another content than the wanted one ends the download before its first byte.
func (c *Client) named(a *answer, p *partial, address string) *setback {
	linked := strings.Trim(a.hub.Get("X-Linked-Etag"), `"`)
	if hashName.MatchString(linked) && p.want.SHA256 != "" && linked != p.want.SHA256 {
		return &setback{err: mismatch(p.want.File, fmt.Errorf("the hub names the content %s", linked))}
	}
	if name := etagOf(a.hub); p.want.etag == "" && isBlob(name) {
		p.want.etag = name
	}
	if err := p.begun(address, strong(a.Header)); err != nil {
		return &setback{err: c.cache.failed("note the state of a file", err)}
	}
	return nil
}

// surplus reads on behind the end of the file where the answer did not say its length.
func surplus(a *answer) error {
	if a.ContentLength >= 0 {
		return nil
	}
	var more [1]byte
	if n, _ := io.ReadFull(a.Body, more[:]); n > 0 {
		return &badAnswer{a.Request.URL.Host, "it gave more bytes than it promised"}
	}
	return nil
}

// ended judges how the body came to its end.
func (c *Client) ended(ctx context.Context, p *partial, a *answer, err error) *setback {
	host := a.Request.URL.Host
	var disk *diskError
	var bad *badAnswer
	switch {
	case err == nil:
		return nil
	case errors.As(err, &disk):
		e := c.cache.failed("write "+p.want.Path, disk.err)
		if backend.CodeOf(e) == backend.CodeInsufficientDisk {
			e = c.noSpace(ctx, p.want.Size-p.size, e)
		}
		return &setback{err: e}
	case errors.As(err, &bad):
		if err := p.restart(); err != nil {
			return &setback{err: c.cache.failed("begin a file again", err)}
		}
	case errors.Is(err, io.EOF):
		err = &badAnswer{host, "it ended before the file did"}
	}
	return trouble(host, p.want.Path, because(ctx, err))
}

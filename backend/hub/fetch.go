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

// fetch downloads a file, whose lock is held, from the hub or else from a mirror, and adds it to the snapshot.
func (c *Client) fetch(ctx context.Context, j *job, t target) error {
	p, err := c.cache.openPartial(ctx, j.repo, t)
	if err != nil {
		return orCancelled(ctx, err)
	}
	j.setFileBytes(p.size)
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
		if !mirrorMayHelp(err) {
			first = err
			break
		}
		c.o.Log.InfoContext(ctx, "a hub could not deliver a file", "hub", base, "file", t.Path, "error", err)
	}
	if err != nil {
		p.stop()
		return first
	}
	j.meter.setStatus(Verifying, t.Path)
	sha := p.digest.sum()
	if err := p.finish(); err != nil {
		return c.cache.errFailed("finish a file", err)
	}
	stored, err := p.want.withSHA256(ctx, sha, p.name)
	if err != nil {
		return orCancelled(ctx, c.cache.errFailed("read a file again", err))
	}
	return c.cache.storeBlob(ctx, j.repo, j.commit, stored, p.name)
}

// mirrorMayHelp reports whether another hub may succeed after this error.
func mirrorMayHelp(err error) bool {
	switch backend.CodeOf(err) {
	case backend.CodeDownloadFailed, backend.CodeChecksumMismatch, backend.CodeHubRateLimited:
		return true
	default:
		return false
	}
}

// orCancelled returns ErrCancelled when ctx has ended, else err.
func orCancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	return err
}

// fetchFrom retries the download from one hub until the file is complete and verified.
func (c *Client) fetchFrom(ctx context.Context, j *job, p *partial, base string) error {
	highest := p.size
	gained := func() bool {
		more := p.size > highest
		highest = max(highest, p.size)
		return more
	}
	return c.retry(ctx, gained, j.meter.setRetry, func(ctx context.Context) *attemptError {
		j.meter.setStatus(Downloading, p.want.Path)
		if s := c.attempt(ctx, j, p, base); s != nil {
			return s
		}
		j.meter.setStatus(Verifying, p.want.Path)
		ok, err := p.verify(ctx)
		if err != nil {
			return &attemptError{err: c.cache.errFailed("read a file again", err)}
		}
		if ok {
			return nil
		}
		if err := p.restart(); err != nil {
			return &attemptError{err: c.cache.errFailed("remove a corrupt file", err)}
		}
		highest = 0
		return &attemptError{err: errMismatch(p.want.File, nil), retry: true, wrongContent: true}
	})
}

// attempt requests the missing bytes once. Nil means that the file has its full size.
func (c *Client) attempt(ctx context.Context, j *job, p *partial, base string) *attemptError {
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
	res, err := c.send(ctx, http.MethodGet, address, header, false)
	if err != nil {
		return c.connectionError(host, p.want.Path, stallCause(ctx, err))
	}
	defer func() { _ = res.Body.Close() }()
	if s := c.checkResponse(res, p, address); s != nil {
		return s
	}
	err = p.grow(res.Body, func(n int) {
		watch.Reset(c.o.Stall)
		j.meter.addFetched(n)
		j.setFileBytes(p.size)
	})
	if err == nil {
		err = checkEnd(res)
	}
	return c.bodyError(ctx, p, res, err)
}

// stallCause returns errStalled when that is why ctx was cancelled, else err.
func stallCause(ctx context.Context, err error) error {
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

// headSize is how much of a body is looked at to recognise a web page, in bytes.
const headSize = 512

// checkResponse checks status and headers before the first byte, and prepares the partial file for the body.
func (c *Client) checkResponse(res *response, p *partial, address string) *attemptError {
	// A page of the right size may be the file, whatever its name; its hash tells.
	if res.StatusCode == http.StatusOK && res.ContentLength != p.want.Size && isWebPage(res.Header, p.want.Path) {
		return webPage(res.Request.URL.Host, p.want.Path)
	}
	var wrong string
	switch res.StatusCode {
	case http.StatusPartialContent:
		wrong = wrongPart(res, p, address)
	case http.StatusOK:
		if p.size > 0 {
			if err := p.restart(); err != nil {
				return &attemptError{err: c.cache.errFailed("restart a file", err)}
			}
		}
		if n := res.ContentLength; n >= 0 && n != p.want.Size {
			host := res.Request.URL.Host
			head, _ := io.ReadAll(io.LimitReader(res.Body, headSize)) // without it the sizes say enough
			if beginsAsWebPage(head) {
				return webPage(host, p.want.Path)
			}
			return c.connectionError(host, p.want.Path, &protocolError{
				host: host,
				what: fmt.Sprintf("the file has %d bytes there, not %d", n, p.want.Size),
			})
		}
	case http.StatusRequestedRangeNotSatisfiable:
		wrong = "it does not have the missing part of the file"
	default:
		return c.statusError(res, p.want.Path)
	}
	if wrong != "" {
		return c.restart(res, p, wrong)
	}
	return c.checkNames(res, p, address)
}

// wrongPart returns why a partial response does not continue the file, "" when it does.
func wrongPart(res *response, p *partial, address string) string {
	start, end, total, ok := parseContentRange(res.Header.Get("Content-Range"))
	length := res.ContentLength
	if !ok || start != p.size || end != p.want.Size-1 || total >= 0 && total != p.want.Size || length >= 0 && length != end-start+1 {
		return "it sent another part of the file than the requested one"
	}
	if etag := strongETag(res.Header); p.etag != "" && p.url == address && etag != "" && etag != p.etag {
		return "the file changed during the download"
	}
	return ""
}

// restart empties the partial file and returns what was wrong with the response.
func (c *Client) restart(res *response, p *partial, what string) *attemptError {
	if err := p.restart(); err != nil {
		return &attemptError{err: c.cache.errFailed("restart a file", err)}
	}
	host := res.Request.URL.Host
	return c.connectionError(host, p.want.Path, &protocolError{host: host, what: what})
}

// checkNames takes over the hub's name of the content. When it names other content than the wanted one, the download fails before
// its first byte.
func (c *Client) checkNames(res *response, p *partial, address string) *attemptError {
	linked := strings.Trim(res.hub.Get("X-Linked-Etag"), `"`)
	if hashName.MatchString(linked) && p.want.SHA256 != "" && linked != p.want.SHA256 {
		return &attemptError{err: errMismatch(p.want.File, fmt.Errorf("the hub names the content %s", linked))}
	}
	if name := etagOf(res.hub); p.want.etag == "" && isBlob(name) {
		p.want.etag = name
	}
	if err := p.saveSource(address, strongETag(res.Header)); err != nil {
		return &attemptError{err: c.cache.errFailed("write the state of a file", err)}
	}
	return nil
}

// checkEnd reads beyond the end of the file when the response has no length.
func checkEnd(res *response) error {
	if res.ContentLength >= 0 {
		return nil
	}
	var more [1]byte
	if n, _ := io.ReadFull(res.Body, more[:]); n > 0 {
		return &protocolError{host: res.Request.URL.Host, what: "it sent more bytes than the file has"}
	}
	return nil
}

// bodyError returns the attemptError of a body that was not read completely.
func (c *Client) bodyError(ctx context.Context, p *partial, res *response, err error) *attemptError {
	host := res.Request.URL.Host
	var disk *diskError
	var bad *protocolError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &disk):
		e := c.cache.errFailed("write "+p.want.Path, disk.err)
		if backend.CodeOf(e) == backend.CodeInsufficientDisk {
			e = c.errNoSpace(ctx, p.want.Size-p.size, e)
		}
		return &attemptError{err: e}
	case errors.As(err, &bad):
		return c.restart(res, p, bad.what)
	case errors.Is(err, io.EOF):
		err = &protocolError{host: host, what: "the response ended before the file was complete"}
	}
	return c.connectionError(host, p.want.Path, stallCause(ctx, err))
}

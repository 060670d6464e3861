package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/voicewright/voicewright/backend"
)

const maxListing = 32 << 20 // bytes

// listed is a file of a listing.
type listed struct {
	path   string
	size   int64
	sha256 string // of files in large file storage
	blob   string // SHA-1 of the git blob, of the others
}

// listing is the list of files of a commit.
type listing struct {
	commit string
	files  []listed
}

// parseListing parses the response to /api/models/{id}/revision/{rev}?blobs=true. It skips files whose name is not valid on every
// system, or whose size or hash is invalid.
func parseListing(raw []byte) (listing, error) {
	var body struct {
		SHA      string `json:"sha"`
		Siblings []struct {
			Name   string `json:"rfilename"`
			Size   int64  `json:"size"`
			BlobID string `json:"blobId"`
			LFS    *struct {
				SHA256 string `json:"sha256"`
				Size   int64  `json:"size"`
			} `json:"lfs"`
		} `json:"siblings"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return listing{}, fmt.Errorf("read the listing: %w", err)
	}
	if !isCommit(body.SHA) {
		return listing{}, errors.New("the listing names no commit")
	}
	l := listing{commit: body.SHA}
	for _, s := range body.Siblings {
		f := listed{path: s.Name, size: s.Size, blob: s.BlobID}
		if s.LFS != nil {
			f.size, f.sha256, f.blob = s.LFS.Size, s.LFS.SHA256, ""
		}
		if f.usable() {
			l.files = append(l.files, f)
		}
	}
	return l, nil
}

// usable reports whether a file can be downloaded and stored.
func (f listed) usable() bool {
	return checkPath(f.path) == nil && f.size >= 0 && (f.sha256 == "" || hashName.MatchString(f.sha256)) &&
		(f.blob == "" || commitName.MatchString(f.blob))
}

// list returns the listing of a revision.
func (c *Client) list(ctx context.Context, repo, revision string, waits func(*Retry)) (listing, error) {
	address := fmt.Sprintf("%s/api/models/%s/revision/%s?blobs=true", c.o.Endpoint, repo, url.PathEscape(revision))
	var l listing
	err := c.request(ctx, http.MethodGet, address, "the list of files", waits, func(res *response) error {
		raw, err := io.ReadAll(io.LimitReader(res.Body, maxListing))
		if err != nil {
			return err
		}
		host := res.Request.URL.Host
		if l, err = parseListing(raw); err != nil && (isWebPage(res.Header, "") || beginsAsWebPage(raw)) {
			return webPage(host, "the list of files").err
		}
		if err != nil {
			return backend.E(backend.CodeDownloadFailed, "The hub's list of files is invalid.",
				"Try again later, or check HF_ENDPOINT.").With("host", host).WithCause(err)
		}
		return nil
	})
	return l, err
}

// head returns a target with the hub's name and size of its content, and the commit, from the headers of the file.
func (c *Client) head(ctx context.Context, repo, revision string, t target, waits func(*Retry)) (target, string, error) {
	var commit string
	err := c.request(ctx, http.MethodHead, resolveURL(c.o.Endpoint, repo, revision, t.Path), t.Path, waits, func(res *response) error {
		redirected := res.StatusCode/100 == 3
		if (redirected || isWebPage(res.Header, t.Path)) && res.hub.Get("X-Repo-Commit") == "" {
			return webPage(res.Request.URL.Host, t.Path).err
		}
		commit, t.etag = res.hub.Get("X-Repo-Commit"), etagOf(res.hub)
		length := res.hub.Get("X-Linked-Size")
		if length == "" {
			length = res.hub.Get("Content-Length")
		}
		if _, err := fmt.Sscan(length, &t.Size); err != nil || t.Size < 0 || !isBlob(t.etag) || !isCommit(commit) {
			return backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The hub does not report size and hash of %s.", t.Path),
				"Try again later, or check HF_ENDPOINT.").With("host", res.Request.URL.Host)
		}
		if hashName.MatchString(t.etag) {
			t.SHA256 = t.etag
		}
		return nil
	})
	return t, commit, err
}

// request sends a small request, with the retries and the time limit of downloads, and calls read with the response.
func (c *Client) request(ctx context.Context, method, address, what string, waits func(*Retry), read func(*response) error) error {
	return c.retry(ctx, func() bool { return false }, waits, func(ctx context.Context) *attemptError {
		limit, cancel := context.WithTimeoutCause(ctx, c.o.Stall, errStalled)
		defer cancel()
		res, err := c.send(limit, method, address, nil, method == http.MethodHead)
		if err != nil {
			return c.connectionError(hostOf(address), what, stallCause(limit, err))
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK && (method != http.MethodHead || res.StatusCode/100 != 3) {
			return c.statusError(res, what)
		}
		if err := read(res); err != nil {
			return c.connectionError(res.Request.URL.Host, what, stallCause(limit, err))
		}
		return nil
	})
}

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

const maxListing = 32 << 20 // bytes of a listing that we read

// listed is a file of a listing.
type listed struct {
	path   string
	size   int64
	sha256 string // of files in large file storage
	blob   string // SHA-1 of the git blob, of the others
}

// listing is what a commit holds.
type listing struct {
	commit string
	files  []listed
}

// parseListing reads the answer to /api/models/{id}/revision/{rev}?blobs=true. A file with a name that is not possible on
// every system, or of which nonsense is said, is left out, as if the repository did not have it.
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

// usable reports whether a file can be fetched and stored.
func (f listed) usable() bool {
	return checkPath(f.path) == nil && f.size >= 0 && (f.sha256 == "" || hashName.MatchString(f.sha256)) &&
		(f.blob == "" || commitName.MatchString(f.blob))
}

// list asks the endpoint once for all files of a revision.
func (c *Client) list(ctx context.Context, repo, revision string, waits func(*Retry)) (listing, error) {
	address := fmt.Sprintf("%s/api/models/%s/revision/%s?blobs=true", c.o.Endpoint, repo, url.PathEscape(revision))
	var l listing
	err := c.ask(ctx, http.MethodGet, address, "the list of files", waits, func(a *answer) error {
		raw, err := io.ReadAll(io.LimitReader(a.Body, maxListing))
		if err != nil {
			return err
		}
		if l, err = parseListing(raw); err != nil {
			return backend.E(backend.CodeDownloadFailed, "The hub's list of files is not usable.",
				"Try again later, or check HF_ENDPOINT.").With("host", a.Request.URL.Host).Because(err)
		}
		return nil
	})
	return l, err
}

// head asks the endpoint for one file: the commit, and the hub's own name and size of the content.
func (c *Client) head(ctx context.Context, repo, revision string, t target, waits func(*Retry)) (target, string, error) {
	var commit string
	err := c.ask(ctx, http.MethodHead, resolveURL(c.o.Endpoint, repo, revision, t.Path), t.Path, waits, func(a *answer) error {
		commit, t.etag = a.hub.Get("X-Repo-Commit"), etagOf(a.hub)
		length := a.hub.Get("X-Linked-Size")
		if length == "" {
			length = a.hub.Get("Content-Length")
		}
		if _, err := fmt.Sscan(length, &t.Size); err != nil || t.Size < 0 || !isBlob(t.etag) || !isCommit(commit) {
			return backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The hub does not say what %s is.", t.Path),
				"Try again later, or check HF_ENDPOINT.").With("host", a.Request.URL.Host)
		}
		if hashName.MatchString(t.etag) {
			t.SHA256 = t.etag
		}
		return nil
	})
	return t, commit, err
}

// ask sends a small request, with attempts and the stall limit of downloads, and lets read take the answer.
func (c *Client) ask(ctx context.Context, method, address, what string, waits func(*Retry), read func(*answer) error) error {
	return c.retry(ctx, func() bool { return false }, waits, func(ctx context.Context) *setback {
		limit, cancel := context.WithTimeoutCause(ctx, c.o.Stall, errStalled)
		defer cancel()
		a, err := c.send(limit, method, address, nil, method == http.MethodHead)
		if err != nil {
			return trouble(hostOf(address), what, because(limit, err))
		}
		defer func() { _ = a.Body.Close() }()
		if a.StatusCode != http.StatusOK && (method != http.MethodHead || a.StatusCode/100 != 3) {
			return c.refusal(a, what)
		}
		if err := read(a); err != nil {
			return trouble(a.Request.URL.Host, what, because(limit, err))
		}
		return nil
	})
}

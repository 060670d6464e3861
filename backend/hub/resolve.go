package hub

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
)

// resolve makes the revision a commit and every file a known one: by its pin, by what lies on this machine, else by one
// listing call, else, where a hub has no listing, by the header of each file.
func (c *Client) resolve(ctx context.Context, r Request, j *job) ([]target, error) {
	commit, known := r.Revision, isCommit(r.Revision)
	if !known && c.o.Offline() {
		commit, known = c.cache.commit(r)
	}
	targets := make([]target, len(r.Files))
	for i, f := range r.Files {
		targets[i] = target{File: f}
		if known {
			targets[i] = c.cache.identify(r.Repo, commit, targets[i])
		}
		known = known && targets[i].known()
	}
	if known {
		j.commit = commit
		return targets, nil
	}
	l, err := c.list(ctx, r.Repo, r.Revision, j.meter.waits)
	if err != nil {
		if !noListing(err) {
			return nil, err
		}
		return targets, c.heads(ctx, r, j, targets)
	}
	j.commit = l.commit
	for i, t := range targets {
		if targets[i], err = l.fill(t); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// noListing reports whether a hub answered that it has no such call, rather than no such repository.
func noListing(err error) bool {
	params := backend.AsError(err).Params
	switch params["status"] {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return params["code"] == ""
	default:
		return false
	}
}

func (c *Client) heads(ctx context.Context, r Request, j *job, targets []target) error {
	for i, t := range targets {
		if t.known() && isCommit(r.Revision) {
			j.commit = r.Revision
			continue
		}
		pin := t.File
		t, commit, err := c.head(ctx, r.Repo, r.Revision, t, j.meter.waits)
		if err != nil {
			return err
		}
		if pin.SHA256 != "" {
			t.File = pin
		}
		if isCommit(r.Revision) {
			commit = r.Revision
		}
		if j.commit != "" && j.commit != commit {
			return backend.E(backend.CodeDownloadFailed, "The repository changed while it was looked at.", "Try again.")
		}
		j.commit, targets[i] = commit, t
	}
	return nil
}

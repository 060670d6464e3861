package hub

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
)

// resolve finds the commit of the revision and the hash of every file: from pins and local caches, else from one listing of
// the hub, else, where a hub has no listings, from the headers of each file.
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
	if r.NoListing {
		return targets, c.heads(ctx, r, j, targets)
	}
	l, err := c.list(ctx, r.Repo, r.Revision, j.meter.setRetry)
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

// noListing reports whether a hub has no listings at all, rather than not this repository.
func noListing(err error) bool {
	params := backend.AsError(err).Params
	switch params["status"] {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return params["code"] == ""
	default:
		return false
	}
}

// heads fills in the targets from the headers of each file, and sets the commit of the job.
func (c *Client) heads(ctx context.Context, r Request, j *job, targets []target) error {
	for i, t := range targets {
		if t.known() && isCommit(r.Revision) {
			j.commit = r.Revision
			continue
		}
		pin := t.File
		t, commit, err := c.head(ctx, r.Repo, r.Revision, t, j.meter.setRetry)
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
			return backend.E(backend.CodeDownloadFailed, "The repository changed during the download.", "Try again.")
		}
		j.commit, targets[i] = commit, t
	}
	return nil
}

package hub

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// target is a file to download, with what is known of its content.
type target struct {
	File
	etag string // the hub's own name of the content, "" while unknown
}

// known reports whether the content can be identified by its hash.
func (t target) known() bool { return t.SHA256 != "" || isBlob(t.etag) }

// key returns the name of the content's partial file and lock.
func (t target) key() string {
	if t.SHA256 != "" {
		return t.SHA256
	}
	return t.etag
}

// blob returns the name of the content in the standard layout: the hub's own name where it is known.
func (t target) blob() string {
	if isBlob(t.etag) {
		return t.etag
	}
	return t.SHA256
}

// withSHA256 returns the target with the SHA-256 of its content, which is in the named file. A hub's name that belongs to other
// content is removed: a file stored under it would replace another one.
func (t target) withSHA256(ctx context.Context, sha, name string) (target, error) {
	proved := t.SHA256 == "" && commitName.MatchString(t.etag) // then the file was found by that name
	t.SHA256 = sha
	switch {
	case proved || t.etag == sha:
		return t, nil
	case commitName.MatchString(t.etag):
		d := newDigest(target{File: File{Size: t.Size}, etag: t.etag})
		if _, err := files.Read(ctx, name, d); err != nil {
			return t, err
		}
		if d.matches(target{etag: t.etag}) {
			return t, nil
		}
	}
	t.etag = ""
	return t, nil
}

// fill returns a target with its size and hashes from the listing. Error: download_failed when the listing lacks the file.
func (l listing) fill(t target) (target, error) {
	for _, f := range l.files {
		if f.path != t.Path {
			continue
		}
		t.etag = f.blob
		if f.sha256 != "" {
			t.etag = f.sha256
		}
		if t.SHA256 == "" {
			t.Size, t.SHA256 = f.size, f.sha256
		}
		if t.known() {
			return t, nil
		}
	}
	return t, backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The hub does not have %s.", t.Path),
		"Update Voicewright, or choose another model.").With("file", t.Path).With("code", "EntryNotFound").With("reason", "gone")
}

package hub

import (
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// File is a file of a repository.
type File struct {
	Path   string // with forward slashes, below the repository
	Size   int64  // bytes; 0 without a SHA-256 means unknown
	SHA256 string // 64 hexadecimal digits; "" means unknown: then the hub's own name of the content is verified
}

// Request is a set of files that belong together: they are stored side by side, as a graph and its external data must be.
type Request struct {
	Repo     string   // owner/name
	Revision string   // commit of 40 hexadecimal digits, or a branch or tag
	Files    []File   // at least one
	Mirrors  []string // hubs to try after the client's own, for pinned files only
	MaxBytes int64    // limit for all files together, checked before the download; 0: no limit

	NoListing bool // read size and hash from the headers of each file: for few files of a large repository
}

func (r Request) check() error {
	err := checkRepo(r.Repo, r.Revision)
	if len(r.Files) == 0 {
		err = errors.Join(err, errors.New("the request has no files"))
	}
	for _, f := range r.Files {
		err = errors.Join(err, checkPath(f.Path))
		if f.SHA256 != "" && (!hashName.MatchString(f.SHA256) || f.Size < 0) {
			err = errors.Join(err, fmt.Errorf("the pin of %q is invalid", f.Path))
		}
	}
	if err == nil {
		return nil
	}
	return backend.E(backend.CodeDownloadFailed, "The file names of this model are not safe.",
		"Do not use this model.").WithCause(err)
}

// names reports whether the request has an unpinned file with that path.
func (r Request) names(path string) bool {
	for _, f := range r.Files {
		if f.SHA256 == "" && f.Path == path {
			return true
		}
	}
	return false
}

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

// Request names files that belong together: they are placed so that a graph and its external data are found side by side.
type Request struct {
	Repo     string   // owner/name
	Revision string   // commit of 40 hexadecimal digits, or a branch or tag
	Files    []File   // at least one
	Mirrors  []string // hubs that are asked after the client's own, for pinned files only
	MaxBytes int64    // of all files, more is refused before it is fetched; 0: any number
}

func (r Request) check() error {
	err := checkRepo(r.Repo, r.Revision)
	if len(r.Files) == 0 {
		err = errors.Join(err, errors.New("no files were named"))
	}
	for _, f := range r.Files {
		err = errors.Join(err, checkPath(f.Path))
		if f.SHA256 != "" && (!hashName.MatchString(f.SHA256) || f.Size < 0) {
			err = errors.Join(err, fmt.Errorf("the pin of %q is not readable", f.Path))
		}
	}
	if err == nil {
		return nil
	}
	return backend.E(backend.CodeDownloadFailed, "The files of this model are not named in a safe way.",
		"Do not use this model.").Because(err)
}

// names reports whether an unpinned file of that path is asked for.
func (r Request) names(path string) bool {
	for _, f := range r.Files {
		if f.SHA256 == "" && f.Path == path {
			return true
		}
	}
	return false
}

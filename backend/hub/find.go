package hub

import (
	"context"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend/files"
)

// localFile is a local file with the wanted content.
type localFile struct {
	name   string // the real file, not a link
	shared bool   // it belongs to the shared cache of another program
	inside bool   // it is in its snapshot already
	sha    string
}

// identify returns a target that is not pinned with the name and size of the blob to which its snapshot entry links in a
// local cache.
func (c *Cache) identify(repo, commit string, t target) target {
	if t.known() {
		return t
	}
	for _, dir := range c.dirs() {
		name, err := filepath.EvalSymlinks(entryPath(dir, repo, commit, t.Path))
		if err != nil || !isBlob(filepath.Base(name)) {
			continue
		}
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			t.etag, t.Size = filepath.Base(name), info.Size()
			return t
		}
	}
	return t
}

// entryPath returns the path of a file in a snapshot of the cache in dir.
func entryPath(dir, repo, commit, path string) string {
	return filepath.Join(dir, repoDir(repo), "snapshots", commit, filepath.FromSlash(path))
}

// find searches this cache and the shared one for the wanted content, and hashes what it finds. hashed is called with the number
// of bytes of each read. The second result is false when the file has to be downloaded.
func (c *Cache) find(ctx context.Context, repo, commit string, t target, hashed func(n int)) (localFile, bool, error) {
	if f, ok := c.verified(repo, commit, t.File); ok && t.SHA256 != "" {
		real, err := filepath.EvalSymlinks(c.file(repo, commit, t.Path))
		return localFile{name: real, shared: err == nil && c.isShared(real), inside: true, sha: f.SHA256}, true, nil
	}
	var names []string
	for _, dir := range c.dirs() {
		names = append(names, candidates(dir, repo, commit, t)...)
	}
	tried := map[string]bool{}
	for _, name := range append(names, c.sameContent(repo, t)...) {
		real, err := filepath.EvalSymlinks(name)
		if err != nil || tried[real] {
			continue
		}
		tried[real] = true
		info, err := os.Stat(real)
		if err != nil || !info.Mode().IsRegular() || info.Size() != t.Size {
			continue
		}
		d := newDigest(t)
		_, err = files.Read(ctx, real, tee{d, hashed})
		if ctx.Err() != nil {
			return localFile{}, false, ctx.Err()
		}
		if err == nil && d.matches(t) {
			inside := name == c.file(repo, commit, t.Path)
			return localFile{name: real, shared: c.isShared(real), inside: inside, sha: d.sum()}, true, nil
		}
	}
	return localFile{}, false, nil
}

// sameContent returns the verified files of the repository that have the wanted content under another path or commit. No blob
// has the name of the content where symbolic links are impossible or the hub names it otherwise.
func (c *Cache) sameContent(repo string, t target) []string {
	if t.SHA256 == "" {
		return nil
	}
	var out []string
	for _, commit := range c.verifiedCommits(repo) {
		for _, path := range c.recorded(repo, commit) {
			if r, ok := c.readRecord(repo, commit, path); ok && r.SHA256 == t.SHA256 {
				out = append(out, c.file(repo, commit, path))
			}
		}
	}
	return out
}

// candidates returns the paths at which the cache in dir may have the content.
func candidates(dir, repo, commit string, t target) []string {
	names := []string{entryPath(dir, repo, commit, t.Path)}
	for _, key := range []string{t.SHA256, t.etag} {
		if isBlob(key) {
			names = append(names, filepath.Join(dir, repoDir(repo), "blobs", key))
		}
	}
	return names
}

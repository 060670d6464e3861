package hub

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	repoName   = regexp.MustCompile(`^[A-Za-z0-9_][\w.-]{0,95}(/[A-Za-z0-9_][\w.-]{0,95})?$`)
	commitName = regexp.MustCompile(`^[0-9a-f]{40}$`)
	hashName   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	refName    = regexp.MustCompile(`^[A-Za-z0-9_][\w.-]*(/[A-Za-z0-9_][\w.-]*)*$`)
)

// isCommit reports whether a revision is a commit: 40 hexadecimal digits.
func isCommit(revision string) bool { return commitName.MatchString(revision) }

// isBlob reports whether an etag is a hash of content: a SHA-256, or the SHA-1 of a git blob.
func isBlob(etag string) bool { return commitName.MatchString(etag) || hashName.MatchString(etag) }

// checkRepo rejects names of repositories and revisions that are not valid or would leave the repository's folder.
func checkRepo(repo, revision string) error {
	if !repoName.MatchString(repo) || strings.Contains(repo, "--") || strings.Contains(repo, "..") {
		return fmt.Errorf("%q is not a valid repository name", repo)
	}
	if !refName.MatchString(revision) || strings.Contains(revision, "..") || len(revision) > 255 {
		return fmt.Errorf("%q is not a valid revision", revision)
	}
	return nil
}

// checkPath accepts a relative path with forward slashes that is valid on every system: no traversal, drive or stream names,
// control characters, reserved device names, trailing dots or spaces.
func checkPath(name string) error {
	bad := func(why string) error { return fmt.Errorf("the file name %q %s", name, why) }
	switch {
	case name == "" || len(name) > 1024:
		return bad("is empty or too long")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return bad("has characters that are not allowed")
	case strings.ContainsAny(name, `\:*?"<>|`):
		return bad("has characters that are not allowed")
	case path.IsAbs(name) || path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name)):
		return bad("leaves its folder")
	}
	for part := range strings.SplitSeq(name, "/") {
		if !portable(part) {
			return bad("is not possible on every system")
		}
	}
	return nil
}

var deviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$`)

// portable reports whether a part of a path is a valid name on every system.
func portable(part string) bool {
	return len(part) <= 255 && !strings.HasSuffix(part, ".") && !strings.HasSuffix(part, " ") && !deviceName.MatchString(part)
}

// repoDir is the folder of a repository in the standard layout.
// repoPrefix begins the names of the folders of repositories.
const repoPrefix = "models--"

func repoDir(repo string) string { return repoPrefix + strings.ReplaceAll(repo, "/", "--") }

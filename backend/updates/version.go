package updates

import (
	"cmp"
	"regexp"
	"strings"
)

// numbered matches a version of Semantic Versioning 2.0.0, with or without v.
var numbered = regexp.MustCompile(`^v?(0|[1-9]\d{0,17})\.(0|[1-9]\d{0,17})\.(0|[1-9]\d{0,17})` +
	`(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$`)

// between matches what git and Go write behind the number of a build that is no release: the commits since then, local changes, the
// time of the commit.
var between = regexp.MustCompile(`(-\d+-g[0-9a-f]{4,40}|-dirty|\d{14}-[0-9a-f]{12})(\+.*)?$`)

// version is the number of a release: what semver calls major, minor and patch, and the identifiers of a pre-release.
type version struct {
	numbers [3]string
	before  []string // none for a release
}

// parseVersion parses a version; ok is false for what has no number that can be compared.
func parseVersion(s string) (v version, ok bool) {
	m := numbered.FindStringSubmatch(s)
	if m == nil || between.MatchString(s) {
		return v, false
	}
	copy(v.numbers[:], m[1:4])
	if m[4] == "" {
		return v, true
	}
	v.before = strings.Split(m[4], ".")
	for _, id := range v.before {
		if id == "" || isNumber(id) && len(id) > 1 && id[0] == '0' {
			return v, false
		}
	}
	return v, true
}

// compareTo returns how the newest release is related to a program of this version.
func compareTo(current string, newest version) Status {
	own, ok := parseVersion(current)
	switch {
	case !ok:
		return Unknown
	case own.compare(newest) < 0:
		return Newer
	default:
		return Current
	}
}

// compare returns a negative number where v is lower than w, a positive one where it is higher, by section 11 of semver.
func (v version) compare(w version) int {
	for i := range v.numbers {
		if c := compareNumbers(v.numbers[i], w.numbers[i]); c != 0 {
			return c
		}
	}
	if len(v.before) == 0 || len(w.before) == 0 {
		return cmp.Compare(len(w.before), len(v.before)) // a release is higher than what came before it
	}
	for i := range min(len(v.before), len(w.before)) {
		if c := compareIdentifiers(v.before[i], w.before[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(v.before), len(w.before))
}

func compareIdentifiers(a, b string) int {
	switch {
	case isNumber(a) && isNumber(b):
		return compareNumbers(a, b)
	case isNumber(a):
		return -1
	case isNumber(b):
		return 1
	default:
		return cmp.Compare(a, b)
	}
}

// compareNumbers compares digits without zeros at their start.
func compareNumbers(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

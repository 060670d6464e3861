package filename

import "strings"

// maxPlain is the length of the paths that every function of Windows accepts, with room for the name of a file, in bytes.
const maxPlain = 240

// Long returns an absolute path as libraries in C open it on a system, such as "windows": there, a long one needs a prefix, which Go's own
// functions add by themselves.
func Long(system, path string) string {
	if system != "windows" || len(path) < maxPlain || strings.HasPrefix(path, `\\?\`) {
		return path
	}
	path = strings.ReplaceAll(path, "/", `\`)
	if share, ok := strings.CutPrefix(path, `\\`); ok {
		return `\\?\UNC\` + share
	}
	return `\\?\` + path
}

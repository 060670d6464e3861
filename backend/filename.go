package backend

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reservedName matches what Windows takes for a device, whatever ending follows.
var reservedName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)`)

// percentEncoded matches a character as addresses write it: a program that decodes a name twice would read a slash of it.
var percentEncoded = regexp.MustCompile(`%([0-9A-Fa-f]{2})`)

// maxFileNameBytes is how long a name may be. File systems take 255 bytes; the rest is for a number and the extension.
const maxFileNameBytes = 200

// FileName returns a name for a file, without extension, that every system accepts and that stays in its folder, otherwise
// where nothing is left of the wanted one.
func FileName(wanted, otherwise string) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '-'
		}
		return r
	}, wanted)
	name = strings.TrimLeft(percentEncoded.ReplaceAllString(name, "-$1"), " .-")
	name = strings.TrimRight(FirstBytes(name, maxFileNameBytes), " .-")
	if reservedName.MatchString(name) {
		name = "_" + name
	}
	if name == "" {
		return otherwise
	}
	return name
}

// FirstBytes returns the start of a string, at most n bytes, in whole characters.
func FirstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// FileNames are the names of files in one folder, in lower case, each with the number of the last name that was made of it.
type FileNames map[string]int

// Unique returns the wanted name, numbered if it was used before, and uses it. Case is ignored, as some systems do.
func (f FileNames) Unique(wanted string) string {
	first := strings.ToLower(wanted)
	ext := filepath.Ext(wanted)
	name := wanted
	for used := f[first] > 0; used; used = f[strings.ToLower(name)] > 0 {
		f[first]++
		name = strings.TrimSuffix(wanted, ext) + " " + strconv.Itoa(f[first]) + ext
	}
	f[strings.ToLower(name)] = max(1, f[strings.ToLower(name)])
	return name
}

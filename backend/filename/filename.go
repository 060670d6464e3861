// Package filename makes names for files that every system accepts.
package filename

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/printable"
)

// reservedName matches what Windows takes for a device, whatever ending follows.
var reservedName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)`)

// IsDevice reports whether Windows takes a name, without its folder, for a device.
func IsDevice(name string) bool { return reservedName.MatchString(name) }

// percentEncoded matches a character as addresses write it: a program that decodes a name twice would read a slash of it.
var percentEncoded = regexp.MustCompile(`%([0-9A-Fa-f]{2})`)

// maxBytes is how long a name may be. File systems take 255 bytes; the rest is for a number and the extension.
const maxBytes = 200

// forbidden are the characters that some system allows in no name.
const forbidden = `<>:"/\|?*`

// replace returns a name without what some system forbids in it: characters of forbidden, and those that refused reports, become r.
func replace(name string, r rune, refused func(rune) bool) string {
	return strings.Map(func(c rune) rune {
		if refused(c) || strings.ContainsRune(forbidden, c) {
			return r
		}
		return c
	}, name)
}

// Safe returns a name for a file, without extension, that every system accepts and that stays in its folder, otherwise
// where nothing is left of the wanted one. It is for files that are written without a question; Suggested is for those that a person
// names.
func Safe(wanted, otherwise string) string {
	name := replace(wanted, '-', func(r rune) bool { return !unicode.IsPrint(r) })
	name = strings.TrimLeft(percentEncoded.ReplaceAllString(name, "-$1"), " .-")
	name = strings.TrimRight(printable.FirstBytes(name, maxBytes), " .-")
	if IsDevice(name) {
		name = "_" + name
	}
	if name == "" {
		return otherwise
	}
	return name
}

// maxSuggested is how many characters a suggested name has.
const maxSuggested = 60

// Suggested returns a name for a file, without extension, that a dialog offers to a person, who sees and may change it: a title in
// one line, with blanks for what file systems do not allow, otherwise where nothing is left. Unlike Safe it keeps the names of
// devices and what the dialog checks itself.
func Suggested(title, otherwise string) string {
	name := replace(title, ' ', func(r rune) bool { return r < ' ' || r == 0x7f })
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	if runes := []rune(name); len(runes) > maxSuggested {
		name = strings.Trim(string(runes[:maxSuggested]), ". ")
	}
	return cmp.Or(name, otherwise)
}

// Names are the names of files in one folder, in lower case, each with the number of the last name that was made of it.
type Names map[string]int

// Unique returns the wanted name, numbered if it was used before, and uses it. Case is ignored, as some systems do.
func (f Names) Unique(wanted string) string {
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

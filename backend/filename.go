package backend

import (
	"regexp"
	"strings"
	"unicode"
)

// reservedName matches what Windows takes for a device, whatever ending follows.
var reservedName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)`)

// percentEncoded matches a character as addresses write it: a program that decodes a name twice would read a slash of it.
var percentEncoded = regexp.MustCompile(`%([0-9A-Fa-f]{2})`)

// FileName returns a name for a file, without extension, that every system accepts and that stays in its folder, otherwise
// where nothing is left of the wanted one.
func FileName(wanted, otherwise string) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '-'
		}
		return r
	}, wanted)
	name = strings.Trim(percentEncoded.ReplaceAllString(name, "-$1"), " .-")
	if reservedName.MatchString(name) {
		name = "_" + name
	}
	if name == "" {
		return otherwise
	}
	return name
}

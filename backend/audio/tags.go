package audio

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// ffmetadata returns tags in the file format of ffmpeg.
func ffmetadata(tags []tag) string {
	var out strings.Builder
	out.WriteString(";FFMETADATA1\n")
	escape := strings.NewReplacer(`\`, `\\`, "=", `\=`, ";", `\;`, "#", `\#`)
	for _, t := range tags {
		out.WriteString(t.key + "=" + escape.Replace(t.value) + "\n")
	}
	return out.String()
}

// tag is one piece of metadata.
type tag struct{ key, value string }

// cleanTags returns tags in the order of their names, with valid names and without control characters in their values.
func cleanTags(meta map[string]string) ([]tag, error) {
	name := regexp.MustCompile(`^[a-z][a-z_]{0,30}$`)
	var tags []tag
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if !name.MatchString(key) {
			return nil, fmt.Errorf("encode: %q is no name for metadata", key)
		}
		value := strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7F {
				return ' '
			}
			return r
		}, meta[key])
		if value = strings.TrimSpace(value); value != "" {
			tags = append(tags, tag{key, strings.ToValidUTF8(value, "?")})
		}
	}
	return tags, nil
}

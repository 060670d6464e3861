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
	for _, t := range tags {
		out.WriteString(t.String() + "\n")
	}
	return out.String()
}

// tag is one piece of metadata.
type tag struct{ key, value string }

// String returns the tag as a line of ffmpeg's file format.
func (t tag) String() string {
	return t.key + "=" + strings.NewReplacer(`\`, `\\`, "=", `\=`, ";", `\;`, "#", `\#`).Replace(t.value)
}

// cleanTags returns tags in the order of their names, with valid names and without control characters in their values.
func cleanTags(meta map[string]string) ([]tag, error) {
	name := regexp.MustCompile(`^[a-z][a-z_]{0,30}$`)
	var tags []tag
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		if !name.MatchString(key) {
			return nil, fmt.Errorf("encode: %q is no name for metadata", key)
		}
		if value := cleanTag(meta[key]); value != "" {
			tags = append(tags, tag{key, value})
		}
	}
	return tags, nil
}

// cleanTag returns a value without control characters.
func cleanTag(value string) string {
	value = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, value)
	return strings.ToValidUTF8(strings.TrimSpace(value), "?")
}

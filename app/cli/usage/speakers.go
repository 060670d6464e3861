package usage

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	mostSpeakers = 100 // in a transcript
	longestName  = 100 // characters of the name of one
)

// Speakers returns the fields of a request that finds speakers: auto, channels, off or their number.
func Speakers(flag string) (map[string]any, error) {
	switch mode := strings.ToLower(strings.TrimSpace(flag)); mode {
	case "":
		return map[string]any{"mode": "auto"}, nil
	case "auto", "channels", "off":
		return map[string]any{"mode": mode}, nil
	default:
		n, err := strconv.Atoi(mode)
		if err != nil || n < 1 || n > mostSpeakers {
			return nil, Errorf("--speakers %q must be auto, channels, off or a number from 1 to %d", flag, mostSpeakers)
		}
		return map[string]any{"mode": "number", "count": n}, nil
	}
}

// Names returns the names in a list with commas; an empty one keeps the name that a speaker has.
func Names(flag string) ([]string, error) {
	if strings.TrimSpace(flag) == "" {
		return nil, nil
	}
	names := strings.Split(flag, ",")
	for i, name := range names {
		if names[i] = strings.TrimSpace(name); utf8.RuneCountInString(names[i]) > longestName {
			return nil, Errorf("the name %q has more than %d characters", names[i], longestName)
		}
	}
	return names, nil
}

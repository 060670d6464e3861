package settings

import (
	"math"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosts"
	"github.com/voicewright/voicewright/backend/shortcut"
)

var modelPattern = regexp.MustCompile(`^[a-z0-9._-]{1,64}$`)

func checkModel(v string) string {
	if !modelPattern.MatchString(v) {
		return "Input should be the name of a model, such as whisper-base"
	}
	return ""
}

var voicePattern = regexp.MustCompile(`^[a-z0-9._-]{1,64}:.{1,100}$`)

func checkVoice(v string) string {
	if !voicePattern.MatchString(v) {
		return "Input should be " + backend.VoiceForm
	}
	return ""
}

func checkLimit(v string) string {
	if n, err := strconv.ParseFloat(v, 64); err != nil || !(n >= 0 && n <= 1) {
		return "Input should be a number from 0 to 1, such as 0.15"
	}
	return ""
}

func checkHours(v string) string {
	if n, err := strconv.ParseFloat(v, 64); err != nil || !(n > 0 && n <= 1000) {
		return "Input should be a number of hours above 0, up to 1000, such as 48"
	}
	return ""
}

func checkShortcut(v string) string {
	if _, err := shortcut.Parse(v); err != nil {
		return "Input should be a shortcut such as Ctrl+Alt+Space: " + err.Error()
	}
	return ""
}

func checkShortcutOrNone(v string) string {
	if v == "" {
		return ""
	}
	return checkShortcut(v)
}

var addressPattern = regexp.MustCompile(`^(\[[0-9a-fA-F:.]+\]|[0-9A-Za-z.-]+):([0-9]{1,5})$`)

func checkAddress(v string) string {
	parts := addressPattern.FindStringSubmatch(v)
	if parts == nil {
		return "Input should be HOST:PORT"
	}
	if _, err := strconv.ParseUint(parts[2], 10, 16); err != nil {
		return "Input should be HOST:PORT with a port up to 65535"
	}
	return ""
}

func checkOrigins(v string) string {
	for _, origin := range words(v) {
		if _, ok := hosts.PlainOrigin(origin); !ok {
			return "Input should be addresses such as https://page.example, without a path. This is not one: " + origin
		}
	}
	return ""
}

func checkHosts(v string) string {
	for _, host := range words(v) {
		if _, _, ok := hosts.Split(host); !ok {
			return "Input should be names such as studio.example or studio.example:8080. This is not one: " + host
		}
	}
	return ""
}

// words returns the parts of a value, which spaces or commas separate.
func words(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func checkDir(v string) string {
	if v != "" && !filepath.IsAbs(v) {
		return "Input should be an absolute path, or empty"
	}
	return ""
}

func checkURL(v string) string {
	u, err := url.Parse(v)
	switch {
	case v == "":
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "Input should be an http or https address"
	case u.Scheme == "http" && !hosts.IsLoopback(u.Hostname()):
		return "Input should begin with https://; http is accepted only for this machine, such as http://127.0.0.1:9000"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "Input should be an address without a user name, ? or #"
	}
	return ""
}

// checkLogin returns a check of a member of backend.Login, which may be empty.
func checkLogin(check func(string) string) func(string) string {
	return func(v string) string {
		if should := check(v); v != "" && should != "" {
			return "Input " + should + ", or empty"
		}
		return ""
	}
}

func checkCredits(v string) string {
	if n, err := strconv.ParseFloat(v, 64); err != nil || n < 0 || n != math.Trunc(n) || n > 1e12 {
		return "Input should be a whole number of credits, 0 for never"
	}
	return ""
}

// parseDuration also accepts 0 and -1.
func parseDuration(v string) (time.Duration, error) {
	if v == "-1" {
		return -1, nil
	}
	return time.ParseDuration(v)
}

func checkIdle(v string) string {
	if d, err := parseDuration(v); err != nil || d < -1 {
		return "Input should be a duration such as 10m, 0 for immediately or -1 for never"
	}
	return ""
}

func checkRetention(v string) string {
	if d, err := parseDuration(v); err != nil || (d != -1 && d < time.Hour) {
		return "Input should be a duration of at least 1h, or -1 for forever"
	}
	return ""
}

// longestPause is the longest pause that can be set.
const longestPause = 10 * time.Second

func checkPause(v string) string {
	if d, err := parseDuration(v); err != nil || d < 0 || d > longestPause {
		return "Input should be a duration from 0 to 10s, such as 350ms"
	}
	return ""
}

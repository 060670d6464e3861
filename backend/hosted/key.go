package hosted

import (
	"regexp"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// The start that every API key has, and how many characters after it may be shown.
const (
	keyStart    = "svc_sk_"
	shownOfKey  = 4
	longestKey  = 512
	keyExpected = "Input should be an API key of the hosted service: svc_sk_ followed by letters, digits, - and _"
)

var keyForm = regexp.MustCompile(`^` + keyStart + `[A-Za-z0-9_-]+=*$`)

// parseKey returns a key without the blanks around it. Errors: validation.
func parseKey(given string) (string, error) {
	key := strings.TrimSpace(given)
	if len(key) > longestKey || !keyForm.MatchString(key) {
		return "", backend.Invalid("string_pattern_mismatch", keyExpected, "body", "key")
	}
	return key, nil
}

// prefixOf returns the part of a key that may be shown; never more than a third of the secret.
func prefixOf(key string) string {
	secret := len(key) - len(keyStart)
	return key[:len(keyStart)+min(shownOfKey, secret/3)]
}

package identity

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4/json"
)

// emailVerified reports whether `email` counts as the address of the user: unless the issuer says that nobody checked it. Many
// issuers say nothing, and some say it as a text or a number.
func (c claims) emailVerified() bool {
	raw, ok := c["email_verified"]
	if !ok {
		return true
	}
	var said any
	if json.Unmarshal(raw, &said) != nil {
		return false
	}
	switch v := said.(type) {
	case nil:
		return true
	case bool:
		return v
	case string:
		return strings.EqualFold(v, "true") || v == "1"
	case float64:
		return v == 1
	}
	return false
}

// groups returns the groups in a claim: a string, the strings of a list, or the names in an object, as Zitadel has roles, except those
// that it denies. A name that no claim has leads into objects at its points: realm_access.roles.
func (c claims) groups(name string) []string {
	raw, ok := c.at(name)
	if !ok {
		return nil
	}
	var claim any
	if json.Unmarshal(raw, &claim) != nil {
		return nil
	}
	switch v := claim.(type) {
	case string:
		return []string{v}
	case []any:
		var groups []string
		for _, item := range v {
			if group, ok := item.(string); ok {
				groups = append(groups, group)
			}
		}
		return groups
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, value any) bool { return denies(value) })
		return slices.Sorted(maps.Keys(v))
	}
	return nil
}

// denies reports whether the value of a group in an object says that the user is not in it.
func denies(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return strings.EqualFold(v, "false")
	case float64:
		return v == 0
	}
	return false
}

// at returns the claim of a name. Names of claims may have points too, as those that are URLs do, so the longest one that is there
// counts.
func (c claims) at(name string) (json.RawMessage, bool) {
	if raw, ok := c[name]; ok {
		return raw, true
	}
	for end := strings.LastIndexByte(name, '.'); end > 0; end = strings.LastIndexByte(name[:end], '.') {
		raw, ok := c[name[:end]]
		var inner claims
		if ok && json.Unmarshal(raw, &inner) == nil {
			return inner.at(name[end+1:])
		}
	}
	return nil, false
}

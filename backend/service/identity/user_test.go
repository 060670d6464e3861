package identity_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/identity"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

func TestEmailVerified(t *testing.T) {
	issuer := identitytest.New(t)
	v, err := identity.New(t.Context(), identity.Options{Issuer: issuer.URL, Audience: identitytest.Audience})
	require.NoError(t, err)
	defer v.Close()
	for _, c := range []struct {
		claim    any
		verified bool
	}{
		{nil, true},
		{json.RawMessage("null"), true},
		{true, true},
		{false, false},
		{"true", true},
		{"True", true},
		{"false", false},
		{"FALSE", false},
		{"", false},
		{"no", false},
		{"1", true},
		{"0", false},
		{1, true},
		{0, false},
		{[]bool{true}, false},
		{map[string]any{"email": true}, false},
	} {
		id, err := v.Verify(t.Context(), issuer.Token("ann", map[string]any{"email": "ann@example.org", "email_verified": c.claim}))
		require.NoError(t, err)
		require.Equal(t, "ann@example.org", id.Email)
		require.Equal(t, c.verified, !id.EmailUnverified, "%v", c.claim)
	}
}

// TestGroups has the shapes in which issuers write groups and roles.
func TestGroups(t *testing.T) {
	issuer := identitytest.New(t)
	for name, c := range map[string]struct {
		claim  string
		claims map[string]any
		want   []string
	}{
		"list":              {"groups", map[string]any{"groups": []string{"a", "b c", "/team"}}, []string{"a", "b c", "/team"}},
		"string":            {"groups", map[string]any{"groups": "team, and more"}, []string{"team, and more"}},
		"object":            {"urn:zitadel:iam:org:project:roles", map[string]any{"urn:zitadel:iam:org:project:roles": map[string]any{"b": map[string]string{"1": "x.y"}, "a": true}}, []string{"a", "b"}},
		"denied groups":     {"groups", map[string]any{"groups": map[string]any{"a": false, "b": nil, "c": "False", "d": 0, "e": true, "f": "", "g": map[string]any{}, "h": 1}}, []string{"e", "f", "g", "h"}},
		"all denied":        {"realm.groups", map[string]any{"realm": map[string]any{"groups": map[string]any{"team": false, "x": nil}}}, nil},
		"nested":            {"realm_access.roles", map[string]any{"realm_access": map[string]any{"roles": []string{"team"}}}, []string{"team"}},
		"deeper":            {"a.b.c", map[string]any{"a": map[string]any{"b": map[string]any{"c": []string{"x"}}}}, []string{"x"}},
		"name with points":  {"https://example.org/groups", map[string]any{"https://example.org/groups": []string{"x"}}, []string{"x"}},
		"points in points":  {"resource_access.voice.example.roles", map[string]any{"resource_access": map[string]any{"voice.example": map[string]any{"roles": []string{"x"}}}}, []string{"x"}},
		"whole name first":  {"a.b", map[string]any{"a.b": "whole", "a": map[string]any{"b": "nested"}}, []string{"whole"}},
		"other things":      {"groups", map[string]any{"groups": []any{"a", 1, nil, []string{"b"}, true}}, []string{"a"}},
		"number":            {"groups", map[string]any{"groups": 7}, nil},
		"null":              {"groups", map[string]any{"groups": nil}, nil},
		"empty":             {"groups", map[string]any{"groups": []string{}}, nil},
		"another claim":     {"groups", map[string]any{"roles": []string{"a"}}, nil},
		"nothing to enter":  {"realm_access.roles", map[string]any{"realm_access": []string{"roles"}}, nil},
		"no claim is named": {"", map[string]any{"groups": []string{"a"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := identity.New(t.Context(), identity.Options{Issuer: issuer.URL, Audience: identitytest.Audience, Groups: c.claim})
			require.NoError(t, err)
			defer v.Close()
			id, err := v.Verify(t.Context(), issuer.Token("ann", c.claims))
			require.NoError(t, err)
			require.Equal(t, c.want, id.Groups)
		})
	}
}

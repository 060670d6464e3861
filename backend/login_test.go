package backend_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestLoginProblem: what a hosted service says about signing in is not trusted, and never quoted.
func TestLoginProblem(t *testing.T) {
	for name, c := range map[string]struct {
		login  backend.Login
		member string
	}{
		"of before":           {backend.Login{Issuer: "https://id.example.org", ClientID: "voicewright", Audience: "voicewright"}, ""},
		"nothing":             {backend.Login{}, ""},
		"all":                 {backend.Login{Scopes: "openid api://1/speak", ClientSecret: "GOCSPX-a_b", UseIDToken: true, Resource: "none", AuthParams: "access_type=offline&prompt=consent"}, ""},
		"Zitadel":             {backend.Login{Scopes: "openid urn:zitadel:iam:org:project:id:1:aud"}, ""},
		"resource":            {backend.Login{Resource: "https://voice.example.org/api?x=1"}, ""},
		"urn":                 {backend.Login{Resource: "api://voicewright"}, ""},
		"value with spaces":   {backend.Login{AuthParams: "login_hint=ann%20example&kc_idp_hint=x"}, ""},
		"issuer with newline": {backend.Login{Issuer: "https://id.example.org/\nX-Header: y"}, "issuer"},
		"long issuer":         {backend.Login{Issuer: "https://id.example.org/" + strings.Repeat("x", 1000)}, "issuer"},
		"client with NUL":     {backend.Login{ClientID: "voice\x00wright"}, "client_id"},
		"client not UTF-8":    {backend.Login{ClientID: "voice\xff"}, "client_id"},
		"audience with ESC":   {backend.Login{Audience: "\x1b[2J"}, "audience"},
		"scopes with tab":     {backend.Login{Scopes: "openid\temail"}, "scopes"},
		"two spaces":          {backend.Login{Scopes: "openid  email"}, "scopes"},
		"space at the end":    {backend.Login{Scopes: "openid "}, "scopes"},
		"quoted scope":        {backend.Login{Scopes: `openid "email"`}, "scopes"},
		"other letters":       {backend.Login{Scopes: "openid été"}, "scopes"},
		"many scopes":         {backend.Login{Scopes: strings.Repeat("a ", 600) + "a"}, "scopes"},
		"no openid":           {backend.Login{Scopes: "profile email", UseIDToken: true}, "scopes"},
		"plain OAuth":         {backend.Login{Scopes: "profile email"}, ""},
		"secret with space":   {backend.Login{ClientSecret: "a b"}, "client_secret"},
		"long secret":         {backend.Login{ClientSecret: strings.Repeat("a", 256)}, "client_secret"},
		"relative resource":   {backend.Login{Resource: "voicewright"}, "resource"},
		"resource, fragment":  {backend.Login{Resource: "https://voice.example.org/#"}, "resource"},
		"resource, newline":   {backend.Login{Resource: "https://voice.example.org/\n"}, "resource"},
		"params of nothing":   {backend.Login{AuthParams: "&"}, "auth_params"},
		"param twice":         {backend.Login{AuthParams: "prompt=a&prompt=b"}, "auth_params"},
		"param without name":  {backend.Login{AuthParams: "=b"}, "auth_params"},
		"bad escape":          {backend.Login{AuthParams: "prompt=%zz"}, "auth_params"},
		"semicolon":           {backend.Login{AuthParams: "prompt=a;redirect_uri=b"}, "auth_params"},
		"control character":   {backend.Login{AuthParams: "prompt=a%0d%0ab"}, "auth_params"},
		"array":               {backend.Login{AuthParams: "redirect_uri[]=https://evil.example"}, "auth_params"},
		"dot":                 {backend.Login{AuthParams: "redirect.uri=https://evil.example"}, "auth_params"},
		"escaped name":        {backend.Login{AuthParams: "redirect%5Furi=https://evil.example"}, "auth_params"},
		"capitals":            {backend.Login{AuthParams: "Redirect_URI=https://evil.example"}, "auth_params"},
	} {
		t.Run(name, func(t *testing.T) {
			member, should := c.login.Problem()
			require.Equal(t, c.member, member)
			require.Equal(t, member == "", should == "")
			require.NotContains(t, should, "evil")
		})
	}
	for _, name := range []string{
		"redirect_uri", "state", "nonce", "code_challenge", "code_challenge_method", "client_id", "client_secret", "scope", "response_type",
		"response_mode", "request", "request_uri", "resource", "audience",
	} {
		member, _ := backend.Login{AuthParams: "prompt=consent&" + name + "=x"}.Problem()
		require.Equal(t, "auth_params", member, name)
	}
}

// FuzzAuthParams: whatever a service asks for, what passes sets nothing that protects a sign-in, in whatever way a server reads names.
func FuzzAuthParams(f *testing.F) {
	for _, text := range []string{"access_type=offline&prompt=consent", "redirect_uri=x", "Redirect%5Furi=x", "a=1;state=2", "scope[]=x", "a=%00", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if backend.CheckAuthParams(text) != "" {
			return
		}
		values, err := url.ParseQuery(text)
		require.NoError(t, err)
		for name, all := range values {
			require.Regexp(t, `^[A-Za-z0-9_-]+$`, name)
			require.Len(t, all, 1)
			require.NotContains(t, []string{"redirect_uri", "state", "nonce", "scope", "client_id", "code_challenge", "request", "request_uri"}, strings.ToLower(name))
		}
	})
}

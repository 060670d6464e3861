package cli

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/exit"
)

// usageAPI lists n calls, newest first.
func usageAPI(t *testing.T, n int) *fakeAPI {
	t.Helper()
	f := newFakeAPI(t)
	f.handle("GET /api/v1/user/usage", func(w http.ResponseWriter, r *http.Request) {
		limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
		require.NoError(t, err)
		require.True(t, limit >= 1 && limit <= 100, limit)
		from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
		page := object{"usage": []object{}, "nextCursor": nil}
		list := []object{}
		for i := from; i < min(n, from+limit); i++ {
			list = append(list, object{
				"id": strconv.Itoa(i), "createdAt": "2026-01-02T12:00:00.000Z", "kind": "synthesize", "title": "Call\t" + strconv.Itoa(i),
				"characters": 17, "credits": 33, "status": "charged", "url": nil, "later": true,
			})
		}
		page["usage"] = list
		if from+limit < n {
			page["nextCursor"] = strconv.Itoa(from + limit)
		}
		require.NoError(t, json.NewEncoder(w).Encode(page))
	})
	return f
}

func TestHostedUsage(t *testing.T) {
	t.Parallel()
	f := usageAPI(t, 250)
	code, out, errs := f.run("", "hosted", "usage", "--limit", "2")
	require.Equal(t, exit.Done, code, errs)
	require.Regexp(t, `^TIME +KIND +TITLE +CHARACTERS +CREDITS +STATUS\n2026-01-0\d \d\d:00:00 +synthesize +Call 0 +17 +33 +charged\n.*Call 1 .*\n$`, out)
	require.Contains(t, errs, "--cursor 2 those behind these")
	for args, want := range map[string]struct {
		items int
		next  any
	}{"0": {250, nil}, "20": {20, "20"}, "150": {150, "150"}, "1000": {250, nil}} {
		code, out, _ = f.run("", "hosted", "usage", "--json", "--limit", args)
		require.Equal(t, exit.Done, code)
		var list struct {
			Items      []object `json:"items"`
			NextCursor any      `json:"next_cursor"`
		}
		require.NoError(t, json.Unmarshal([]byte(out), &list))
		require.Len(t, list.Items, want.items)
		require.Equal(t, want.next, list.NextCursor)
		require.Equal(t, true, list.Items[0]["later"], "all fields of the service")
		require.Equal(t, strconv.Itoa(want.items-1), list.Items[want.items-1]["id"])
	}
	_, out, _ = f.run("", "hosted", "usage", "--cursor", "249")
	require.Contains(t, out, "Call 249")
	_, out, errs = usageAPI(t, 0).run("", "hosted", "usage")
	require.Contains(t, out, "TIME")
	require.Empty(t, errs)
	code, _, _ = f.run("", "hosted", "usage", "--limit", "-1")
	require.Equal(t, exit.Usage, code)
}

func TestHostedUsageThatFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   any
		code   int
		says   string
	}{
		"a service without it":       {404, object{"error": "CANARY"}, exit.NotFound, "does not list your calls"},
		"a web page":                 {404, "<html>CANARY", exit.NotFound, "does not list your calls"},
		"no sign-in":                 {401, problemBody("hosted_not_signed_in", "You are not signed in.", "Run `voicewright hosted login`."), exit.Needed, "hosted login"},
		"a sign-in that ended":       {401, object{"error": "CANARY"}, exit.Needed, "hosted login"},
		"no service":                 {409, problemBody("hosted_not_configured", "There is no service.", "Set its address."), exit.Needed, "Set its address"},
		"an account that is refused": {403, object{"error": "CANARY"}, exit.Failed, "refused"},
		"times that are none":        {200, object{"usage": []object{{"createdAt": "soon"}}, "nextCursor": nil}, exit.Failed, "cannot be read"},
	} {
		f := newFakeAPI(t)
		f.on("GET /api/v1/user/usage", c.status, c.body)
		code, out, errs := f.run("", "hosted", "usage")
		require.Equal(t, c.code, code, "%s: %s", name, errs)
		require.Empty(t, out, name)
		require.Contains(t, errs, c.says, name)
		require.NotContains(t, errs, "CANARY", name)
	}
}

package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func (s *studio) draft(body string) object {
	s.t.Helper()
	a := s.do("POST", "/drafts", body)
	require.Equal(s.t, 200, a.StatusCode, a.body)
	return a.object(s.t)
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	d := s.draft(`{"name":" Chapter 1 ","content":{"text":"Once & <twice>","n":12345678901234567890,"f":1.50,"deep":[{"a":null}],"a b":true},"x":1}`)
	requireShape(t, map[string]string{
		"id": "string", "name": "string", "content": "object", "created_at": "string", "updated_at": "string",
	}, d)
	requireUTC(t, d["created_at"])
	requireUTC(t, d["updated_at"])
	require.Equal(t, "Chapter 1", d["name"])
	content := object(d["content"].(map[string]any))
	require.Equal(t, "Once & <twice>", content["text"])
	require.Equal(t, "12345678901234567890", fmt.Sprint(content["n"]), "a number stays as it was written")
	require.Equal(t, "1.50", fmt.Sprint(content["f"]))
	require.Len(t, content, 5)
	path := "/drafts/" + d["id"].(string)
	require.Equal(t, d, s.do("GET", "/drafts/"+strings.ToUpper(d["id"].(string)), "").object(t))
	require.Equal(t, "Untitled", s.draft(`{"content":{}}`)["name"])
	s.draft(`{"name":"Chapter 1","content":{}}`) // names may be the same
	s.draft(`{"name":"` + strings.Repeat("é", 100) + `","content":{}}`)

	for _, c := range []struct{ body, field, want string }{
		{`{"name":"Two"}`, "name", "Two"},
		{`{"content":{"b":1}}`, "content", "map[b:1]"},
		{`{"content":{}}`, "content", "map[]"},
		{`{}`, "name", "Two"},
		{`{"name":null,"content":null}`, "name", "Two"},
	} {
		a := s.do("PUT", path, c.body)
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, c.want, fmt.Sprint(a.object(t)[c.field]), c.body)
		require.Equal(t, "Two", a.object(t)["name"])
		require.Equal(t, a.object(t), s.do("GET", path, "").object(t))
	}
	list := s.do("GET", "/drafts", "").object(t)
	require.Equal(t, "4", fmt.Sprint(list["total"]))
	require.Nil(t, list["next_cursor"])
	first := s.do("GET", "/drafts?limit=3", "").object(t)
	require.Len(t, first["items"], 3)
	require.Len(t, s.do("GET", fmt.Sprintf("/drafts?limit=3&cursor=%s", first["next_cursor"]), "").items(t), 1)

	a := s.do("DELETE", path, "")
	require.Equal(t, 204, a.StatusCode)
	require.Empty(t, a.body)
	require.Len(t, s.do("GET", "/drafts", "").items(t), 3)
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		body := map[string]string{"PUT": `{"name":"x"}`}[method]
		a := s.do(method, path, body)
		require.Equal(t, 404, a.StatusCode, method)
		require.Equal(t, "draft_not_found", a.object(t)["code"])
		a = s.do(method, "/drafts/nope", body)
		require.Equal(t, 422, a.StatusCode, method)
		require.Contains(t, a.body, `"loc":["path","draft_id"]`)
		require.Contains(t, a.body, `"type":"uuid_parsing"`)
	}
}

func TestInvalidDrafts(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	d := s.draft(`{"content":{"a":1}}`)
	for _, route := range [][2]string{{"POST", "/drafts"}, {"PUT", "/drafts/" + d["id"].(string)}} {
		send := func(name, body string, status int, has ...string) scenario {
			return scenario{name: route[0] + " " + name, method: route[0], path: route[1], body: body, status: status, has: has}
		}
		s.play(t, []scenario{
			send("absent body", "", 422, `"loc":["body"]`, `"type":"missing"`),
			send("broken JSON", `{"content"`, 422, `"type":"json_invalid"`),
			send("name type", `{"name":5,"content":{}}`, 422, `"loc":["body","name"]`, `"type":"string_type"`),
			send("empty name", `{"name":"","content":{}}`, 422, `"loc":["body","name"]`, `"type":"string_too_short"`),
			send("blank name", `{"name":" \t","content":{}}`, 422, `"loc":["body","name"]`, `"type":"string_too_short"`),
			send("101 characters", `{"name":"`+strings.Repeat("é", 101)+`","content":{}}`, 422, `"loc":["body","name"]`, `"type":"string_too_long"`),
			send("content is a list", `{"content":[]}`, 422, `"loc":["body","content"]`, `"type":"dict_type"`),
			send("content is a text", `{"content":"x"}`, 422, `"loc":["body","content"]`, `"type":"dict_type"`),
			send("surrogate", `{"content":{"a":["\udc00"]}}`, 422, `"loc":["body","content","a","0"]`, `"type":"string_unicode"`),
			send("4 MB", `{"content":{"text":"`+strings.Repeat("a", 4_000_000)+`"}}`, 200),
			send("5 MB", `{"content":{"text":"`+strings.Repeat("a", 5_000_000)+`"}}`, 413, `"code":"body_too_large"`),
		})
	}
	s.play(t, []scenario{
		{name: "no content", method: "POST", path: "/drafts", body: `{"name":"x"}`, status: 422, has: []string{`"loc":["body","content"]`, `"type":"missing"`}},
		{name: "null content", method: "POST", path: "/drafts", body: `{"content":null}`, status: 422, has: []string{`"loc":["body","content"]`}},
		{name: "limit", method: "GET", path: "/drafts?limit=0", status: 422, has: []string{`"loc":["query","limit"]`}},
		{name: "cursor", method: "GET", path: "/drafts?cursor=x", status: 422, has: []string{`"loc":["query","cursor"]`}},
	})
	require.Len(t, s.do("GET", "/drafts", "").items(t), 2, "a refused request leaves nothing")
}

// TestBriefDrafts leaves the texts out, where asked.
func TestBriefDrafts(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	d := s.draft(`{"name":"Book","content":{"kind":"script","text":"` + strings.Repeat("long ", 1000) + `"}}`)
	menu := s.do("GET", "/drafts?content=false", "")
	require.Equal(t, 200, menu.StatusCode)
	require.Less(t, len(menu.body), 500)
	item := menu.items(t)[0]
	require.Equal(t, map[string]any{"kind": "script"}, item["content"])
	for _, field := range []string{"id", "name", "created_at", "updated_at"} {
		require.Equal(t, d[field], item[field])
	}
	for _, path := range []string{"/drafts", "/drafts?content=true"} {
		require.Equal(t, d, s.do("GET", path, "").items(t)[0])
	}
	s.play(t, []scenario{
		{name: "neither", method: "GET", path: "/drafts?content=maybe", status: 422, has: []string{`"loc":["query","content"]`, `"type":"bool_parsing"`}},
	})
}

// TestDraftConflict has two windows with the same draft.
func TestDraftConflict(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	opened := s.draft(`{"name":"Chapter","content":{"text":"a"}}`)
	path := "/drafts/" + opened["id"].(string)
	save := func(text, from string) answer {
		return s.do("PUT", path, fmt.Sprintf(`{"content":{"text":%q},"if_updated_at":%q}`, text, from))
	}
	mine := save("mine", opened["updated_at"].(string))
	require.Equal(t, 200, mine.StatusCode, mine.body)
	require.NotEqual(t, opened["updated_at"], mine.object(t)["updated_at"], "however quick it was")
	again := save("mine again", mine.object(t)["updated_at"].(string))
	require.Equal(t, 200, again.StatusCode, again.body)

	theirs := save("theirs", opened["updated_at"].(string))
	require.Equal(t, 409, theirs.StatusCode, theirs.body)
	problem := theirs.object(t)
	require.Equal(t, "draft_changed", problem["code"])
	require.Equal(t, "Open it again, or save yours as a copy.", problem["remedy"])
	require.Equal(t, map[string]any{"name": "Chapter", "updated_at": again.object(t)["updated_at"]}, problem["params"])
	require.Equal(t, again.object(t), s.do("GET", path, "").object(t), "what was saved stays")

	require.Equal(t, 200, s.do("PUT", path, `{"content":{"text":"theirs"},"if_updated_at":null}`).StatusCode, "without it the last one wins")
	s.play(t, []scenario{
		{name: "no time", method: "PUT", path: path, body: `{"if_updated_at":"yesterday"}`, status: 422, has: []string{`"loc":["body","if_updated_at"]`, `"type":"datetime_parsing"`}},
		{name: "a number", method: "PUT", path: path, body: `{"if_updated_at":1}`, status: 422, has: []string{`"loc":["body","if_updated_at"]`, `"type":"string_type"`}},
		{name: "delete", method: "DELETE", path: path, status: 204},
		{name: "deleted", method: "PUT", path: path, body: `{"name":"x","if_updated_at":"2026-01-01T00:00:00Z"}`, status: 404, has: []string{`"code":"draft_not_found"`}},
	})
}

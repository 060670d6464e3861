package httpapi_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// profileShape is what decisions.md section 2 and model-server.md promise of every profile.
var profileShape = map[string]string{
	"id": "string", "name": "string", "description": "string", "language": "string", "created_at": "string",
	"updated_at": "string", "voice_type": "string", "speed": "number", "favorite": "boolean", "usable": "boolean",
}

// create creates a profile from a body.
func (s *studio) create(body string) object {
	s.t.Helper()
	a := s.do("POST", "/profiles", body)
	require.Equal(s.t, 200, a.StatusCode, a.body)
	return a.object(s.t)
}

func TestCreateProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	p := s.create(`{"name":"  Narrator ","unknown":1}`)
	requireShape(t, profileShape, p)
	requireUTC(t, p["created_at"])
	requireUTC(t, p["updated_at"])
	require.Equal(t, "Narrator", p["name"])
	require.Equal(t, "", p["description"])
	require.Equal(t, "en", p["language"])
	require.Equal(t, "default", p["voice_type"])
	require.Equal(t, true, p["usable"])
	require.Equal(t, p, s.do("GET", "/profiles/"+strings.ToUpper(p["id"].(string)), "").object(t))
	a := s.do("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":"Hello."}`, p["id"]))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "Narrator", a.object(t)["profile_name"])

	all := s.create(`{"name":"All","description":"d","language":"pt-BR","voice_type":"hosted","hosted_voice_id":"v",
		"hosted_model_id":"m","speed":1.5,"favorite":true}`)
	for name, want := range map[string]any{
		"description": "d", "language": "pt-BR", "voice_type": "hosted", "hosted_voice_id": "v", "hosted_model_id": "m", "favorite": true,
	} {
		require.Equal(t, want, all[name], name)
	}
	require.Equal(t, "1.5", fmt.Sprint(all["speed"]))
	s.create(`{"name":"` + strings.Repeat("é", 100) + `"}`)
}

func TestInvalidProfiles(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	other := s.create(`{"name":"Ärger"}`)["id"].(string)
	for _, route := range [][2]string{{"POST", "/profiles"}, {"PUT", "/profiles/" + other}} {
		send := func(name, body string, status int, has ...string) scenario {
			return scenario{name: route[0] + " " + name, method: route[0], path: route[1], body: body, status: status, has: has}
		}
		s.play(t, []scenario{
			send("absent body", "", 422, `"loc":["body"]`, `"type":"missing"`),
			send("broken JSON", `{"name"`, 422, `"type":"json_invalid"`),
			send("list", `[]`, 422, `"loc":["body"]`),
			send("type", `{"name":5}`, 422, `"loc":["body","name"]`, `"type":"string_type"`),
			send("empty", `{"name":""}`, 422, `"loc":["body","name"]`, `"type":"string_too_short"`),
			send("blank", `{"name":" \t"}`, 422, `"loc":["body","name"]`, `"type":"string_too_short"`),
			send("101 characters", `{"name":"`+strings.Repeat("é", 101)+`"}`, 422, `"loc":["body","name"]`, `"type":"string_too_long"`),
			send("surrogate", `{"name":"\udc00"}`, 422, `"loc":["body","name"]`, `"type":"string_unicode"`),
			send("NUL", `{"name":"\u0000"}`, 422, `"type":"string_unicode"`),
			send("invalid UTF-8", "{\"name\":\"\xc3\"}", 422, `"type":"string_unicode"`),
			send("taken", `{"name":"built-IN Voice "}`, 409, `"code":"name_taken"`, `"remedy":"`),
			send("language", `{"name":"x","language":"not a tag"}`, 422, `"loc":["body","language"]`),
			send("language type", `{"name":"x","language":5}`, 422, `"loc":["body","language"]`, `"type":"string_type"`),
			send("voice type", `{"name":"x","voice_type":"loud"}`, 422, `"loc":["body","voice_type"]`, `"type":"enum"`),
			send("speed low", `{"name":"x","speed":0.2}`, 422, `"loc":["body","speed"]`),
			send("speed high", `{"name":"x","speed":5}`, 422, `"loc":["body","speed"]`),
			send("favorite", `{"name":"x","favorite":"yes"}`, 422, `"loc":["body","favorite"]`, `"type":"bool_type"`),
			send("unknown model", `{"name":"x","voice_type":"preset","model_name":"nope"}`, 404, `"code":"model_unknown"`),
			send("preset of nothing", `{"name":"x","voice_type":"preset"}`, 422, `"loc":["body","model_name"]`),
			send("2 MB", `{"name":"x","description":"`+strings.Repeat("a", 2_000_000)+`"}`, 413, `"code":"body_too_large"`),
		})
	}
	s.play(t, []scenario{{
		name: "no name", method: "POST", path: "/profiles", body: `{}`, status: 422,
		has: []string{`"loc":["body","name"]`, `"type":"missing"`},
	}, {
		name: "taken without case beyond ASCII", method: "POST", path: "/profiles", body: `{"name":"äRGER"}`, status: 409,
		has: []string{`"code":"name_taken"`},
	}})
	require.Len(t, s.do("GET", "/profiles", "").items(t), 2, "a refused request leaves nothing")
}

func TestProfileAddresses(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, c := range [][3]string{
		{"GET", "/profiles/%s"},
		{"PUT", "/profiles/%s", `{"name":"x"}`},
		{"DELETE", "/profiles/%s"},
		{"POST", "/profiles/%s/duplicate"},
		{"GET", "/profiles/%s/export"},
		{"GET", "/profiles/%s/preview"},
	} {
		a := s.do(c[0], fmt.Sprintf(c[1], "nope"), c[2])
		require.Equal(t, 422, a.StatusCode, c)
		require.Contains(t, a.body, `"loc":["path","profile_id"]`, c)
		require.Contains(t, a.body, `"type":"uuid_parsing"`, c)
		a = s.do(c[0], fmt.Sprintf(c[1], itemID), c[2])
		require.Equal(t, 404, a.StatusCode, c)
		require.Contains(t, a.body, `"code":"profile_not_found"`, c)
	}
}

// TestLanguageOfAProfile stores a tag as the standard writes it, however it was written, and finds it by its language.
func TestLanguageOfAProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	p := s.create(`{"name":"Ana","language":"pt_BR"}`)
	require.Equal(t, "pt-BR", p["language"])
	word := s.word("lemma", "lemm ah", "pt_br")
	require.Equal(t, "pt-BR", word["language"])
	for _, language := range []string{"pt", "PT", "pt-BR", "pt_BR"} {
		for path, id := range map[string]any{"/profiles": p["id"], "/pronunciations": word["id"]} {
			found := s.do("GET", path+"?language="+language, "").items(t)
			require.Len(t, found, 1, path+language)
			require.Equal(t, id, found[0]["id"])
		}
	}
	changed := s.do("PUT", "/profiles/"+p["id"].(string), `{"language":"de_at"}`).object(t)
	require.Equal(t, "de-AT", changed["language"])
}

func TestUpdateProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	p := s.create(`{"name":"One","description":"about","language":"en-GB","speed":2,"favorite":true}`)
	path := "/profiles/" + p["id"].(string)
	put := func(body string) object {
		a := s.do("PUT", path, body)
		require.Equal(t, 200, a.StatusCode, a.body)
		return a.object(t)
	}
	for _, c := range []struct {
		body, field string
		want        any
	}{
		{`{"name":" Two "}`, "name", "Two"},
		{`{"description":""}`, "description", ""},
		{`{"favorite":false}`, "favorite", false},
		{`{"language":"fr"}`, "language", "fr"},
		{`{}`, "name", "Two"},
		{`{"name":null}`, "name", "Two"},
		{`{"name":"TWO"}`, "name", "TWO"}, // its own name in another case
	} {
		next := put(c.body)
		require.Equal(t, c.want, next[c.field], c.body)
		for name, value := range p {
			if name != c.field && name != "updated_at" {
				require.Equal(t, value, next[name], "%s changes %s", c.body, name)
			}
		}
		p = next
	}
	requireShape(t, profileShape, p)
	require.Equal(t, p, s.do("GET", path, "").object(t))
}

// TestDeleteProfile keeps what was spoken with it.
func TestDeleteProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	p := s.create(`{"name":"Gone"}`)["id"].(string)
	g := s.do("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":"Hello."}`, p)).object(t)
	require.Equal(t, 200, s.do("PUT", "/profiles/"+p, `{"name":"Renamed"}`).StatusCode)
	a := s.do("DELETE", "/profiles/"+p, "")
	require.Equal(t, 204, a.StatusCode)
	require.Empty(t, a.body)
	require.Equal(t, 404, s.do("GET", "/profiles/"+p, "").StatusCode)
	kept := s.do("GET", "/history/"+g["id"].(string), "").object(t)
	require.Equal(t, "Gone", kept["profile_name"], "the name at generation time")
	require.Equal(t, p, kept["profile_id"])
	require.Equal(t, 200, s.do("GET", kept["audio_url"].(string), "").StatusCode)
	require.Equal(t, 202, s.do("POST", "/generate/"+g["id"].(string)+"/regenerate", "").StatusCode)
}

func TestListProfiles(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.create(`{"name":"Anna","language":"de-AT","favorite":true}`)
	s.create(`{"name":"Zoë","description":"reads the news","language":"de"}`)
	s.importTones()
	names := func(query string) []string {
		a := s.do("GET", "/profiles?"+query, "")
		require.Equal(t, 200, a.StatusCode, a.body)
		requireShape(t, map[string]string{"items": "array", "total": "integer", "next_cursor": "null"}, a.object(t))
		out := []string{}
		for _, p := range a.items(t) {
			requireShape(t, profileShape, p)
			out = append(out, p["name"].(string))
		}
		return out
	}
	for query, want := range map[string][]string{
		"":                         {"Anna", "Built-in voice", "High", "Low", "Zoë"},
		"unknown=1&sort=name":      {"Anna", "Built-in voice", "High", "Low", "Zoë"},
		"sort=oldest":              {"Built-in voice", "Anna", "Zoë", "Low", "High"},
		"search=zoe":               {"Zoë"},
		"search=news":              {"Zoë"},
		"language=de":              {"Anna", "Zoë"},
		"voice_type=preset":        {"High", "Low"},
		"engine=tone":              {"High", "Low"},
		"favorite=true":            {"Anna"},
		"favorite=false&search=zo": {"Zoë"},
		"search=nobody":            {},
	} {
		require.Equal(t, want, names(query), query)
	}
	for query, loc := range map[string]string{
		"limit=0": "limit", "limit=501": "limit", "limit=x": "limit", "sort=best": "sort", "voice_type=x": "voice_type",
		"favorite=maybe": "favorite", "cursor=nonsense": "cursor", "search=%ff": "search",
	} {
		a := s.do("GET", "/profiles?"+query, "")
		require.Equal(t, 422, a.StatusCode, query)
		require.Contains(t, a.body, `"loc":["query","`+loc+`"]`)
		requireInvalidOrProblem(t, a)
	}
	require.Equal(t, []string{"Anna", "Built-in voice", "High", "Low", "Zoë"}, s.pages("/profiles?limit=2", "name"))
}

// pages walks a list by its cursors and returns a field of all entries.
func (s *studio) pages(path, field string) []string {
	s.t.Helper()
	var out []string
	cursor := ""
	for {
		a := s.do("GET", path+"&cursor="+cursor, "")
		require.Equal(s.t, 200, a.StatusCode, a.body)
		for _, item := range a.items(s.t) {
			out = append(out, item[field].(string))
		}
		next, more := a.object(s.t)["next_cursor"].(string)
		if !more {
			return out
		}
		cursor = next
	}
}

func TestPresetProfiles(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.create(`{"name":"low"}`)
	s.importTones()
	presets := s.do("GET", "/profiles?voice_type=preset", "").items(t)
	require.Len(t, presets, 2)
	require.Equal(t, "High", presets[0]["name"])
	require.Equal(t, "Low (Two tones)", presets[1]["name"], "its name was taken")
	for _, p := range presets {
		require.Equal(t, "tone", p["preset_engine"])
		require.Equal(t, "two-tones", p["model_name"])
	}
	require.Equal(t, "Two-Tones#high", presets[0]["preset_voice_id"])
	require.Equal(t, "female male", fmt.Sprint(presets[0]["gender"], " ", presets[1]["gender"]))
	a := s.do("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":"Hello."}`, presets[0]["id"]))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "high", a.object(t)["voice"])
	require.Equal(t, "tone", a.object(t)["engine"])
	require.NotEmpty(t, a.object(t)["receipt"].(map[string]any)["model_files"])

	require.Equal(t, 204, s.do("DELETE", "/profiles/"+presets[0]["id"].(string), "").StatusCode)
	a = s.do("POST", "/profiles/restore-presets", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	made := a.items(t)
	require.Len(t, made, 1)
	require.Equal(t, "High", made[0]["name"])
	require.Equal(t, "female", made[0]["gender"])
	require.Equal(t, made[0], s.do("GET", "/profiles/"+made[0]["id"].(string), "").object(t))
	require.Empty(t, s.do("POST", "/profiles/restore-presets", "").items(t))

	alone := s.create(`{"name":"By model","model_name":"two-tones"}`)
	require.Equal(t, "preset", alone["voice_type"])
	require.Equal(t, "low", alone["preset_voice_id"])
	require.Equal(t, "en-GB", alone["language"])
	require.Equal(t, "male", alone["gender"])
	duo := s.create(`{"name":"Duo","model_name":"two-tones","preset_voice_id":"low:2+high:3","gender":"male"}`)
	require.Equal(t, "female", duo["gender"], "of most of it, whatever is asked for")
	require.Equal(t, "", s.do("GET", "/profiles/"+s.profile, "").object(t)["gender"])
	s.play(t, []scenario{{
		name: "unknown voice", method: "POST", path: "/profiles", body: `{"name":"x","model_name":"two-tones","preset_voice_id":"none"}`,
		status: 422, has: []string{`"loc":["body","preset_voice_id"]`, "Choose one of its voices: low, high."},
	}, {
		name: "wrong mixture", method: "POST", path: "/profiles", body: `{"name":"x","model_name":"two-tones","preset_voice_id":"low:2+high"}`,
		status: 422, has: []string{`"loc":["body","preset_voice_id"]`, `"type":"enum"`, "some have none. Write a mixture as af_heart:0.6+af_bella:0.4"},
	}, {
		name: "wrong mixture of a request", method: "POST", path: "/generate", body: `{"profile_id":"{profile}","text":"x","voice":"two-tones:low:2+x"}`,
		status: 422, has: []string{`"loc":["body","voice"]`, `"type":"enum"`, "some have none. Write a mixture as af_heart:0.6+af_bella:0.4"},
	}, {
		name: "wrong mixture of an engine", method: "POST", path: "/profiles", body: `{"name":"x","preset_engine":"tone","preset_voice_id":"low+"}`,
		status: 422, has: []string{`"loc":["body","preset_voice_id"]`, "one of its voices has no name"},
	}, {
		name: "engine of another", method: "POST", path: "/profiles", body: `{"name":"x","model_name":"two-tones","preset_engine":"piper"}`,
		status: 409, has: []string{`"code":"engine_mismatch"`},
	}})
}

func TestDuplicateProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, want := range []string{"Built-in voice copy", "Built-in voice copy 2"} {
		a := s.do("POST", "/profiles/"+s.profile+"/duplicate", "")
		require.Equal(t, 200, a.StatusCode, a.body)
		copied := a.object(t)
		requireShape(t, profileShape, copied)
		require.Equal(t, want, copied["name"])
		require.NotEqual(t, s.profile, copied["id"])
		requireUTC(t, copied["created_at"])
	}
}

// send uploads a file in the field `file`.
func (s *studio) send(path, field string, content []byte) answer {
	s.t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile(field, "x.zip")
	require.NoError(s.t, err)
	_, err = part.Write(content)
	require.NoError(s.t, err)
	require.NoError(s.t, w.Close())
	return s.do("POST", path, form.String(), "Content-Type: "+w.FormDataContentType())
}

func TestExportAndImportProfile(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	p := s.create(`{"name":"Fernweh / ü","description":"d","language":"de","speed":2,"favorite":true}`)
	a := s.do("GET", "/profiles/"+p["id"].(string)+"/export", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "application/zip", a.Header.Get("Content-Type"))
	require.Contains(t, a.Header.Get("Content-Disposition"), "attachment")
	_, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)

	b := s.send("/profiles/import", "file", []byte(a.body))
	require.Equal(t, 201, b.StatusCode, b.body)
	back := b.object(t)
	require.Equal(t, "Fernweh / ü 2", back["name"], "the name was taken")
	require.NotEqual(t, p["id"], back["id"])
	for _, name := range []string{"description", "language", "speed", "favorite", "voice_type"} {
		require.Equal(t, p[name], back[name], name)
	}
	require.Len(t, s.do("GET", "/profiles", "").items(t), 3)

	for name, c := range map[string]struct {
		answer answer
		status int
		has    string
	}{
		"no zip":      {s.send("/profiles/import", "file", []byte("no zip")), 415, `"code":"unsupported_media"`},
		"empty":       {s.send("/profiles/import", "file", nil), 415, `"code":"unsupported_media"`},
		"other field": {s.send("/profiles/import", "other", []byte(a.body)), 422, `"detail":[`},
		"no form":     {s.do("POST", "/profiles/import", "{}"), 422, `"detail":[`},
		"no body":     {s.do("POST", "/profiles/import", ""), 422, `"detail":[`},
	} {
		require.Equal(t, c.status, c.answer.StatusCode, "%s: %s", name, c.answer.body)
		require.Contains(t, c.answer.body, c.has, name)
		requireInvalidOrProblem(t, c.answer)
	}
	require.Len(t, s.do("GET", "/profiles", "").items(t), 3)
}

func TestPreview(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("GET", "/profiles/"+s.profile+"/preview", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "audio/wav", a.Header.Get("Content-Type"))
	require.Equal(t, "RIFF", a.body[:4])
	require.Greater(t, len(a.body), 8000)
	require.Empty(t, s.do("GET", "/history", "").items(t), "nothing is recorded")
	require.Equal(t, 1, s.voice.Spoken())
	mute := s.create(fmt.Sprintf(`{"name":"Clone","voice_type":%q}`, backend.VoiceCloned))
	require.Equal(t, 409, s.do("GET", "/profiles/"+mute["id"].(string)+"/preview", "").StatusCode)

	path := "/profiles/" + s.profile + "/preview"
	heard := s.do("POST", path, `{"text":"It was a dark night. Nobody came.","speed":1.5}`)
	require.Equal(t, 200, heard.StatusCode, heard.body)
	require.Equal(t, []string{"audio/wav", "RIFF"}, []string{heard.Header.Get("Content-Type"), heard.body[:4]})
	require.NotEqual(t, a.body, heard.body)
	require.Empty(t, s.do("GET", "/history", "").items(t), "nothing is recorded")
	for body, status := range map[string]int{
		`{"text":""}`: 422, `{}`: 422, `{"text":"* * *"}`: 422, `{"text":"A","speed":9}`: 422, `{"text":"A","pronunciations":{"a":""}}`: 422,
		`{"text":"` + strings.Repeat("a", 501) + `"}`: 422,
	} {
		require.Equal(t, status, s.do("POST", path, body).StatusCode, body)
	}
	require.Equal(t, 404, s.do("POST", "/profiles/01990000-0000-7000-8000-000000000000/preview", `{"text":"A"}`).StatusCode)
}

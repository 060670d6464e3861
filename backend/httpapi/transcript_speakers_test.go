package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// ears are the networks of the kit as the model that finds speakers.
type ears struct {
	engine  engines.Diarizer
	missing atomic.Bool
}

func (e *ears) AcquireDiarizer(context.Context, func(backend.Status)) (*engines.LoadedDiarizer, error) {
	return &engines.LoadedDiarizer{Diarizer: e.engine, Model: "speakers", Files: e.DiarizerFiles(), Release: func() {}}, nil
}

func (e *ears) AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error) {
	if e.missing.Load() {
		return nil, backend.E(backend.CodeModelNotDownloaded, "Speakers is not downloaded.", "Download it first.")
	}
	return e.AcquireDiarizer(ctx, nil)
}

func (e *ears) DiarizerDownloaded() bool { return !e.missing.Load() }

func newEars(t testing.TB) *ears {
	t.Helper()
	driver := diarize.NewDriver(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	engine, err := driver.Open(t.Context(), engines.Files{
		diarize.RoleSegmentation: diarizetest.Kit(t, "graphs/toy_seg.onnx"), diarize.RoleEmbedding: diarizetest.Kit(t, "graphs/toy_emb_3d.onnx"),
	}, engines.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, engine.Close()) })
	return &ears{engine: engine.(engines.Diarizer)}
}

// hearsTurns returns a transcriber that hears the name of the speaker twice a second in each turn, in one long phrase for each ten seconds.
func hearsTurns(turns []diarizetest.Turn) *enginetest.FixtureTranscriber {
	return enginetest.NewTranscriber(enginetest.TranscriberOptions{Texts: func(_ []float32, o engines.TranscribeOptions) ([]backend.Segment, error) {
		var out []backend.Segment
		end := 0.0
		for _, turn := range turns {
			for at := max(turn.Start, end); at+0.5 <= turn.End; at += 0.5 { // not where another one still speaks
				if len(out) == 0 || at-out[len(out)-1].Start > 10 {
					out = append(out, backend.Segment{Start: at})
				}
				s := &out[len(out)-1]
				s.Text += " " + turn.Speaker
				s.End = at + 0.5
				if o.Words {
					s.Words = append(s.Words, backend.HeardWord{Word: " " + turn.Speaker, Start: at, End: at + 0.5})
				}
			}
			end = max(end, turn.End)
		}
		return out, nil
	}})
}

func kitTones(t testing.TB) part {
	t.Helper()
	raw, err := os.ReadFile(diarizetest.Kit(t, "audio/tones.wav"))
	require.NoError(t, err)
	return part{"file", "tones.wav", string(raw)}
}

// texts returns the lines of a transcript as speaker and text.
func texts(t testing.TB, transcript object) (speakers, texts []string) {
	t.Helper()
	for _, s := range transcript["segments"].([]any) {
		speakers = append(speakers, s.(map[string]any)["speaker"].(string))
		texts = append(texts, strings.TrimSpace(s.(map[string]any)["text"].(string)))
	}
	return speakers, texts
}

// The tones of the kit, through the engine: every word is its speaker's.
func TestWhoSaidWhat(t *testing.T) {
	t.Parallel()
	turns := diarizetest.Truth(t)
	s := newStudio(t, studioOptions{heard: hearsTurns(turns), speakers: newEars(t)})
	a := s.upload(nil, kitTones(t))
	require.Equal(t, 200, a.StatusCode, a.body)
	got := a.object(t)
	speakers, lines := texts(t, got)
	names := map[string]string{"A": "Speaker 1", "B": "Speaker 2", "C": "Speaker 3", "D": "Speaker 4"}
	wrong, words := 0, 0
	for i, line := range lines {
		for word := range strings.FieldsSeq(line) {
			words++
			if names[word] != speakers[i] {
				wrong++
			}
		}
	}
	require.Greater(t, words, 70)
	require.LessOrEqual(t, wrong*20, words, "at most one word in twenty, at the ends of turns:\n%v\n%v", speakers, lines)
	require.Len(t, got["speakers"], 4)
	first := got["speakers"].([]any)[0].(map[string]any)
	require.Equal(t, "Speaker 1", first["name"])
	require.Nil(t, got["finding_speakers"])
	require.Nil(t, got["speakers_error"])
	require.NotEmpty(t, got["turns"])

	a = s.do("GET", "/transcriptions/"+got["id"].(string)+"/export?format=rttm", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Regexp(t, `^SPEAKER tones 1 0\.\d{3} 3\.\d{3} <NA> <NA> Speaker_1 <NA> <NA>\n`, a.body)
	errors := diarizetest.Score(turns, diarizetest.RTTM(t, a.body))
	t.Log(errors)
	require.Less(t, errors.Rate(), 0.02, errors)

	body, kind := multipartForm(t, kitTones(t), part{"response_format", "", "diarized_json"}, part{"model", "", "gpt-4o-transcribe-diarize"})
	a = s.do("POST", "/v1/audio/transcriptions", body, kind)
	require.Equal(t, 200, a.StatusCode, a.body)
	line := a.object(t)["segments"].([]any)[1].(map[string]any)
	require.Equal(t, []any{"transcript.text.segment", "Speaker 2"}, []any{line["type"], line["speaker"]})
}

// deaf are ears that hear until they are told to stop.
type deaf struct {
	*ears
	began chan struct{}
}

func (d *deaf) AcquireDiarizer(ctx context.Context, _ func(backend.Status)) (*engines.LoadedDiarizer, error) {
	close(d.began)
	<-ctx.Done()
	return nil, backend.ErrCancelled.WithCause(ctx.Err())
}

// The OpenAI format with speakers is no text without them when the search is cancelled.
func TestCancelledSearchIsTheAnswer(t *testing.T) {
	t.Parallel()
	d := &deaf{ears: newEars(t), began: make(chan struct{})}
	s := newStudio(t, studioOptions{heard: hearsTurns(diarizetest.Truth(t)), speakers: d})
	body, kind := multipartForm(t, kitTones(t), part{"response_format", "", "diarized_json"})
	done := make(chan answer, 1)
	go func() { done <- s.do("POST", "/v1/audio/transcriptions", body, kind) }()
	<-d.began
	item := s.do("GET", "/transcriptions", "").object(t)["items"].([]any)[0].(map[string]any)
	path := "/transcriptions/" + item["id"].(string)
	require.Equal(t, 200, s.do("POST", path+"/cancel", "").StatusCode)
	a := <-done
	require.Equal(t, 499, a.StatusCode, a.body)
	require.Contains(t, a.body, `"code":"cancelled"`)
	require.NotEmpty(t, s.do("GET", path, "").object(t)["text"], "the text stays")
}

func TestRoutesOfSpeakers(t *testing.T) {
	t.Parallel()
	ears := newEars(t)
	s := newStudio(t, studioOptions{heard: hearsTurns(diarizetest.Truth(t)), speakers: ears})
	a := s.upload(nil, kitTones(t), part{"speakers", "", "off"}, part{"timestamps", "", "word"})
	require.Equal(t, 200, a.StatusCode, a.body)
	got := a.object(t)
	require.Empty(t, got["speakers"])
	path := "/transcriptions/" + got["id"].(string)

	a = s.do("POST", path+"/speakers", `{"mode":"number","count":4,"pace":"balanced"}`, "Prefer: respond-async")
	require.Equal(t, http.StatusAccepted, a.StatusCode, a.body)
	require.Equal(t, "complete", a.object(t)["status"])
	require.NotNil(t, a.object(t)["finding_speakers"])
	states := s.transcriptStates(got["id"].(string))
	last := states[len(states)-1]
	require.Nil(t, last["finding_speakers"])
	require.Len(t, last["speakers"], 4)
	for _, state := range states[:len(states)-1] {
		require.NotNil(t, state["finding_speakers"])
		require.Empty(t, state["segments"])
	}

	a = s.do("PATCH", path, `{"speakers":[{"name":"Speaker 1","new_name":"Zoë"},{"name":"Speaker 4","new_name":"Speaker 2"}]}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Len(t, a.object(t)["speakers"], 3)
	require.Contains(t, s.do("GET", "/transcriptions?search=zoe", "").body, `"total":1`)
	segment := a.object(t)["segments"].([]any)[0].(map[string]any)
	split := fmt.Sprintf("%s/segments/%v/split", path, segment["id"])
	a = s.do("POST", split, `{"word":3}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	_, lines := texts(t, a.object(t))
	require.Equal(t, []string{"A A", "A A A A A"}, lines[:2])
	a = s.do("POST", path+"/speakers", `{"mode":"off"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Empty(t, a.object(t)["speakers"])

	for name, c := range map[string]struct {
		path, body string
		status     int
		has        string
	}{
		"count of none":      {path + "/speakers", `{"mode":"number"}`, 422, `"missing"`},
		"count below 1":      {path + "/speakers", `{"count":0}`, 422, `"greater_than_equal"`},
		"count above 100":    {path + "/speakers", `{"count":101}`, 422, `"less_than_equal"`},
		"pace":               {path + "/speakers", `{"pace":"slow"}`, 422, `"enum"`},
		"mode":               {path + "/speakers", `{"mode":"all"}`, 422, `"enum"`},
		"no line was set":    {path + "/speakers", `{"reassign":true}`, 422, `"reassign"`},
		"first word":         {split, `{"word":1}`, 422, `"word"`},
		"no such word":       {split, `{"word":99}`, 422, `"word"`},
		"no such segment":    {path + "/segments/999/split", `{"word":2}`, 422, `"segment_id"`},
		"unknown transcript": {"/transcriptions/" + itemID + "/speakers", `{}`, 404, `"transcript_not_found"`},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.do("POST", c.path, c.body)
			require.Equal(t, c.status, a.StatusCode, a.body)
			require.Contains(t, a.body, c.has)
		})
	}
	for _, value := range []string{"0", "101", "some", `{"mode":"auto","count":0}`, `{"mode":"number"}`, `{"mode":"auto","pace":"slow"}`} {
		require.Equal(t, 422, s.upload(nil, kitTones(t), part{"speakers", "", value}).StatusCode, value)
	}
	ears.missing.Store(true)
	a = s.upload(nil, kitTones(t), part{"speakers", "", `{"mode":"auto","count":5,"pace":"fast"}`}, part{"download", "", "false"})
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "model_not_downloaded", a.object(t)["speakers_error"].(map[string]any)["code"])
	require.NoError(t, os.Remove(a.object(t)["audio_path"].(string)))
	a = s.do("POST", "/transcriptions/"+a.object(t)["id"].(string)+"/speakers", `{}`)
	require.Equal(t, http.StatusGone, a.StatusCode, a.body)
}

func TestScriptOfATranscript(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	made := s.transcribe(3)
	path := "/transcriptions/" + made["id"].(string)
	a := s.do("POST", path+"/script", "")
	require.Equal(t, 422, a.StatusCode, a.body)
	require.Equal(t, "nothing_to_speak", a.object(t)["code"])
	require.Equal(t, "no_speakers", a.object(t)["params"].(map[string]any)["reason"])
	require.Contains(t, a.object(t)["remedy"], "Find its speakers")
	require.Empty(t, s.do("GET", "/drafts", "").items(t))

	first := made["segments"].([]any)[0].(map[string]any)
	a = s.do("PATCH", path, fmt.Sprintf(`{"segments":[{"id":%v,"speaker":"Anna"}]}`, first["id"]))
	require.Equal(t, 200, a.StatusCode, a.body)
	a = s.do("POST", path+"/script", "")
	require.Equal(t, 201, a.StatusCode, a.body)
	draft := object(a.object(t)["items"].([]any)[0].(map[string]any))
	require.Len(t, a.object(t)["items"], 1)
	require.Equal(t, "Talk of today", draft["name"])
	require.Equal(t, draft, s.do("GET", "/drafts/"+draft["id"].(string), "").object(t))
	content := draft["content"].(map[string]any)
	require.Equal(t, "script", content["kind"])
	speaker := content["speakers"].([]any)[0].(map[string]any)
	require.Equal(t, "Anna", speaker["name"])
	require.Equal(t, s.profile, speaker["profileId"])
	require.Equal(t, map[string]any{"id": "turn-1", "speakerId": speaker["id"], "text": made["text"]}, content["turns"].([]any)[0])

	anna := s.do("POST", "/profiles", `{"name":"Anna"}`).object(t)["id"].(string)
	for body, voice := range map[string]string{
		`{}`: anna, `{"voices":null}`: anna, `{"voices":{"anna":"` + strings.ToUpper(s.profile) + `"}}`: s.profile,
	} {
		a = s.do("POST", path+"/script", body)
		require.Equal(t, 201, a.StatusCode, a.body)
		content := a.object(t)["items"].([]any)[0].(map[string]any)["content"].(map[string]any)
		require.Equal(t, voice, content["speakers"].([]any)[0].(map[string]any)["profileId"], body)
	}
	post := func(name, body string, status int, has ...string) scenario {
		return scenario{name: name, method: "POST", path: path + "/script", body: body, status: status, has: has}
	}
	s.play(t, []scenario{
		post("unknown speaker", `{"voices":{"Karl":"{profile}"}}`, 422, `"loc":["body","voices","Karl"]`),
		post("unknown profile", `{"voices":{"Anna":"`+itemID+`"}}`, 404, `"code":"profile_not_found"`),
		post("voices of another type", `{"voices":["x"]}`, 422, `"loc":["body","voices"]`),
	})
}

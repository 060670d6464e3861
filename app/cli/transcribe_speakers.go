package cli

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/voicewright/voicewright/app/cli/transcript"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// speakersModel is the model that finds speakers.
const speakersModel = "speakers"

// withSpeakers returns a transcript with the names of its speakers. Where the model was asked for and is missing, it is downloaded, and
// the speakers are found then. What cannot be found is said on standard error: the text is there.
func (p transcribeCommands) withSpeakers(
	ctx context.Context, c *client.Client, w transcript.Work, f transcribeFlags, t backend.Transcript,
) (backend.Transcript, error) {
	if e := t.SpeakersError; e != nil && e.Code == backend.CodeModelNotDownloaded {
		if _, err := p.download(ctx, c, speakersModel, false); err != nil {
			return t, err
		}
		body := map[string]any{"mode": "auto"}
		if f.speakers != "" && f.speakers != "auto" {
			body = map[string]any{"mode": "number", "count": json.Number(f.speakers)}
		}
		var err error
		t, err = p.followTranscription(ctx, c, w, func(t2 *backend.Transcript) error {
			return c.CallWith(ctx, http.MethodPost, "/transcriptions/"+t.ID+"/speakers", body, t2, asynchronous)
		})
		if err != nil {
			return t, err
		}
	}
	if e := t.SpeakersError; e != nil {
		p.notef("%s: the speakers were not found. %s %s", w.Shown(), e.Detail, e.Remedy)
	}
	var names []map[string]string
	given := strings.Split(f.names, ",")
	for i, speaker := range t.Speakers {
		if i < len(given) && strings.TrimSpace(given[i]) != "" {
			names = append(names, map[string]string{"name": speaker.Name, "new_name": strings.TrimSpace(given[i])})
		}
	}
	if len(names) == 0 {
		return t, nil
	}
	err := c.Call(ctx, http.MethodPatch, "/transcriptions/"+t.ID, map[string]any{"speakers": names}, &t)
	return t, err
}

// makeScript makes the script of a transcript and prints a line for each of its drafts.
func (p transcribeCommands) makeScript(
	ctx context.Context, c *client.Client, w transcript.Work, f transcribeFlags, t backend.Transcript,
) ([]backend.Draft, error) {
	drafts, unused, err := f.script.Make(ctx, c, t)
	if err != nil {
		return nil, err
	}
	for _, name := range unused {
		p.notef("%s: no speaker is called %s", w.Shown(), name)
	}
	for _, d := range drafts {
		if p.json {
			break
		}
		if err := p.printf("%s\n", transcript.Describe(d)); err != nil {
			return nil, err
		}
	}
	p.notef("Open it in Script, in the window or the page")
	return drafts, nil
}

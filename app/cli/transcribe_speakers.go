package cli

import (
	"context"
	"errors"
	"net/http"

	"github.com/voicewright/voicewright/app/cli/transcript"
	"github.com/voicewright/voicewright/app/cli/usage"
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
		err := p.fetchSpeakers(ctx, c)
		if ctx.Err() != nil {
			return t, err
		}
		if err != nil {
			t.SpeakersError = backend.AsError(err).Failure()
		} else if t, err = p.findSpeakers(ctx, c, w, f, t); err != nil {
			return t, err
		}
	}
	if e := t.SpeakersError; e != nil {
		p.notef("%s: the speakers were not found. %s %s", w.Shown(), e.Detail, e.Remedy)
	}
	p.offerChannels(w, f, t)
	return p.nameSpeakers(ctx, c, w, f, t)
}

// offerChannels says that each channel of a recording has one speaker, unless this is known or no speakers are wanted.
func (p transcribeCommands) offerChannels(w transcript.Work, f transcribeFlags, t backend.Transcript) {
	wanted, err := usage.Speakers(f.speakers)
	if err == nil && (wanted["mode"] == "auto" || wanted["mode"] == "number") && t.Channels != nil && t.Channels.Separate {
		p.notef("%s: each channel has one speaker: --speakers channels uses that.", w.Shown())
	}
}

// nameSpeakers renames the speakers of a transcript as the flag says.
func (p transcribeCommands) nameSpeakers(
	ctx context.Context, c *client.Client, w transcript.Work, f transcribeFlags, t backend.Transcript,
) (backend.Transcript, error) {
	given, err := usage.Names(f.names)
	if err != nil {
		return t, err
	}
	if t.SpeakersError == nil && len(given) > len(t.Speakers) {
		p.notef("%s: more names (%d) than speakers (%d).", w.Shown(), len(given), len(t.Speakers))
	}
	var names []map[string]string
	for i, speaker := range t.Speakers {
		if i < len(given) && given[i] != "" {
			names = append(names, map[string]string{"name": speaker.Name, "new_name": given[i]})
		}
	}
	if len(names) == 0 {
		return t, nil
	}
	err = c.Call(ctx, http.MethodPatch, "/transcriptions/"+t.ID, map[string]any{"speakers": names}, &t)
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

// fetchSpeakers downloads the model that finds speakers. It does not wait for a network that is not there.
func (p transcribeCommands) fetchSpeakers(ctx context.Context, c *client.Client) error {
	m, err := modelStatus(ctx, c, speakersModel)
	if err != nil {
		return err
	}
	l := listener{ModelName: m.ModelName, DisplayName: m.DisplayName, Downloaded: m.Downloaded, SizeMB: m.SizeMB, Named: true}
	return p.fetchListener(ctx, c, l, true)
}

func (p transcribeCommands) findSpeakers(
	ctx context.Context, c *client.Client, w transcript.Work, f transcribeFlags, t backend.Transcript,
) (backend.Transcript, error) {
	body, err := usage.Speakers(f.speakers)
	if err != nil {
		return t, err
	}
	return p.followTranscription(ctx, c, w, func(now *backend.Transcript) error {
		return c.CallWith(ctx, http.MethodPost, "/transcriptions/"+t.ID+"/speakers", body, now, asynchronous)
	})
}

// stopSpeakers ends the search for the speakers of an interrupted command: the text stays. It returns the error of ctx.
func (p transcribeCommands) stopSpeakers(ctx context.Context, c *client.Client, id string) error {
	request, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	err := c.Call(request, http.MethodPost, "/transcriptions/"+id+"/cancel", nil, nil)
	if backend.CodeOf(err) == backend.CodeNotInProgress { // it had ended
		err = nil
	}
	return errors.Join(ctx.Err(), err)
}

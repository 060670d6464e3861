package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/transcript"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/settings"
)

// transcribeFlags are the flags of transcribe.
type transcribeFlags struct {
	out, format, model, language, prompt string
	speakers, names                      string
	translate, words, segments, yes      bool
	untimed                              bool
	script                               transcript.Script
}

// fields returns the fields of a request for a transcription model.
func (f transcribeFlags) fields() map[string]string {
	fields := map[string]string{"model_name": f.model, "language": f.language}
	if f.translate {
		fields["translate"] = "true"
	}
	return fields
}

// layout returns how subtitles are laid out.
func (f transcribeFlags) layout() string {
	if f.segments {
		return "segments"
	}
	return "subtitles"
}

func (p transcribeCommands) transcribe() *cobra.Command {
	var f transcribeFlags
	cmd := &cobra.Command{
		Use: "transcribe FILE...", Short: "Turn speech in audio and video files into text",
		Long: "Turn speech in audio and video files into text, in the language that is spoken. Of a folder all audio and video files\n" +
			"are transcribed, also in folders in it. Use - as FILE to read standard input. The text goes to standard output; with -o\n" +
			"it goes to a file, or to a folder with a file for each input. With --script an interview becomes a script with the voices\n" +
			"of the profiles that are called as its speakers: transcribe talk.mp3 --names Anna,Ben --script",
		Args: usage.SomeArgs("a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			work, err := transcript.Plan(args, f.out, f.format)
			if err == nil {
				err = f.script.Check(&f.speakers, f.out, f.format)
			}
			_, wrong := usage.Speakers(f.speakers)
			_, unusable := usage.Names(f.names)
			if err = cmp.Or(wrong, unusable, err); err != nil {
				return err
			}
			return p.with(cmd.Context(), func(c *client.Client) error { return p.transcribeAll(cmd.Context(), c, work, f) })
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "output file, or the folder of the outputs; the extension of a file sets the format")
	flags.StringVar(&f.format, "format", "", strings.Join(backend.TranscriptFormats(), ", ")+" (default txt)")
	flags.StringVar(&f.model, "model", "", "transcription model, such as whisper-base (default: the setting "+
		settings.TranscribeModel+", or an installed one where it is not set)")
	flags.StringVar(&f.language, "language", "auto", "spoken language as a tag, such as de; auto detects it")
	flags.BoolVar(&f.translate, "translate", false, "translate into English")
	flags.BoolVar(&f.words, "words", false, "with the times of words, in the format json")
	flags.BoolVar(&f.segments, "segments", false, "a subtitle for each segment of the model, however long")
	flags.BoolVar(&f.untimed, "no-times", false, "without times, in the formats md and docx")
	downloadFlag(cmd, &f.yes)
	flags.StringVar(&f.speakers, "speakers", "",
		"who said what: auto, channels (one on each of stereo), off or the number of speakers (default: auto where its model is there)")
	flags.StringVar(&f.names, "names", "", "names of the speakers in the order of their first words, with commas between them")
	flags.StringVar(&f.prompt, "prompt", "", "text that precedes the audio, such as names and their spelling")
	f.script.Add(flags)
	return cmd
}

// transcribed is a transcript as the command prints it.
type transcribed struct {
	backend.Transcript
	Output string          `json:"output,omitempty"` // the file that was written
	Script []backend.Draft `json:"script,omitempty"` // the drafts that were made
}

// transcribeAll transcribes all inputs. One that fails does not stop the others, except where they would fail too.
func (p transcribeCommands) transcribeAll(ctx context.Context, c *client.Client, work []transcript.Work, f transcribeFlags) error {
	err := f.script.Find(func(key string) (backend.Profile, error) { return profileByKey(ctx, c, key) })
	if err != nil {
		return err
	}
	var failed []string
	for _, w := range work {
		err := p.transcribeOne(ctx, c, w, f, len(work) > 1)
		switch {
		case err == nil:
			continue
		case len(work) == 1, ctx.Err() != nil, fatal(err):
			return err
		}
		failed = append(failed, w.Shown())
		sentence, remedy, _ := describeError(ctx, err)
		p.notef("%s: %s", w.Shown(), strings.TrimSpace(sentence+" "+remedy))
		if p.json {
			if err := p.printJSON(map[string]any{"file": w.Shown(), "error": errorJSON(err)}); err != nil {
				return err
			}
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d files failed: %s", len(failed), len(work), strings.Join(failed, ", "))
	}
	return nil
}

func errorJSON(err error) map[string]any {
	var invalid *backend.ValidationError
	if errors.As(err, &invalid) {
		return map[string]any{"detail": invalid.Error()}
	}
	e := backend.AsError(err)
	return map[string]any{"code": e.Code, "detail": e.Detail, "remedy": e.Remedy}
}

// fatal reports whether the inputs that follow would fail too: the options are wrong, the model is missing, or the server is.
func fatal(err error) bool {
	var invalid *backend.ValidationError
	var network *net.OpError
	var known *backend.Error
	var needed usage.NeededError
	switch {
	case errors.As(err, &invalid), errors.As(err, &network), errors.As(err, &needed):
		return true
	case !errors.As(err, &known):
		return false
	}
	// Without ffmpeg the files of other formats may still be read.
	return exit.CodeOf(known.Code) == exit.Needed && known.Params["program"] != "ffmpeg" || slices.Contains([]backend.Code{
		backend.CodeModelUnknown, backend.CodeEngineMismatch, backend.CodeLanguageNotSupported, backend.CodeModelCorrupt,
		backend.CodeOutOfMemory, backend.CodeUnsupportedCPU, backend.CodeInsufficientDisk, backend.CodeDiskFailed,
		backend.CodeInterrupted, backend.CodeDownloadFailed, backend.CodeChecksumMismatch, backend.CodeHubRateLimited,
	}, known.Code)
}

// noteTranscript says what a reader of a transcript should know.
func (p transcribeCommands) noteTranscript(w transcript.Work, t backend.Transcript) {
	for _, s := range t.Speakers {
		if s.Suggestion != nil {
			p.notef("%s: %s sounds like %s.", w.Shown(), s.Name, oneLine(s.Suggestion.Name, 100))
		}
	}
	for _, warning := range t.Warnings {
		p.notef("%s, %s to %s: %s", w.Shown(), printable.Clock(warning.Start), printable.Clock(warning.End), warning.Detail)
	}
}

// transcribeOne transcribes one input and writes its text. several is set when there are other inputs.
func (p transcribeCommands) transcribeOne(ctx context.Context, c *client.Client, w transcript.Work, f transcribeFlags, several bool) error {
	t, err := p.runTranscription(ctx, c, w, f)
	if err != nil {
		return err
	}
	if t, err = p.withSpeakers(ctx, c, w, f, t); err != nil {
		return err
	}
	p.noteTranscript(w, t)
	var drafts []backend.Draft
	if f.script.Wanted {
		if drafts, err = p.makeScript(ctx, c, w, f, t); err != nil {
			return err
		}
	}
	path := "/transcriptions/" + t.ID + "/export?format=" + w.Format + "&layout=" + f.layout() + "&times=" + strconv.FormatBool(!f.untimed)
	switch {
	case w.Out != "":
		if err := c.Fetch(ctx, path, w.Out); err != nil {
			return err
		}
		if p.json {
			return p.printJSON(transcribed{t, w.Out, drafts})
		}
		p.notef("Wrote %s", w.Out)
		return nil
	case p.json:
		return p.printJSON(transcribed{Transcript: t, Script: drafts})
	case f.script.Wanted:
		return nil
	}
	if several && w.Format != backend.FormatJSON {
		if err := p.printf("==> %s <==\n", w.Shown()); err != nil {
			return err
		}
	}
	return p.printResponse(ctx, c, path)
}

// runTranscription uploads an input and follows its transcription. The file is read before a missing model is downloaded, as a
// file that is no sound needs none. When the model cannot be had, or the user stops, nothing of it
// stays.
func (p transcribeCommands) runTranscription(
	ctx context.Context, c *client.Client, w transcript.Work, f transcribeFlags,
) (backend.Transcript, error) {
	failed, err := p.followTranscription(ctx, c, w, func(t *backend.Transcript) error { return p.upload(ctx, c, w, f, t) })
	if backend.CodeOf(err) != backend.CodeModelNotDownloaded {
		return failed, err
	}
	l, err := listenerFor(ctx, c, f.fields())
	if err == nil {
		err = p.fetchListener(ctx, c, l, f.yes)
	}
	if endsProgram(ctx, c) {
		return failed, ctx.Err()
	}
	if err != nil {
		return failed, errors.Join(err, p.removeTranscript(ctx, c, failed.ID))
	}
	return p.followTranscription(ctx, c, w, func(t *backend.Transcript) error {
		return c.CallWith(ctx, http.MethodPost, "/transcriptions/"+failed.ID+"/rerun", map[string]any{}, t, asynchronous)
	})
}

// endsProgram reports whether the program that transcribes is told to end: that interrupts a transcription, and its audio stays.
func endsProgram(ctx context.Context, c *client.Client) bool {
	return errors.Is(context.Cause(ctx), ErrTerminated) && c.InProcess()
}

// followTranscription starts a transcription and follows it with a progress bar. When ctx ends, nothing of it stays but a
// complete text whose speakers are being found.
func (p transcribeCommands) followTranscription(
	ctx context.Context, c *client.Client, w transcript.Work, start func(*backend.Transcript) error,
) (backend.Transcript, error) {
	var t backend.Transcript
	bar := p.progress("Transcribing " + w.Shown())
	defer bar.end()
	if err := start(&t); err != nil {
		return t, err
	}
	err := c.Follow(ctx, "/transcriptions/"+t.ID+"/events", func(data []byte) error {
		var now backend.Transcript
		if err := json.Unmarshal(data, &now); err != nil {
			return fmt.Errorf("read the progress: %w", err)
		}
		t = now
		bar.transcript(t)
		return nil
	})
	switch {
	case endsProgram(ctx, c):
		return t, ctx.Err()
	case ctx.Err() != nil && t.Status == backend.StatusComplete:
		return t, p.stopSpeakers(ctx, c, t.ID)
	case ctx.Err() != nil:
		return t, p.removeTranscript(ctx, c, t.ID)
	case err != nil:
		return t, err
	case t.Status == backend.StatusComplete:
		return t, nil
	case t.Error != nil:
		return t, backend.E(t.Error.Code, t.Error.Detail, t.Error.Remedy)
	default:
		return t, backend.E(backend.CodeInterrupted, "The server stopped before the text was ready.", "Try again.")
	}
}

// removeTranscript cancels and deletes an interrupted transcription. It returns the error of ctx.
func (p transcribeCommands) removeTranscript(ctx context.Context, c *client.Client, id string) error {
	request, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	return errors.Join(ctx.Err(), c.Call(request, http.MethodDelete, "/transcriptions/"+id, nil, nil))
}

// transcript is set for the progress of a transcription: without a bar it prints a line for each state and every ten percent.
func (b *progressBar) transcript(t backend.Transcript) {
	step := string(t.Status)
	var note *string
	switch {
	case t.Status == backend.StatusQueued && t.Duration > 0:
		step = "reading audio"
		text := step + ", " + printable.Clock(t.Duration)
		note = &text
	case t.Waiting:
		step = "waiting for the cancelled run of this model"
		note = &step
	case t.Status == backend.StatusTranscribing:
		step = fmt.Sprintf("%s %d%%", step, int(t.Progress*10)*10)
	case !t.Status.Ended():
		note = &step
	case t.FindingSpeakers != nil:
		step = fmt.Sprintf("finding speakers %d%%", int(t.FindingSpeakers.Progress*10)*10)
		b.note.Store(&step)
		b.set(t.FindingSpeakers.Progress, step)
		return
	}
	b.note.Store(note)
	b.set(t.Progress, step)
}

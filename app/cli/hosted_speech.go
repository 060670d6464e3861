package cli

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// hostedSpeechFlags are the flags of hosted say and dialogue.
type hostedSpeechFlags struct {
	out, title string
	accept     int64
	accepted   *int64 // credits; nil = not given
}

func (f *hostedSpeechFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "speech.mp3",
		"output file; its extension sets the format: mp3 and wav as received, flac, opus or m4a")
	flags.StringVar(&f.title, "title", "", "title in the history")
	flags.Int64Var(&f.accept, priceFlag, 0, "accept a price up to this many credits without being asked")
	cmd.PreRun = func(cmd *cobra.Command, _ []string) {
		if cmd.Flags().Changed(priceFlag) {
			f.accepted = &f.accept
		}
	}
}

// output checks the output file and returns its path and format.
func (f *hostedSpeechFlags) output() (path, format string, err error) {
	format, ok := audio.FormatOf(f.out)
	if usage.IsFolder(f.out) {
		return "", "", usage.CheckFolder(f.out)
	}
	if !ok {
		return "", "", usage.Errorf("the output file %q must end in .mp3, .wav, .flac, .opus or .m4a", f.out)
	}
	if path, err = usage.AbsoluteOutput(f.out); err != nil {
		return "", "", err
	}
	return path, format, usage.CheckFolder(path)
}

func (p hostedCommands) hostedSay() *cobra.Command {
	var f hostedSpeechFlags
	var from textFlags
	var voice, model string
	cmd := &cobra.Command{
		Use: "say TEXT", Short: "Turn text into an audio file with a hosted voice",
		Long: "Turn text into an audio file with a hosted voice. Use - as TEXT to read standard input. The price is shown first.",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			in, err := p.text(cmd.Context(), cmd, args, from)
			if err != nil {
				return err
			}
			if voice == "" {
				return usage.Errorf("--voice is needed; voicewright hosted voices lists them")
			}
			return p.with(ctx, func(c *client.Client) error {
				text, err := in.read(ctx, c)
				if err != nil {
					return err
				}
				return p.speakHosted(ctx, c, text, voice, model, f)
			})
		},
	}
	f.add(cmd)
	from.add(cmd, "")
	cmd.Flags().StringVar(&voice, "voice", "", "hosted voice, by name or ID")
	cmd.Flags().StringVar(&model, "model", "", "model of the voice's provider (default: its first one)")
	return cmd
}

func (p hostedCommands) speakHosted(ctx context.Context, c *client.Client, text, voice, model string, f hostedSpeechFlags) error {
	out, format, err := f.output()
	if err != nil {
		return err
	}
	v, err := findHostedVoice(ctx, c, voice)
	if err != nil {
		return err
	}
	profile, err := profileOf(ctx, c, v)
	if err != nil {
		return err
	}
	body := map[string]any{"profile_id": profile, "text": text, "voice": backend.HostedEngine + ":" + v.ID, "title": f.title}
	if model != "" {
		body["model_name"] = model
	}
	if format != "mp3" {
		body["format"] = format
	}
	if err := p.acceptPrice(ctx, c, body, f.accepted); err != nil {
		return err
	}
	start := time.Now()
	g, err := p.generate(ctx, c, body)
	if err != nil {
		return err
	}
	elapsed := time.Since(start)
	if err := c.Fetch(ctx, g.AudioURL, out); err != nil {
		return err
	}
	if p.json {
		g.Output = out
		return p.printJSON(g)
	}
	return p.printf("Text:  %s\nVoice: %s (%s)\nAudio: %.2f s, received in %.2f s\nPrice: %s\nFile:  %s\n",
		oneLine(g.Text, 100), v.Name, g.ModelName, g.Duration, elapsed.Seconds(), paid(g), out)
}

// profileOf returns the id of the profile under which a generation with a hosted voice is recorded.
func profileOf(ctx context.Context, c *client.Client, v hostedVoice) (string, error) {
	if v.ProfileID != "" {
		return v.ProfileID, nil
	}
	profile, err := findProfile(ctx, c, "", "")
	return profile.ID, err
}

// paid returns what a generation cost and what is left.
func paid(g client.Generation) string {
	if g.Credits == nil {
		return "unknown"
	}
	text := strconv.FormatInt(*g.Credits, 10) + " credits"
	if g.Receipt != nil && g.Receipt.Hosted != nil && g.Receipt.Hosted.Left != nil {
		text += fmt.Sprintf(", %d left", *g.Receipt.Hosted.Left)
	}
	return text
}

// acceptPrice shows the price of a request and adds the one that the user accepts to it. Errors: hosted_confirm where the user
// wants to be asked and nobody can answer, or the answer is no.
func (p *program) acceptPrice(ctx context.Context, c *client.Client, body map[string]any, accepted *int64) error {
	if accepted != nil {
		body["accept_credits"] = *accepted
	}
	quote, err := getQuote(ctx, c, body)
	if err != nil {
		return err
	}
	if err := p.confirmPrice(ctx, quote); err != nil || !quote.Ask {
		return err
	}
	body["accept_credits"] = orZero(quote.Credits)
	return nil
}

// getQuote returns the price of a request.
func getQuote(ctx context.Context, c *client.Client, body map[string]any) (backend.HostedQuote, error) {
	var quote backend.HostedQuote
	err := c.Call(ctx, http.MethodPost, "/hosted/quote", body, &quote)
	return quote, err
}

// orZero returns a price, 0 for an unknown one, which any accepted price covers.
func orZero(credits *int64) int64 {
	if credits == nil {
		return 0
	}
	return *credits
}

// confirmPrice shows a price. Where the user wants to be asked, nil means that the answer is yes. Error: hosted_confirm.
func (p *program) confirmPrice(ctx context.Context, quote backend.HostedQuote) error {
	price := "unknown"
	if quote.Credits != nil {
		price = fmt.Sprintf("%d credits", *quote.Credits)
	}
	if quote.Left != nil {
		price += fmt.Sprintf(" of %d", *quote.Left)
	}
	if !p.json {
		p.notef("Price: %s", price)
	}
	if !quote.Ask {
		return nil
	}
	refused := backend.E(backend.CodeHostedConfirm, "The price, "+price+", is one before which you want to be asked.",
		"Add --accept-credits with the price that you accept.").With("credits", quote.Credits)
	if p.json {
		return refused
	}
	yes, err := p.confirm(ctx, "Continue?")
	if err == nil && !yes {
		err = refused
	}
	return err
}

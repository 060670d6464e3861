package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/batch"
)

// sayFlags are the flags of say.
type sayFlags struct {
	out, profile, voice, language string
	text                          textFlags
	speed                         float64
	seed, accept                  int64
	play                          bool

	batch, dir, format, pattern string // a list of texts
}

func (p speechCommands) say() *cobra.Command {
	var f sayFlags
	cmd := &cobra.Command{
		Use: "say TEXT", Short: "Turn text into an audio file",
		Long: "Turn text into an audio file. Use - as TEXT to read standard input.\n" + fileHelp() + "\n" +
			"With --batch FILE --out DIR, turn a list of texts into an audio file for each: a .csv or .jsonl file with the columns text,\n" +
			"and optionally name, voice, language, speed and format, or a .txt file with a text in each line. The other flags are for\n" +
			"rows that leave a column empty. Run the same command again to continue, or after a change of the list.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if changed := cmd.Flags().Changed; changed("batch") {
				if len(args) > 0 {
					return usage.Errorf("use TEXT or --batch, not both")
				}
				return p.sayBatch(cmd.Context(), f, changed)
			}
			for _, flag := range []string{"out", "format", "name-pattern"} {
				if cmd.Flags().Changed(flag) {
					return usage.Errorf("--%s needs --batch FILE", flag)
				}
			}
			text, err := p.text(cmd.Context(), cmd, args, f.text)
			if err != nil {
				return err
			}
			return p.speak(cmd.Context(), text, f, cmd.Flags().Changed)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "speech.wav", "output file; its extension sets the format: wav, flac, mp3, opus or m4a")
	f.text.add(cmd, "")
	flags.StringVar(&f.profile, "profile", "", "voice profile, by name or ID (default: Built-in voice)")
	flags.StringVar(&f.voice, "voice", "", "voice as MODEL:VOICE, such as espeak:en-us; hosted:VOICE for a hosted voice, by name or ID")
	flags.StringVar(&f.language, "language", "", "language tag, such as de or en-GB")
	flags.Float64Var(&f.speed, "speed", 1, "speaking rate, 0.25 to 4")
	flags.Int64Var(&f.seed, "seed", 0, "random seed, 0 to 2147483647; the same seed gives the same take")
	flags.Int64Var(&f.accept, priceFlag, 0, "accept a price of a hosted voice up to this many credits without being asked")
	flags.BoolVar(&f.play, "play", false, "play the audio when it is ready")
	flags.StringVar(&f.batch, "batch", "", "speak the texts of this .csv, .jsonl or .txt file, each to a file in --out")
	flags.StringVar(&f.dir, "out", "", "with --batch: folder of the audio files and of report.csv")
	flags.StringVar(&f.format, "format", backend.FormatWAV, "with --batch: format of rows without one: wav, flac, mp3, opus or m4a")
	flags.StringVar(&f.pattern, "name-pattern", batch.DefaultPattern,
		"with --batch: file name of rows without one, of {row}, {words}, {name}, {voice} and {language}")
	return cmd
}

// speak generates the audio and writes it to the output file. changed reports whether a flag was given.
func (p speechCommands) speak(ctx context.Context, in textInput, f sayFlags, changed func(flag string) bool) error {
	format, ok := audio.FormatOf(f.out)
	if usage.IsFolder(f.out) {
		return usage.CheckFolder(f.out)
	}
	if !ok {
		return usage.Errorf("the output file %q must end in .wav, .flac, .mp3, .opus or .m4a", f.out)
	}
	out, err := usage.AbsoluteOutput(f.out)
	if err != nil {
		return err
	}
	if err := usage.CheckFolder(out); err != nil {
		return err
	}
	return p.with(ctx, func(c *client.Client) error {
		text, err := in.read(ctx, c)
		if err != nil {
			return err
		}
		profile, voice, err := findVoice(ctx, c, f.profile, f.voice)
		if err != nil {
			return err
		}
		f.voice = voice
		body := map[string]any{"profile_id": profile.ID, "text": text, "format": format}
		if err := p.prepare(ctx, c, profile, f, changed, body); err != nil {
			return err
		}
		start := time.Now()
		g, err := p.generate(ctx, c, body)
		if err != nil {
			return withOutput(err, f.out)
		}
		elapsed := time.Since(start)
		if err := c.Fetch(ctx, g.AudioURL, out); err != nil {
			return err
		}
		if err := p.printSpeech(g, out, elapsed); err != nil || !f.play {
			return err
		}
		return play(ctx, out)
	})
}

// prepare adds the flags that were given to a request, and fetches or confirms what it needs before it is sent.
func (p speechCommands) prepare(
	ctx context.Context, c *client.Client, profile backend.Profile, f sayFlags, changed func(flag string) bool, body map[string]any,
) error {
	for name, value := range map[string]any{
		"voice": f.voice, "language": f.language, "speed": f.speed, "seed": f.seed,
	} {
		if changed(name) {
			body[name] = value
		}
	}
	if err := p.downloadFor(ctx, c, profile, f); err != nil {
		return err
	}
	if !isHosted(profile, f.voice) {
		return p.prepareVerifier(ctx, c, cmp.Or(f.language, profile.Language), body)
	}
	var accepted *int64
	if changed(priceFlag) {
		accepted = &f.accept
	}
	return p.acceptPrice(ctx, c, body, accepted)
}

// isHosted reports whether a voice as MODEL:VOICE, or without one that of a profile, is of the hosted service.
func isHosted(profile backend.Profile, voice string) bool {
	if voice != "" {
		return strings.HasPrefix(voice, backend.HostedEngine+":")
	}
	return profile.VoiceType == backend.VoiceHosted
}

// printSpeech prints the text, the length, the speed and the file of a generation, and the parts of the text that it lacks.
func (p speechCommands) printSpeech(g client.Generation, out string, elapsed time.Duration) error {
	if p.json {
		g.Output = out
		return p.printJSON(g)
	}
	err := p.printf("Text:  %s\nVoice: %s (%s)\nAudio: %.2f s, generated in %.2f s (%.1fx real time)\nFile:  %s\n",
		oneLine(g.Text, 100), g.ProfileName, modelVoice(g), g.Duration, elapsed.Seconds(),
		g.Duration/elapsed.Seconds(), out)
	if g.Receipt == nil {
		return err
	}
	if g.Receipt.Hosted != nil {
		err = errors.Join(err, p.printf("Price: %s\n", paid(g)))
	}
	return errors.Join(err, p.printParts("Skipped", g.Receipt.DroppedTags), p.printParts("Shortened to 60 s", g.Receipt.Shortened))
}

// modelVoice returns the model of a generation and its voice, unless that is cloned and so is the profile's.
func modelVoice(g client.Generation) string {
	if g.Cloned() {
		return g.ModelName
	}
	return strings.TrimSuffix(g.ModelName+":"+g.Voice, ":")
}

// printParts prints a line with parts of a text, if there are any.
func (p speechCommands) printParts(label string, parts []string) error {
	if len(parts) == 0 {
		return nil
	}
	return p.printf("%s: %s\n", label, oneLine(strings.Join(parts, " "), 100))
}

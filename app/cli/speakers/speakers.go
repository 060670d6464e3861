// Package speakers has the commands for known speakers and for voices.
package speakers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/voiceprints"
)

// Program is what the commands of this package need of the command line.
type Program interface {
	// With calls f with a client of the local API.
	With(ctx context.Context, f func(c *client.Client) error) error
	// Transcripts returns the transcripts that match, without their lines.
	Transcripts(ctx context.Context, c *client.Client, match func(backend.Transcript) bool) ([]backend.Transcript, error)
	// Agree returns once a question on a terminal was answered with yes, at once without a terminal. Error: a wrong use where the answer
	// is no.
	Agree(ctx context.Context, question string) error
	// ShowResult prints v with --json, else a table, where there is one, and text below it, where there is any.
	ShowResult(v any, header string, rows [][]string, text string) error
	// PathInJSON returns a path as the API takes it.
	PathInJSON(path string) string
}

// Commands returns the commands.
func Commands(p Program) []*cobra.Command {
	return []*cobra.Command{list(p), remember(p), forget(p), verify(p)}
}

func known(ctx context.Context, c *client.Client) (all backend.List[voiceprints.KnownSpeaker], err error) {
	err = c.Call(ctx, http.MethodGet, "/speakers", nil, &all)
	return all, err
}

func list(p Program) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the people whose voices are remembered", Args: usage.NoArgs,
		Long: "List the people whose voices are remembered, with who said that they may be, and the seconds of speech that the voice print\n" +
			"was made of. A print of another version of the model than the one that is installed is not usable: remember the voice again.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.With(cmd.Context(), func(c *client.Client) error {
				all, err := known(cmd.Context(), c)
				if err != nil {
					return err
				}
				rows := make([][]string, len(all.Items))
				for i, s := range all.Items {
					usable := "yes"
					if !s.Usable {
						usable = "no"
					}
					rows[i] = []string{
						s.ID, s.Name, fmt.Sprintf("%.0f", s.Seconds), fmt.Sprint(s.Recordings), usable,
						string(s.Consent.Kind), s.Consent.By, s.Consent.At.Local().Format("2006-01-02"),
					}
				}
				return p.ShowResult(all, "ID NAME SECONDS RECORDINGS USABLE CONSENT BY ON", rows, "")
			})
		},
	}
}

func remember(p Program) *cobra.Command {
	var consent usage.Consent
	var name string
	cmd := &cobra.Command{
		Use: "remember TRANSCRIPT SPEAKER", Short: "Remember the voice of a speaker of a transcript, to suggest the name in later ones",
		Long: "Remember the voice of a speaker of a transcript, so that later transcripts suggest the name. TRANSCRIPT is the id, title or\n" +
			"file name of a transcript with its audio, SPEAKER the name there. A name that is known gets a better voice print. Remember\n" +
			"only your own voice, or one whose owner allowed it. The print stays on this machine, and is in no backup unless you say so.",
		Example: `  voicewright speakers remember interview.mp3 "Speaker 1" --name Anna --consent permission`,
		Args:    usage.ExactArgs("TRANSCRIPT", "SPEAKER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := consent.Check(true); err != nil {
				return err
			}
			return p.With(cmd.Context(), func(c *client.Client) error {
				t, err := transcript(cmd.Context(), p, c, args[0])
				if err != nil {
					return err
				}
				body := map[string]string{
					"transcription_id": t.ID, "speaker": speaker(t, args[1]), "name": name, "consent": consent.Kind, "consent_by": consent.By,
				}
				var s voiceprints.KnownSpeaker
				if err := c.Call(cmd.Context(), http.MethodPost, "/speakers", body, &s); err != nil {
					return err
				}
				return p.ShowResult(s, "", nil, fmt.Sprintf("Remembered %s by %.0f s of speech", shown(s.Name), s.Seconds))
			})
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "name of the person (default: SPEAKER)")
	consent.Add(cmd, "remembered")
	return cmd
}

// transcript returns the transcript with this id, else the one with this title or file name.
func transcript(ctx context.Context, p Program, c *client.Client, key string) (t backend.Transcript, err error) {
	same, err := p.Transcripts(ctx, c, func(t backend.Transcript) bool {
		return t.ID == key || strings.EqualFold(t.Title, key) || strings.EqualFold(t.FileName, key)
	})
	switch {
	case err != nil:
		return t, err
	case len(same) == 0:
		return t, backend.E(backend.CodeTranscriptNotFound, fmt.Sprintf("There is no transcript %q.", key), "Check its title, or use its id.")
	case len(same) > 1:
		ids := make([]string, len(same))
		for i, t := range same {
			ids[i] = t.ID
		}
		return t, usage.Errorf("%q are several transcripts; use one of the ids %s", key, strings.Join(ids, ", "))
	}
	err = c.Call(ctx, http.MethodGet, "/transcriptions/"+url.PathEscape(same[0].ID), nil, &t)
	return t, err
}

// speaker returns the name that a speaker has in a transcript, case does not matter.
func speaker(t backend.Transcript, name string) string {
	for _, s := range t.Speakers {
		if strings.EqualFold(s.Name, name) {
			return s.Name
		}
	}
	return name
}

func forget(p Program) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "forget NAME-or-ID...", Short: "Forget people, and delete their voice prints at once", Args: usage.SomeArgs("NAME-or-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return p.With(ctx, func(c *client.Client) error {
				ids, names, err := find(ctx, c, args)
				if err != nil {
					return err
				}
				if !yes {
					if err := p.Agree(ctx, "Forget "+strings.Join(names, ", ")+", and delete the voice prints?"); err != nil {
						return err
					}
				}
				for _, id := range ids {
					if err := c.Call(ctx, http.MethodDelete, "/speakers/"+url.PathEscape(id), nil, nil); err != nil {
						return err
					}
				}
				return p.ShowResult(map[string]any{"deleted": ids}, "", nil, "Forgot "+strings.Join(names, ", "))
			})
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "forget them without a question")
	return cmd
}

// find returns the known speakers with these names or ids. The id of a file that cannot be read is that of a speaker too.
func find(ctx context.Context, c *client.Client, keys []string) (ids, names []string, err error) {
	all, err := known(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	for _, key := range keys {
		i := slices.IndexFunc(all.Items, func(s voiceprints.KnownSpeaker) bool { return s.ID == key || strings.EqualFold(s.Name, key) })
		switch {
		case i >= 0 && slices.Contains(ids, all.Items[i].ID):
		case i >= 0:
			ids, names = append(ids, all.Items[i].ID), append(names, shown(all.Items[i].Name))
		case len(key) == len("00000000-0000-0000-0000-000000000000") && strings.Count(key, "-") == 4:
			ids, names = append(ids, key), append(names, key)
		default:
			return nil, nil, backend.E(backend.CodeNotFound, fmt.Sprintf("There is no known speaker %q.", key),
				"List them with voicewright speakers list.")
		}
	}
	return ids, names, nil
}

// shown returns a name in one line.
func shown(name string) string { return printable.Shortened(backend.OneLine(name), 100) }

package cli

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
)

func (p hostedCommands) hostedVoices() *cobra.Command {
	filter := map[string]*string{}
	var favorite, refresh bool
	cmd := p.command("voices", "List the voices of the hosted service, with their prices", usage.NoArgs,
		func(ctx context.Context, c *client.Client, _ []string) error {
			query := url.Values{}
			for name, value := range filter {
				if *value != "" {
					query.Set(name, *value)
				}
			}
			if refresh {
				if err := c.Call(ctx, http.MethodGet, "/hosted/voices?refresh=true&limit=1", nil, nil); err != nil {
					return err
				}
			}
			if favorite {
				query.Set("favorite", "true")
			}
			return p.printHostedVoices(ctx, c, query)
		})
	flags := cmd.Flags()
	for _, f := range [][2]string{
		{"search", "words in the name, language, accent or category"},
		{"language", "language tag, such as en or pt-BR"},
		{"gender", "female or male"},
		{"provider", "provider, such as ProviderA"},
		{"category", "category, such as narrator"},
		{"accent", "accent"},
	} {
		filter[f[0]] = flags.String(f[0], "", f[1])
	}
	flags.BoolVar(&favorite, "favorite", false, "favourites only")
	flags.BoolVar(&refresh, "refresh", false, "get a new list from the service first")
	return cmd
}

// printHostedVoices prints voices with all their fields as JSON, or as a table.
func (p hostedCommands) printHostedVoices(ctx context.Context, c *client.Client, query url.Values) error {
	return printAll(ctx, p.program, c, "/hosted/voices", query, "NAME LANGUAGE GENDER PROVIDER CATEGORY CREDITS/1000 FAVOURITE ID",
		func(raw json.RawMessage) []string {
			var v hostedVoice
			_ = json.Unmarshal(raw, &v) // it is JSON, as the list is
			star := ""
			if v.Favorite {
				star = "yes"
			}
			return []string{v.Name, v.Language, string(v.Gender), v.Provider, v.Category, priceText(v.Per1000), star, v.ID}
		})
}

func (p hostedCommands) hostedFavorites() *cobra.Command {
	list := func(ctx context.Context, c *client.Client, _ []string) error {
		return p.printHostedVoices(ctx, c, url.Values{"favorite": {"true"}})
	}
	cmd := group("favorites", "The favourite voices of your account",
		p.command("list", "List the favourites", usage.NoArgs, list),
		p.command("add VOICE", "Add a voice, by name or ID", usage.ExactArgs("VOICE"), p.setFavorite(true)),
		p.command("rm VOICE", "Remove a voice, by name or ID", usage.ExactArgs("VOICE"), p.setFavorite(false)),
	)
	withoutArgs := p.command("", "", usage.NoArgs, list)
	refuse := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return refuse(cmd, args)
		}
		return withoutArgs.RunE(cmd, args)
	}
	return cmd
}

func (p hostedCommands) setFavorite(favorite bool) action {
	return func(ctx context.Context, c *client.Client, args []string) error {
		v, err := findHostedVoice(ctx, c, args[0])
		if err != nil {
			return err
		}
		var raw json.RawMessage
		body := map[string]bool{"favorite": favorite}
		if err := c.Call(ctx, http.MethodPut, "/hosted/voices/"+url.PathEscape(v.ID)+"/favorite", body, &raw); err != nil {
			return err
		}
		if favorite {
			return p.print(raw, "Added %s to the favourites", v.Name)
		}
		return p.print(raw, "Removed %s from the favourites", v.Name)
	}
}

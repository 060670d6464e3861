package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// keysPath is the route of the hosted service for API keys, which the local API forwards.
const keysPath = "/api/v1/user/api-keys"

// apiKey is a key as the hosted service lists it.
type apiKey struct {
	ID         string     `json:"id"`
	KeyPrefix  string     `json:"keyPrefix"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt"`
	RevokedAt  *time.Time `json:"revokedAt"`
}

func (p hostedCommands) hostedKeys() *cobra.Command {
	return group("keys", "The API keys of your account; needs a sign-in",
		p.keysList(), p.keysCreate(), p.keysRevoke(), p.keysForget())
}

func listKeys(ctx context.Context, c *client.Client) ([]apiKey, error) {
	var list struct {
		Keys []apiKey `json:"apiKeys"`
	}
	err := c.Call(ctx, http.MethodGet, keysPath, nil, &list)
	return list.Keys, err
}

func (p hostedCommands) keysList() *cobra.Command {
	return p.command("list", "List the keys, also revoked ones", usage.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		keys, err := listKeys(ctx, c)
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(backend.List[apiKey]{Items: append([]apiKey{}, keys...), Total: len(keys)})
		}
		rows := make([][]string, len(keys))
		for i, k := range keys {
			rows[i] = []string{k.KeyPrefix + "…", k.Name, dateOf(&k.CreatedAt, ""), dateOf(k.LastUsedAt, "never"), dateOf(k.RevokedAt, ""), k.ID}
		}
		return p.table("KEY NAME CREATED USED REVOKED ID", rows)
	})
}

func dateOf(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return t.Local().Format(time.DateOnly)
}

func (p hostedCommands) keysCreate() *cobra.Command {
	var show bool
	cmd := p.command("create [NAME]", "Create a key and store it on this machine", atMostOne("NAME"),
		func(ctx context.Context, c *client.Client, args []string) error {
			body := map[string]string{"name": strings.Join(args, "")}
			if show {
				return p.createShownKey(ctx, c, body)
			}
			var created struct {
				KeyPrefix string `json:"key_prefix"`
			}
			if err := c.Call(ctx, http.MethodPost, "/hosted/key", body, &created); err != nil {
				return err
			}
			return p.print(created, "Created the API key %s… and stored it on this machine", created.KeyPrefix)
		})
	cmd.Flags().BoolVar(&show, "show", false, "print the key, once and for another program, in place of storing it")
	return cmd
}

// createShownKey creates a key for another program and prints it.
func (p hostedCommands) createShownKey(ctx context.Context, c *client.Client, body map[string]string) error {
	var created struct {
		Key    string `json:"key"`
		APIKey apiKey `json:"apiKey"`
	}
	if err := c.Call(ctx, http.MethodPost, keysPath, body, &created); err != nil {
		return err
	}
	if !p.json {
		p.notef("This is the only time that the key is shown:")
	}
	return p.print(created, "%s", created.Key)
}

func (p hostedCommands) keysRevoke() *cobra.Command {
	return p.command("revoke KEY", "Revoke a key for good: by ID, name or first characters", usage.ExactArgs("KEY"),
		func(ctx context.Context, c *client.Client, args []string) error {
			key, err := findKey(ctx, c, args[0])
			if err != nil {
				return err
			}
			if err := c.Call(ctx, http.MethodDelete, keysPath+"/"+url.PathEscape(key.ID), nil, nil); err != nil {
				return err
			}
			return p.print(map[string]string{"revoked": key.ID, "key_prefix": key.KeyPrefix}, "Revoked the API key %s…", key.KeyPrefix)
		})
}

// shortestPrefix is how many first characters name a key: those that are the same in all keys, and four more, as the status shows.
const shortestPrefix = len("svc_sk_") + 4

// findKey returns the key with this id, else the valid one with this name, or that begins like this. Errors: not_found.
func findKey(ctx context.Context, c *client.Client, given string) (apiKey, error) {
	keys, err := listKeys(ctx, c)
	if err != nil {
		return apiKey{}, err
	}
	given = strings.TrimSuffix(given, "…")
	var matches []apiKey
	for _, k := range keys {
		if k.ID == given {
			return k, nil
		}
		if k.RevokedAt == nil && (strings.EqualFold(k.Name, given) || len(given) >= shortestPrefix && strings.HasPrefix(k.KeyPrefix, given)) {
			matches = append(matches, k)
		}
	}
	switch len(matches) {
	case 0:
		return apiKey{}, backend.E(backend.CodeNotFound, fmt.Sprintf("Your account has no API key %q.", given),
			"List the keys with `voicewright hosted keys list`.")
	case 1:
		return matches[0], nil
	default:
		return apiKey{}, usage.Errorf("%d keys are %q; use the ID of one", len(matches), given)
	}
}

func (p hostedCommands) keysForget() *cobra.Command {
	return p.command("forget", "Forget the key on this machine; it stays valid", usage.NoArgs,
		func(ctx context.Context, c *client.Client, _ []string) error {
			if err := c.Call(ctx, http.MethodDelete, "/hosted/key", nil, nil); err != nil {
				return err
			}
			return p.print(map[string]string{"key_prefix": ""}, "Forgot the API key; it is still valid until you revoke it")
		})
}

func atMostOne(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usage.CommandErrorf(cmd, "takes only %s", usage.WithArticles([]string{name}))
		}
		return nil
	}
}

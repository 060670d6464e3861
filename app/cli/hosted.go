package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/folding"
)

func (p hostedCommands) hosted() *cobra.Command {
	return group("hosted", "Use a hosted speech service",
		p.hostedLogin(), p.hostedLogout(), p.hostedStatus(), p.hostedVoices(), p.hostedSay(), p.hostedDialogue(), p.hostedEnhance(),
		p.hostedFavorites(), p.hostedKeys(), p.hostedUsage(),
	)
}

// hostedAccount is what `GET /hosted/status` says, in the fields that the commands read.
type hostedAccount struct {
	Enabled    bool       `json:"enabled"`
	Configured bool       `json:"configured"`
	BaseURL    string     `json:"base_url"`
	SignedIn   bool       `json:"signed_in"`
	Account    string     `json:"account"`
	Email      string     `json:"email"`
	SignedInAt *time.Time `json:"signed_in_at"`
	KeyPrefix  string     `json:"key_prefix"`
	Plan       string     `json:"plan"`
	Credits    *int64     `json:"credits"`
	Payg       *int64     `json:"payg_credits"`
	ExpiresAt  *time.Time `json:"expires_at"`

	Error  *backend.Failure `json:"error"`
	Notice *struct {
		Kind      string     `json:"kind"`
		ExpiresAt *time.Time `json:"expires_at"`
	} `json:"notice"`
	Login struct {
		Status  string           `json:"status"`
		Error   *backend.Failure `json:"error"`
		Expires *time.Time       `json:"expires_at"`
	} `json:"login"`
	Secrets struct {
		Place string `json:"place"`
	} `json:"secrets"`
}

func readAccount(ctx context.Context, c *client.Client) (a hostedAccount, raw json.RawMessage, err error) {
	if err = c.Call(ctx, http.MethodGet, "/hosted/status", nil, &raw); err == nil {
		err = json.Unmarshal(raw, &a)
	}
	return a, raw, err
}

func (p hostedCommands) hostedStatus() *cobra.Command {
	return p.command("status", "Show sign-in, key, plan and credits", usage.NoArgs,
		func(ctx context.Context, c *client.Client, _ []string) error {
			a, raw, err := readAccount(ctx, c)
			if err != nil {
				return err
			}
			if err := p.print(raw, "%s", strings.Join(accountLines(a), "\n")); err != nil || p.json {
				return err
			}
			if a.Error != nil {
				p.notef("%s %s", a.Error.Detail, a.Error.Remedy)
			}
			if a.Notice != nil && a.Notice.Kind == "plan_expired" {
				p.notef("Your plan has expired.")
			}
			return nil
		})
}

// accountLines returns what is known of the account.
func accountLines(a hostedAccount) []string {
	if !a.Configured {
		return []string{"Service: none; set hosted.base_url in Settings"}
	}
	lines := []string{"Service: " + a.BaseURL}
	if !a.Enabled {
		lines[0] += " (turned off)"
	}
	signedIn := "no"
	if a.SignedIn {
		signedIn = "yes, as " + a.person()
	}
	lines = append(lines, "Signed in: "+signedIn)
	if a.KeyPrefix != "" {
		lines = append(lines, "API key: "+a.KeyPrefix+"…")
	} else {
		lines = append(lines, "API key: none")
	}
	if a.SignedIn || a.KeyPrefix != "" {
		lines = append(lines, "Stored in: "+a.Secrets.Place)
	}
	if a.Credits != nil {
		lines = append(lines, "Plan: "+a.Plan+until(a.ExpiresAt), "Credits: "+strconv.FormatInt(*a.Credits, 10)+ofPayg(a.Payg))
	}
	return lines
}

// person returns the account's name, with its email address where that is another.
func (a hostedAccount) person() string {
	if a.Email != "" && a.Email != a.Account {
		return fmt.Sprintf("%s <%s>", a.Account, a.Email)
	}
	return a.Account
}

func until(t *time.Time) string {
	if t == nil {
		return ""
	}
	return ", until " + t.Local().Format(time.DateOnly)
}

func ofPayg(n *int64) string {
	if n == nil || *n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of them pay-as-you-go)", *n)
}

// hostedVoice is a voice of the hosted service, in the fields that the commands read.
type hostedVoice struct {
	backend.HostedVoice
	Model     string `json:"model"`
	Per1000   *int64 `json:"credits_per_1000"`
	ProfileID string `json:"profile_id"` // of a profile with this voice, if there is one
}

// findHostedVoice returns the voice with this id, else the one with this name, ignoring case and, where no name is equal, accents.
// Errors: hosted_voice_not_found, a wrong use that lists the voices where several have the name.
func findHostedVoice(ctx context.Context, c *client.Client, key string) (voice hostedVoice, err error) {
	if id, ok := hostedKey(key); ok {
		key = id
	}
	key = strings.TrimSpace(key)
	var named, similar []hostedVoice
	err = eachItem(ctx, c, "/hosted/voices", url.Values{}, func(v hostedVoice) bool {
		if strings.EqualFold(v.ID, key) {
			named = []hostedVoice{v}
			return false
		}
		switch {
		case strings.EqualFold(norm.NFC.String(v.Name), norm.NFC.String(key)):
			named = append(named, v)
		case folding.Key(v.Name) == folding.Key(key):
			similar = append(similar, v)
		}
		return true
	})
	if len(named) == 0 {
		named = similar
	}
	switch {
	case err != nil:
		return voice, err
	case len(named) == 0:
		return voice, backend.E(backend.CodeHostedVoiceNotFound, fmt.Sprintf("The hosted service has no voice %q.", key),
			"List the voices with `voicewright hosted voices`.")
	case len(named) > 1:
		return voice, usage.Errorf("%d voices are named %q; use the ID of one: %s", len(named), key, choicesOf(named))
	}
	return named[0], nil
}

// hostedKey returns the name or id of a hosted voice that is given as hosted:VOICE; ok is false for another one.
func hostedKey(voice string) (key string, ok bool) {
	engine, key, ok := strings.Cut(voice, ":")
	return strings.TrimSpace(key), ok && strings.EqualFold(strings.TrimSpace(engine), backend.HostedEngine)
}

// choicesOf returns the ids of voices of one name, with what tells them apart.
func choicesOf(voices []hostedVoice) string {
	choices := make([]string, len(voices))
	for i, v := range voices {
		about := v.Provider
		if v.Language != "" {
			about += ", " + v.Language
		}
		if v.Per1000 != nil {
			about += ", " + priceText(v.Per1000) + " credits per 1,000 characters"
		}
		choices[i] = fmt.Sprintf("%s (%s)", v.ID, about)
	}
	return strings.Join(choices, "; ")
}

func priceText(per1000 *int64) string {
	if per1000 == nil {
		return "unknown"
	}
	return strconv.FormatInt(*per1000, 10)
}

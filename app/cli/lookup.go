package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// eachItem calls f with the items of a list, page by page, until f returns false.
func eachItem[T any](ctx context.Context, c *client.Client, path string, query url.Values, f func(T) bool) error {
	query.Set("limit", fmt.Sprint(backend.MaxPageLimit))
	for {
		var list backend.List[T]
		if err := c.Call(ctx, http.MethodGet, path+"?"+query.Encode(), nil, &list); err != nil {
			return err
		}
		for _, item := range list.Items {
			if !f(item) {
				return nil
			}
		}
		if list.NextCursor == nil {
			return nil
		}
		query.Set("cursor", *list.NextCursor)
	}
}

// firstProfile returns the first profile of a query that matches; ok is false when none does.
func firstProfile(ctx context.Context, c *client.Client, query url.Values, match func(backend.Profile) bool) (
	profile backend.Profile, ok bool, err error,
) {
	err = eachItem(ctx, c, "/profiles", query, func(p backend.Profile) bool {
		if match(p) {
			profile, ok = p, true
		}
		return !ok
	})
	return profile, ok, err
}

// findProfile returns the profile with this name or id; without a key the one of the voice, else the built-in voice, else
// the oldest.
func findProfile(ctx context.Context, c *client.Client, key, voice string) (backend.Profile, error) {
	if key != "" {
		return profileByKey(ctx, c, key)
	}
	if model, id, ok := strings.Cut(voice, ":"); ok {
		p, ok, err := firstProfile(ctx, c, url.Values{"voice_type": {"preset"}}, func(p backend.Profile) bool {
			return p.ModelName == model && (id == "" || p.PresetVoiceID == id || strings.HasSuffix(p.PresetVoiceID, "#"+id))
		})
		if ok || err != nil {
			return p, err
		}
	}
	p, err := profileByKey(ctx, c, backend.BuiltInProfileName)
	if backend.CodeOf(err) != backend.CodeProfileNotFound {
		return p, err
	}
	p, ok, err := firstProfile(ctx, c, url.Values{"sort": {"oldest"}}, func(backend.Profile) bool { return true })
	if err == nil && !ok {
		err = backend.E(backend.CodeProfileNotFound, "There are no voice profiles.",
			"Create one with voicewright profiles create NAME.")
	}
	return p, err
}

// findVoice is findProfile with the voice as the API takes it: hosted:ID for the name of a hosted voice, whose profile is used
// where it has one.
func findVoice(ctx context.Context, c *client.Client, key, voice string) (backend.Profile, string, error) {
	name, ok := hostedKey(voice)
	if !ok {
		p, err := findProfile(ctx, c, key, voice)
		return p, voice, err
	}
	v, err := findHostedVoice(ctx, c, name)
	if err != nil {
		return backend.Profile{}, "", err
	}
	if key == "" {
		key = v.ProfileID
	}
	p, err := findProfile(ctx, c, key, "")
	return p, backend.HostedEngine + ":" + v.ID, err
}

// profileByKey returns the profile with this id, else the one with this name, ignoring case.
func profileByKey(ctx context.Context, c *client.Client, key string) (backend.Profile, error) {
	p, ok, err := byID[backend.Profile](ctx, c, "/profiles/", key, backend.CodeProfileNotFound)
	if ok || err != nil {
		return p, err
	}
	p, ok, err = firstProfile(ctx, c, url.Values{}, func(p backend.Profile) bool {
		return strings.EqualFold(p.Name, strings.TrimSpace(key))
	})
	if err == nil && !ok {
		err = backend.E(backend.CodeProfileNotFound, fmt.Sprintf("There is no profile %q.", key),
			"List the profiles with voicewright profiles list.")
	}
	return p, err
}

// byID returns the item with the id key below path; ok is false when key is no id, or the API answers with code missing.
func byID[T any](ctx context.Context, c *client.Client, path, key string, missing backend.Code) (item T, ok bool, err error) {
	id, err := uuid.Parse(key)
	if err != nil {
		return item, false, nil //nolint:nilerr // a name
	}
	err = c.Call(ctx, http.MethodGet, path+id.String(), nil, &item)
	if backend.CodeOf(err) == missing {
		return item, false, nil
	}
	return item, err == nil, err
}

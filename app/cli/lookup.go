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

// eachItem hands over the items of a list, part by part, until on is false.
func eachItem[T any](ctx context.Context, c *client.Client, path string, query url.Values, on func(T) bool) error {
	query.Set("limit", fmt.Sprint(backend.MaxPageLimit))
	for {
		var list backend.List[T]
		if err := c.Call(ctx, http.MethodGet, path+"?"+query.Encode(), nil, &list); err != nil {
			return err
		}
		for _, item := range list.Items {
			if !on(item) {
				return nil
			}
		}
		if list.NextCursor == nil {
			return nil
		}
		query.Set("cursor", *list.NextCursor)
	}
}

// eachProfile hands over the profiles of a selection until on is false.
func eachProfile(ctx context.Context, c *client.Client, query url.Values, on func(backend.Profile) bool) error {
	return eachItem(ctx, c, "/profiles", query, on)
}

// firstProfile gives the first profile of a selection that fits; ok is false when none does.
func firstProfile(ctx context.Context, c *client.Client, query url.Values, fits func(backend.Profile) bool) (
	found backend.Profile, ok bool, err error,
) {
	err = eachProfile(ctx, c, query, func(p backend.Profile) bool {
		if fits(p) {
			found, ok = p, true
		}
		return !ok
	})
	return found, ok, err
}

// findProfile gives the profile by name or id; without one that of the voice, else the built-in voice, else any.
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
		err = backend.E(backend.CodeProfileNotFound, "There is no voice profile.",
			"Make one with voicewright profiles create NAME.")
	}
	return p, err
}

// profileByKey finds a profile by its id, else by its whole name, without case.
func profileByKey(ctx context.Context, c *client.Client, key string) (backend.Profile, error) {
	if id, err := uuid.Parse(key); err == nil {
		var p backend.Profile
		err := c.Call(ctx, http.MethodGet, "/profiles/"+id.String(), nil, &p)
		if backend.CodeOf(err) != backend.CodeProfileNotFound {
			return p, err
		}
	}
	p, ok, err := firstProfile(ctx, c, url.Values{}, func(p backend.Profile) bool {
		return strings.EqualFold(p.Name, strings.TrimSpace(key))
	})
	if err == nil && !ok {
		err = backend.E(backend.CodeProfileNotFound, fmt.Sprintf("There is no profile %q.", key),
			"See voicewright profiles list.")
	}
	return p, err
}

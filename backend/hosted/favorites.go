package hosted

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// SetFavorite adds a voice to the service's list of favourites, or removes it, and returns it. The service can only toggle, so
// its list is read first. Errors: hosted_voice_not_found, those of the service.
func (s *voiceList) SetFavorite(ctx context.Context, id string, favorite bool) (ListedVoice, error) {
	account, err := s.o.Credentials.ready()
	if err != nil {
		return ListedVoice{}, err
	}
	list, _, err := s.catalogue(ctx, false)
	if err != nil {
		return ListedVoice{}, err
	}
	v, ok := list.voice(id)
	if !ok {
		return ListedVoice{}, errVoiceNotFound(id)
	}
	if err := s.stars.lock(ctx); err != nil {
		return ListedVoice{}, err
	}
	defer s.stars.unlock()
	if err := s.star(ctx, v.ID, favorite); err != nil {
		return ListedVoice{}, client.AsError(err)
	}
	if newer := s.kept(account); newer != nil {
		list = newer
	}
	changed := list.withFavorite(v.ID, favorite)
	s.keep(changed)
	s.o.Changed()
	profiles, err := s.profilesByVoice(ctx)
	if err != nil {
		return ListedVoice{}, err
	}
	v.Favorite = favorite
	return s.listed(changed, v, profiles), nil
}

// star makes the service's list of favourites have a voice, or not have it.
func (s *voiceList) star(ctx context.Context, id string, favorite bool) error {
	starred, err := s.o.Client.Favorites(ctx)
	if err != nil {
		return err
	}
	is := slices.ContainsFunc(starred, func(v backend.HostedVoice) bool { return v.ID == id })
	for range 2 { // another program may have toggled it at the same time
		if is == favorite {
			return nil
		}
		if is, err = s.o.Client.ToggleFavorite(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// withFavorite returns a copy of the catalogue in which a voice is a favourite, or not.
func (c *catalogue) withFavorite(id string, favorite bool) *catalogue {
	changed := *c
	changed.Voices = slices.Clone(c.Voices)
	if i, ok := c.byID[id]; ok {
		changed.Voices[i].Favorite = favorite
	}
	return &changed
}

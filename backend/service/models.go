package service

import "slices"

// models returns the speech models, those of a provider together. The first of a provider speaks where a request names a model
// of another one.
func models() []Model {
	pro := Pro
	return []Model{
		{
			ID: ModelV3, Name: "v3", Provider: ProviderA, Category: "Expressive", PlanRequired: &pro,
			Description: "Speaks with emotion. Understands audio tags such as [laughs] and speaks dialogues.",
		},
		{
			ID: "providerA-multilingual-v2", Name: "Multilingual v2", Provider: ProviderA, Category: "Expressive", PlanRequired: &pro,
			Description: "Natural speech in many languages, without audio tags.",
		},
		{
			ID: "providerA-flash-v2-5", Name: "Flash v2.5", Provider: ProviderA, Category: "Expressive", PlanRequired: &pro,
			Description: "Natural speech with a shorter wait, without audio tags.",
		},
		{
			ID: "providerB-2-5-flash", Name: "2.5 Flash", Provider: ProviderB, Category: "Fast", PlanRequired: &pro,
			Description: "Clear speech with a short wait.",
		},
		{
			ID: "providerB-2-5-pro", Name: "2.5 Pro", Provider: ProviderB, Category: "Fast", PlanRequired: &pro,
			Description: "Clear speech of higher quality.",
		},
		{
			ID: "providerC-neural2", Name: "Neural2", Provider: ProviderC, Category: "Standard",
			Description: "Everyday speech, on every plan.",
		},
		{
			ID: "providerC-wavenet", Name: "Wavenet", Provider: ProviderC, Category: "Standard",
			Description: "Everyday speech with older voices, on every plan.",
		},
	}
}

// Models returns the speech models with their prices.
func (c *catalogue) Models() []Model {
	all := models()
	for i, m := range all {
		all[i].Rate = c.o.Prices.rate(m)
	}
	return all
}

// SupportedModels returns the ids of the models that speak with a voice.
func (c *catalogue) SupportedModels(v Voice) []string {
	ids := []string{} // [] in JSON, not null
	for _, m := range models() {
		if m.Provider == v.Provider {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// model returns the model with an id.
func model(id string) (Model, bool) {
	all := models()
	i := slices.IndexFunc(all, func(m Model) bool { return m.ID == id })
	if i < 0 {
		return Model{}, false
	}
	return all[i], true
}

// serving returns the model that speaks for a provider when a request names another one: the named model where it is the
// provider's, else the provider's first.
func serving(p ProviderID, named Model) Model {
	if named.Provider == p {
		return named
	}
	all := models()
	return all[slices.IndexFunc(all, func(m Model) bool { return m.Provider == p })]
}

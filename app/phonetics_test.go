package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAroundPhonemes(t *testing.T) {
	for text, want := range map[string]string{
		"Say it.":                 "<Say it.>",
		"It is [[fˈæst]].":        "<It is> fˈæst.",
		"[[ˈa]] and [[ b ]]s, so": "ˈa <and> b<s, so>",
		"[[a]] [[b]]":             "a b",
		"left [[open":             "<left [[open>",
		"":                        "",
	} {
		got, err := aroundPhonemes(text, func(words string) (string, error) { return "<" + words + ">", nil })
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}

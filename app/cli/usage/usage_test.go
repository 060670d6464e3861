package usage_test

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/usage"
)

// TestArguments says what a command needs, with its name as it is typed.
func TestArguments(t *testing.T) {
	t.Parallel()
	root, models, rename := &cobra.Command{Use: "voicewright"}, &cobra.Command{Use: "models"}, &cobra.Command{Use: "rename FILE ID"}
	root.AddCommand(models)
	models.AddCommand(rename)
	for _, c := range []struct {
		check cobra.PositionalArgs
		args  []string
		want  string // empty: accepted
	}{
		{usage.NoArgs, nil, ""},
		{usage.NoArgs, []string{"x"}, `models rename takes no argument "x"`},
		{usage.ExactArgs("FILE", "ID"), []string{"a", "b"}, ""},
		{usage.ExactArgs("FILE", "ID"), []string{"a"}, "models rename needs a FILE and an ID"},
		{usage.ExactArgs("FILE"), []string{"a", "b"}, "models rename takes only a FILE; put what has blanks in quotes"},
		{usage.SomeArgs("an ID"), []string{"a", "b"}, ""},
		{usage.SomeArgs("an ID"), nil, "models rename needs an ID"},
	} {
		err := c.check(rename, c.args)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, c.want)
	}
}

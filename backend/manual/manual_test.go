package manual

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// program returns a command line with everything that roff would take for something else.
func program() *cobra.Command {
	root := &cobra.Command{Use: "bell [FILE...]", Short: "Rings", Long: "Rings.\n\n  bell -o 'x'\n\n.so a dot, and a \\ backslash"}
	root.PersistentFlags().StringP("data", "d", "/home/ann/data", "`DIR` of ~ and ^ and `x`")
	root.Flags().Bool("quiet", false, "make no noise")
	loud := &cobra.Command{Use: "loud TEXT", Short: "Ring \"loudly\"", Run: func(*cobra.Command, []string) {}}
	loud.Flags().Int("times", 3, "how often")
	hidden := &cobra.Command{Use: "secret", Hidden: true, Run: func(*cobra.Command, []string) {}}
	root.AddCommand(loud, hidden, Command(Page{Version: "1.2", Chapter: 1, Home: "/home/ann", More: []Section{{"FILES", [][2]string{{"~/bell", "The bell."}}}}}))
	root.Run = func(*cobra.Command, []string) {}
	return root
}

func page(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	root := program()
	root.SetOut(&out)
	root.SetArgs([]string{"manual", "--date", "2026-11-29"})
	require.NoError(t, root.Execute())
	return out.String()
}

// TestPage finds every command and flag, but what is hidden, and nothing of the home directory of whoever makes the page.
func TestPage(t *testing.T) {
	text := page(t)
	for _, part := range []string{
		`.TH "BELL" 1 "2026\-11\-29" "bell 1.2" "User Commands"`, `bell \- rings`, `.SS "bell loud"`, `Ring "loudly".`, `\fB\-\-times\fR \fIint\fR`,
		"how often (default 3)", `\fB\-d\fR, \fB\-\-data\fR \fIDIR\fR`, `(default \(ti/data)`, `\fB\-\-quiet\fR`, `.SH "FILES"`, "The bell.",
		`bell \-o \(aqx\(aq`, `\&.so a dot, and a \e backslash`, `\(ti and \(ha`,
	} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "secret")
	require.NotContains(t, text, "/home")
	require.NotContains(t, text, "\n\n")
}

// TestPageIsReadable shows the page as man does, where there is one.
func TestPageIsReadable(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		groff, err = exec.LookPath("nroff")
	}
	if err != nil {
		return // build/package/package.sh checks the pages of the packages again
	}
	cmd := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-ww")
	cmd.Stdin = strings.NewReader(page(t))
	var out, warnings bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &warnings
	require.NoError(t, cmd.Run())
	require.Empty(t, warnings.String())
	require.Contains(t, out.String(), ".so a dot, and a \\ backslash")
}

// TestVersion wants the version beside arguments that are refused without it.
func TestVersion(t *testing.T) {
	run := func(args ...string) (string, error) {
		root := &cobra.Command{
			Use: "bell", Args: cobra.NoArgs, SilenceErrors: true, SilenceUsage: true,
			RunE: func(cmd *cobra.Command, _ []string) error { cmd.Print("ding"); return nil },
		}
		AddVersion(root, "1.2")
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetArgs(args)
		err := root.Execute()
		return out.String(), err
	}
	for _, args := range [][]string{{"--version"}, {"-v"}, {"--version", "loud"}} {
		out, err := run(args...)
		require.NoError(t, err)
		require.Equal(t, "bell 1.2\n", out)
	}
	out, err := run()
	require.NoError(t, err)
	require.Equal(t, "ding", out)
	_, err = run("loud")
	require.Error(t, err)
}

package manual

import (
	"fmt"

	"github.com/spf13/cobra"
)

// AddVersion adds the flag --version, which prints the name and the version of the program; it comes after Args and RunE are set. The
// flag that cobra adds writes other words, or what a template says. A template calls methods by name: a program that has one keeps
// every exported method of every type, and this one would be larger by 3 MB.
func AddVersion(root *cobra.Command, version string) {
	wanted := root.Flags().BoolP("version", "v", false, "print the version")
	args, run := root.Args, root.RunE
	root.Args = func(cmd *cobra.Command, given []string) error {
		if *wanted {
			return nil
		}
		return args(cmd, given)
	}
	root.RunE = func(cmd *cobra.Command, given []string) error {
		if !*wanted {
			return run(cmd, given)
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), root.Name(), version)
		return err
	}
}

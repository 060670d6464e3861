package usage

import (
	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
)

// Consent are flags that state why a voice may be stored.
type Consent struct{ Kind, By string }

// Add adds the flags; done is what is done with the voice, such as cloned.
func (f *Consent) Add(cmd *cobra.Command, done string) {
	cmd.Flags().StringVar(&f.Kind, "consent", "", "why the voice may be "+done+": own_voice, or permission of its owner")
	cmd.Flags().StringVar(&f.By, "by", "", "whose statement this is (default: the name of your account)")
}

// Check returns an error for another value than those of --consent, and where it is needed for a missing one.
func (f *Consent) Check(needed bool) error {
	switch backend.ConsentKind(f.Kind) {
	case backend.ConsentOwnVoice, backend.ConsentPermission:
		return nil
	case "":
		if needed {
			return Errorf("--consent is missing: it must be own_voice or permission")
		}
		return nil
	default:
		return Errorf("--consent %q must be own_voice or permission", f.Kind)
	}
}

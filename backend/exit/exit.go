// Package exit has the exit codes of the programs (docs/contract/decisions.md section 1).
package exit

import "github.com/voicewright/voicewright/backend"

// The exit codes.
const (
	Done        = 0
	Failed      = 1
	Usage       = 2
	NotFound    = 3
	Needed      = 4 // something that the command cannot get by itself is missing
	Interrupted = 130
)

// CodeOf returns the exit code of a command that ends with an error of this code.
func CodeOf(code backend.Code) int {
	switch code {
	case backend.CodeProfileNotFound, backend.CodeGenerationNotFound, backend.CodeModelUnknown, backend.CodeNotFound,
		backend.CodeAudioMissing, backend.CodeDraftNotFound, backend.CodeWordNotFound, backend.CodeScriptNotFound,
		backend.CodeTranscriptNotFound, backend.CodeHostedVoiceNotFound, backend.CodeHostedModelUnknown, backend.CodeSampleNotFound,
		backend.CodeSampleUnavailable:
		return NotFound
	case backend.CodeNothingToSpeak:
		return Usage
	case backend.CodeRuntimeMissing, backend.CodeHostedNotConfigured, backend.CodeLicenseNotAccepted, backend.CodeOffline,
		backend.CodeHubGated, backend.CodeNoAudioDevice, backend.CodeHostedNotSignedIn, backend.CodeHostedConfirm,
		backend.CodeSecretsUnavailable, backend.CodeSecretNotFound, backend.CodeUpdatesNotConfigured:
		return Needed
	default:
		return Failed
	}
}

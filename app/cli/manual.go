package cli

import (
	"github.com/adrg/xdg"

	"github.com/voicewright/voicewright/backend/manual"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// manualPage returns what the manual page says beside the commands.
func manualPage(version string) manual.Page {
	return manual.Page{Version: version, Chapter: 1, Home: xdg.Home, More: []manual.Section{
		{Title: "EXIT STATUS", Terms: [][2]string{
			{"0", "Done."},
			{"1", "It failed."},
			{"2", "The command line is wrong."},
			{"3", "What the command names does not exist."},
			{"4", "Something is missing that the command cannot get by itself; the message says what to do."},
			{"130", "Stopped by Ctrl-C."},
		}},
		{Title: "ENVIRONMENT", Terms: [][2]string{
			{"VOICEWRIGHT_DATA_DIR", "The default of --data."},
			{"VOICEWRIGHT_MODELS_DIR", "The default of --models."},
			{"VOICEWRIGHT_TOKEN", "The default of --token of serve."},
			{"VOICEWRIGHT_ORT", "The library of ONNX Runtime, or its folder; else it is looked for near the program."},
			{subprocess.PassphraseVariable, "The passphrase of the encrypted file for secrets, where there is no keychain."},
		}},
		{Title: "FILES", Terms: [][2]string{
			{"~/.local/share/voicewright", "Texts, audio, voices, models and settings. No package ever removes it."},
		}},
		{Title: "SEE ALSO", Terms: [][2]string{
			{"espeak-ng(1), ffmpeg(1), pdftotext(1)", "The programs that it starts."},
		}},
	}}
}

//go:build desktop

package desktop

import (
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
)

// windowsOptions returns what is special on Windows. A system without WebView2 asks, and opens the page of its maker, if this is built with
// the tag wv2runtime.browser: the program downloads nothing.
func windowsOptions(t *texts) *windows.Options {
	return &windows.Options{
		Theme:               windows.SystemDefault,
		WebviewUserDataPath: filepath.Join(xdg.DataHome, "voicewright-desktop"), // not in the profile that follows the user to other machines
		Messages: &windows.Messages{
			MissingRequirements: t.webViewTitle, DownloadPage: t.webViewNeeded,
			FailedToInstall: noWebView, WebView2ProcessCrash: t.webViewCrashed, Error: "Voicewright",
		},
	}
}

package desktop

import "github.com/voicewright/voicewright/backend"

// noWebView is the text of the error with which Wails ends on a Windows without WebView2.
const noWebView = "WebView2 is missing"

// errNotOpened returns the error of a window that could not be opened. Codes: runtime_missing, not_permitted.
func errNotOpened(cause error) *backend.Error {
	if cause.Error() == noWebView {
		return backend.E(backend.CodeRuntimeMissing, "The window needs Microsoft Edge WebView2, which is missing or too old.",
			"Install it from https://developer.microsoft.com/microsoft-edge/webview2/ and start Voicewright again, or run voicewright serve "+
				"and open its address in a browser.").With("program", "WebView2").WithCause(cause)
	}
	return backend.E(backend.CodeNotPermitted, "The window could not be opened.",
		"Run voicewright serve and open its address in a browser.").WithCause(cause)
}

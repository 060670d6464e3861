package app

import (
	"os"

	"golang.org/x/sys/windows"
)

// Streams returns the streams of the process, and what to call with its exit code at the end. The window program is one without a
// terminal: when it gets a command line it writes to the terminal that it was started from, and otherwise it shows why it failed.
func Streams(args []string) (streams Stdio, end func(code int)) {
	searchLibrariesSafely()
	streams = Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if hasStream(windows.STD_OUTPUT_HANDLE) || hasStream(windows.STD_ERROR_HANDLE) {
		return streams, func(int) {}
	}
	if len(args) > 0 && attachTerminal(&streams) {
		return streams, func(int) {}
	}
	said := &lastWords{}
	streams.Out, streams.Err = said, said
	return streams, func(code int) {
		if code != 0 && said.String() != "" {
			showError(said.String())
		}
	}
}

// searchLibrariesSafely makes the system look for libraries in the folder of the program and in its own only, not in the current
// directory nor on the PATH: one that lies beside a document must not be loaded.
func searchLibrariesSafely() {
	_ = windows.SetDefaultDllDirectories(windows.LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) // every supported Windows has it
}

// hasStream reports whether the process was given a stream: a terminal, a file or a pipe.
func hasStream(which uint32) bool {
	handle, err := windows.GetStdHandle(which)
	return err == nil && handle != 0 && handle != windows.InvalidHandle
}

// attachTerminal connects the streams with the terminal that the program was started from, if there is one.
func attachTerminal(streams *Stdio) bool {
	const parent = ^uintptr(0) // ATTACH_PARENT_PROCESS
	attach := windows.NewLazySystemDLL("kernel32.dll").NewProc("AttachConsole")
	if attached, _, _ := attach.Call(parent); attached == 0 {
		return false
	}
	in, inErr := os.OpenFile("CONIN$", os.O_RDWR, 0)
	out, outErr := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if inErr != nil || outErr != nil {
		return false
	}
	os.Stdin, os.Stdout, os.Stderr = in, out, out
	*streams = Stdio{In: in, Out: out, Err: out}
	return true
}

// showError shows a text in a box of the system, until the user closes it.
func showError(text string) {
	message, textErr := windows.UTF16PtrFromString(text)
	title, titleErr := windows.UTF16PtrFromString("Voicewright")
	if textErr == nil && titleErr == nil {
		_, _ = windows.MessageBox(0, message, title, windows.MB_OK|windows.MB_ICONERROR|windows.MB_SETFOREGROUND)
	}
}

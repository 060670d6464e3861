//go:build unix

package cli

// terminal is the terminal of the process.
const terminal = "/dev/tty"

package cli

// terminal is the console of the process.
const terminal = "CONIN$"

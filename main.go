// Voicewright is a voice studio that runs on a person's own machine.
package main

import (
	"context"
	"os"

	"github.com/voicewright/voicewright/app"
)

func main() {
	os.Exit(app.Main(context.Background(), os.Args[1:], app.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

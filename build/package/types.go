package main

import (
	"io"
	"strings"

	"github.com/voicewright/voicewright/backend/extract"
)

// media are the endings of the audio and video files that "Open with" of Windows offers the program for: those that people have.
var media = strings.Fields(".wav .mp3 .m4a .m4b .aac .flac .ogg .oga .opus .wma .aif .aiff .amr .caf .mka .3gp " +
	".mp4 .m4v .mov .mkv .webm .avi .wmv .flv .mpg .mpeg .ogv")

// writeTypes writes the lines with which the installer for Windows does something for each kind of file that the window opens.
func writeTypes(w io.Writer) error {
	for _, ending := range append(extract.Endings(), media...) {
		if _, err := io.WriteString(w, `!insertmacro ${forType} "`+ending+"\"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Command standin takes the place of other programs in tests of the installed program: of espeak-ng on systems where none can be
// installed, and, as `standin hold FILE`, of a program that has a file open.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "standin:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	has := func(option string) bool { return slices.Contains(args, option) }
	switch {
	case len(args) == 2 && args[0] == "hold":
		return holdUntilTheEnd(args[1], in, out)
	case has("--version"):
		_, err := fmt.Fprint(out, "eSpeak NG text-to-speech: 1.51  Data at: nowhere\r\n")
		return err
	case has("--voices"):
		_, err := fmt.Fprint(out, voices)
		return err
	case has("--ipa"):
		return phonemes(in, out)
	case has("--stdout"):
		return speak(in, out)
	}
	return fmt.Errorf("unknown arguments: %q", args)
}

// holdUntilTheEnd opens a file, says so, and closes it with the end of its input.
func holdUntilTheEnd(path string, in io.Reader, out io.Writer) error {
	release, err := hold(path)
	if err != nil {
		return err
	}
	defer release()
	if _, err := fmt.Fprintln(out, "held"); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

const voices = "Pty Language       Age/Gender VoiceName          File                 Other Languages\r\n" +
	" 5  de              --/M      German             gmw/de               \r\n" +
	" 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)\r\n"

// phonemes prints for each line its letters of the English alphabet, with the line ends of Windows.
func phonemes(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		letters := strings.Map(func(r rune) rune {
			if r == ' ' || r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, strings.ToLower(lines.Text()))
		if _, err := fmt.Fprintf(out, " %s\r\n", letters); err != nil {
			return err
		}
	}
	return lines.Err()
}

const rate = 22050 // Hz

// speak writes a tone for each byte of the text.
func speak(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	const toneSamples = rate / 20
	wav := []byte("RIFF\xff\xff\xff\x7fWAVEfmt ")
	for _, field := range []uint32{16, 1 | 1<<16, rate, rate * 2, 2 | 16<<16} {
		wav = binary.LittleEndian.AppendUint32(wav, field)
	}
	wav = append(wav, "data\xff\xff\xff\x7f"...)
	for _, letter := range text {
		for i := range toneSamples {
			value := math.Sin(2 * math.Pi * float64(200+4*int(letter)) * float64(i) / rate)
			wav = binary.LittleEndian.AppendUint16(wav, uint16(int16(8000*value)))
		}
	}
	_, err = out.Write(wav)
	return err
}

package encoders

import "strings"

// Messages keeps the last few kilobytes that ffmpeg writes to its standard error.
type Messages struct{ kept []byte }

// Write adds to the messages. It never fails.
func (m *Messages) Write(p []byte) (int, error) {
	const tailBytes = 4 << 10
	m.kept = append(m.kept, p[max(0, len(p)-tailBytes):]...)
	m.kept = m.kept[max(0, len(m.kept)-tailBytes):]
	return len(p), nil
}

// String returns what was kept.
func (m *Messages) String() string { return string(m.kept) }

// Reason returns the end of the last message of ffmpeg, which is the cause without the name of the file.
func Reason(messages string) string {
	line := LastLine(messages)
	if strings.HasPrefix(line, "subfile,,") { // the message about an input that no demuxer opens
		return "its content is no audio or video that is known"
	}
	if i := strings.LastIndex(line, ": "); i >= 0 {
		line = line[i+2:]
	}
	line = strings.TrimSpace(strings.TrimRight(line, ". "))
	if line == "" || strings.ContainsAny(line, `/\`) {
		return "ffmpeg gave up"
	}
	return strings.ToLower(line[:1]) + line[1:]
}

// LastLine returns the last line of messages, at most 200 bytes of it.
func LastLine(messages string) string {
	const maxBytes = 200
	lines := strings.Split(strings.TrimSpace(messages), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	if len(line) > maxBytes {
		line = line[len(line)-maxBytes:]
	}
	return strings.ToValidUTF8(line, "?")
}

package books

import (
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// choose skips the chapters whose numbers, from 1, are not in a list such as 3-5,8. An empty list is that of all. Error:
// ValidationError.
func (e *edition) choose(list string) error {
	if strings.TrimSpace(list) == "" {
		return nil
	}
	wanted := make([]bool, len(e.Chapters))
	for part := range strings.SplitSeq(list, ",") {
		from, to, found := strings.Cut(part, "-")
		if !found {
			to = from
		}
		first, err := chapterNumber(from, len(wanted))
		if err != nil {
			return err
		}
		last, err := chapterNumber(to, len(wanted))
		if err != nil {
			return err
		}
		if last < first {
			return backend.Invalid("value_error", "Value error, the first chapter of "+strings.TrimSpace(part)+" is behind the last one",
				"body", "chapters")
		}
		for i := first; i <= last; i++ {
			wanted[i-1] = true
		}
	}
	for i := range e.Chapters {
		e.Chapters[i].Skipped = !wanted[i]
	}
	return nil
}

// chapterNumber returns the number of a chapter. Error: ValidationError.
func chapterNumber(s string, chapters int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	switch {
	case err != nil:
		return 0, backend.Invalid("value_error", "Value error, write the numbers of chapters as 3-5,8", "body", "chapters")
	case n < 1 || n > chapters:
		return 0, backend.Invalid("value_error", "Value error, the file has "+strconv.Itoa(chapters)+" chapters, numbered from 1",
			"body", "chapters")
	}
	return n, nil
}

//go:build scale && postgres

package servicescale_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/build/servicescale"
)

// The environment variables with which a test starts itself as a process that makes cycles: the address of the database, the folder of
// audio, which of how many processes it is, the first account, and how long.
const (
	cyclesDatabase = "VOICEWRIGHT_SCALE_DATABASE"
	cyclesFiles    = "VOICEWRIGHT_SCALE_FILES" // empty: none is written
	cyclesProcess  = "VOICEWRIGHT_SCALE_PROCESS"
	cyclesCount    = "VOICEWRIGHT_SCALE_PROCESSES"
	cyclesTime     = "VOICEWRIGHT_SCALE_TIME"
)

const (
	cycleClients  = 16   // at once, over all processes
	cycleAccounts = 2048 // of which each client has its own
)

// cycle reserves and settles the price of a call, with its audio unless files is nil.
func cycle(ctx context.Context, store service.Store, files service.Files, account int64, id string) error {
	_, err := store.Reserve(ctx, service.Reserve{
		ID: id, Account: account, Instance: "p", Credits: 15, RateLimit: service.CallsPerMinute,
		Kind: service.KindSynthesize, Provider: service.ProviderC, Model: "providerC-neural2", Characters: 35,
	})
	name := id + ".pcm"
	if err == nil && files != nil {
		err = files.Create(ctx, name, func(w io.Writer) error { _, err := w.Write(make([]byte, servicescale.ToneBytes)); return err })
	}
	if err == nil {
		_, err = store.Settle(ctx, id, service.Project{Title: "A title", Voice: "voice"}, service.NewFile{
			Name: name, Format: service.PCM24000, Bytes: servicescale.ToneBytes, Seconds: 0.1,
		})
	}
	return err
}

// makeCycles makes cycles as the environment says, and prints how many.
func makeCycles(address string) error {
	number, err := strconv.Atoi(os.Getenv(cyclesProcess))
	count, err2 := strconv.Atoi(os.Getenv(cyclesCount))
	length, err3 := time.ParseDuration(os.Getenv(cyclesTime))
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	var files service.Files
	if dir := os.Getenv(cyclesFiles); dir != "" {
		if files, err = folder.Open(dir); err != nil {
			return err
		}
	}
	store, err := postgres.Open(context.Background(), postgres.Options{URL: address})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	var cycles atomic.Int64
	var clients sync.WaitGroup
	errs := make([]error, cycleClients/count)
	for i := range errs {
		client := number*len(errs) + i
		clients.Go(func() {
			for errs[i] == nil && ctx.Err() == nil {
				account := int64(1 + client + cycleClients*rand.N(cycleAccounts/cycleClients))
				if errs[i] = cycle(context.Background(), store, files, account, uuid.NewString()); errs[i] == nil {
					cycles.Add(1)
				} else if errors.Is(errs[i], service.ErrRateLimited) {
					errs[i] = nil
				}
			}
		})
	}
	clients.Wait()
	fmt.Println(cycles.Load())
	return errors.Join(append(errs, store.Close())...)
}

// cyclesOf returns how many cycles a second so many processes make.
func cyclesOf(t *testing.T, db database, dir string, processes int, length time.Duration) float64 {
	t.Helper()
	counts := make([]int, processes)
	together(t, processes, func(i int) error {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), cyclesDatabase+"="+db.address, cyclesFiles+"="+dir, cyclesProcess+"="+strconv.Itoa(i),
			cyclesCount+"="+strconv.Itoa(processes), cyclesTime+"="+length.String())
		var out, complaints bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaints
		err := cmd.Run()
		if err == nil {
			counts[i], err = strconv.Atoi(strings.TrimSpace(out.String()))
		}
		if err != nil {
			err = fmt.Errorf("%w: %s", err, complaints.String())
		}
		return err
	})
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return float64(sum) / length.Seconds()
}

package main_test

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// checkRenewals: a plan that renews itself goes on for whoever calls, and check-renewal has nothing to do until its last day.
func checkRenewals(w *world) {
	const month = 30 * 24 * time.Hour
	u := w.user(service.Pro, 300)
	key := u.key()
	_, err := w.store.RenewUntil(w.Context(), u.account().ID, w.clock.time().Add(month*3/2), 0, service.Change{})
	require.NoError(w, err)
	w.clock.wait(month - time.Second)
	u.signIn()
	u.say(u.speech(service.ProviderA, service.ModelV3, nil)).is(200)
	w.clock.wait(time.Second)
	balance := key.get("/api/v1/user/credits").is(200)
	require.Equal(w, "pro", balance.text("plan"))
	require.EqualValues(w, 100_300, balance.number("credits"), "those of the plan anew, and pay-as-you-go credits stay")
	require.Equal(w, "none", u.renew().text("action"))
	w.clock.wait(month - time.Second)
	u.signIn()
	require.Equal(w, "none", u.renew().text("action"))
	w.clock.wait(time.Second)
	require.Equal(w, "subscription_expired_reset_to_free", u.renew().text("action"), "the next one would begin after the last day")
}

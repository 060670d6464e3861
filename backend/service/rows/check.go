package rows

import "github.com/voicewright/voicewright/backend/service"

// flaws are queries for what must not be: each row is the sentence of one flaw.
var flaws = []string{
	`SELECT format('movement %s sums to %s', id, plan + payg + held + granted + spent + expired) FROM ledger
	 WHERE plan + payg + held + granted + spent + expired <> 0`,

	`SELECT format('acc-%s has (%s, %s, %s), its rows sum to (%s, %s, %s)', a.id,
	               plan_credits, payg_credits, held_credits, coalesce(l.plan, 0), coalesce(l.payg, 0), coalesce(l.held, 0))
	 FROM accounts a LEFT JOIN (
	     SELECT account, sum(plan) AS plan, sum(payg) AS payg, sum(held) AS held FROM ledger GROUP BY account
	 ) l ON l.account = a.id
	 WHERE (plan_credits, payg_credits, held_credits) <> (coalesce(l.plan, 0), coalesce(l.payg, 0), coalesce(l.held, 0))`,

	`SELECT format('acc-%s has a negative balance', id) FROM accounts
	 WHERE plan_credits < 0 OR payg_credits < 0 OR held_credits < 0`,

	`SELECT format('acc-%s holds %s credits for %s of calls', a.id, held_credits, coalesce(sum(c.plan_credits + c.payg_credits), 0))
	 FROM accounts a LEFT JOIN calls c ON c.account = a.id AND c.status = 'held'
	 GROUP BY a.id HAVING held_credits <> coalesce(sum(c.plan_credits + c.payg_credits), 0)`,

	`SELECT format('call %s has the status %s, its rows hold %s and spent %s', c.seq, c.status,
	               coalesce(sum(l.held), 0), coalesce(sum(l.spent), 0))
	 FROM calls c LEFT JOIN ledger l ON l.call = c.seq GROUP BY c.seq
	 HAVING (coalesce(sum(l.held), -1), coalesce(sum(l.spent), -1)) <>
	        (CASE c.status WHEN 'held' THEN c.plan_credits + c.payg_credits ELSE 0 END,
	         CASE c.status WHEN 'charged' THEN c.plan_credits + c.payg_credits ELSE 0 END)`,

	`SELECT format('call %s has the status %s and %s', c.seq, c.status, coalesce('the file ' || f.name, 'no file'))
	 FROM calls c LEFT JOIN files f ON f.call = c.seq WHERE (c.status = 'charged') <> (f.call IS NOT NULL)`,

	`SELECT format('call %s has the status %s, its idempotency key was answered at %s', c.seq, c.status, k.answered_at)
	 FROM idempotency_keys k JOIN calls c ON c.seq = k.call
	 WHERE c.account <> k.account OR c.status <> CASE k.answered_at WHEN 0 THEN 'held' ELSE 'charged' END`,
}

// Check returns a *service.LedgerError where a ledger is wrong. find returns the rows of a query, which have one column; all its queries
// are to see the same moment.
func Check(find func(query string) ([]string, error)) error {
	var wrong service.LedgerError
	for _, query := range flaws {
		found, err := find(query + ` LIMIT 20`)
		if err != nil {
			return err
		}
		wrong.Flaws = append(wrong.Flaws, found...)
	}
	if len(wrong.Flaws) > 0 {
		return &wrong
	}
	return nil
}

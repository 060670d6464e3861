-- +goose Up
-- Who has access, accounts that are made in advance, and which operator changed what.

ALTER TABLE accounts ADD COLUMN email_unverified INTEGER NOT NULL DEFAULT 0; -- the issuer says that nobody checked it
ALTER TABLE accounts ADD COLUMN access_groups TEXT NOT NULL DEFAULT '';      -- a JSON list: those of the last sign-in that give access
ALTER TABLE accounts ADD COLUMN invited TEXT NOT NULL DEFAULT '';            -- the folded e-mail for which an operator made the account
ALTER TABLE accounts ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';         -- the operator who changed it last
ALTER TABLE accounts ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;

-- An account without a subject is deleted, or waits for the user with that e-mail.
CREATE UNIQUE INDEX accounts_waiting ON accounts (invited) WHERE subject IS NULL AND invited <> '';

ALTER TABLE keys ADD COLUMN revoked_by TEXT NOT NULL DEFAULT ''; -- the operator, where it was not the user

ALTER TABLE ledger ADD COLUMN actor TEXT NOT NULL DEFAULT ''; -- the operator, where one made the movement
ALTER TABLE ledger ADD COLUMN note TEXT NOT NULL DEFAULT '';  -- of the operator; emptied when the account is deleted
CREATE INDEX ledger_account ON ledger (account);

DROP TRIGGER ledger_is_not_edited;

-- +goose StatementBegin
CREATE TRIGGER ledger_is_not_edited BEFORE UPDATE ON ledger
WHEN NEW.note <> '' OR (NEW.id, NEW.at, NEW.account, NEW.call, NEW.reason, NEW.plan, NEW.payg, NEW.held, NEW.granted, NEW.spent,
    NEW.expired, NEW.actor) IS NOT (OLD.id, OLD.at, OLD.account, OLD.call, OLD.reason, OLD.plan, OLD.payg, OLD.held, OLD.granted,
    OLD.spent, OLD.expired, OLD.actor)
BEGIN
    SELECT raise(ABORT, 'rows of the ledger are never changed');
END;
-- +goose StatementEnd

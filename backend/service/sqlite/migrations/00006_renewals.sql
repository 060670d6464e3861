-- +goose Up
-- Plans that renew themselves.
ALTER TABLE accounts ADD COLUMN plan_days INTEGER NOT NULL DEFAULT 30 CHECK (plan_days > 0); -- of each renewal
ALTER TABLE accounts ADD COLUMN renews_until INTEGER NOT NULL DEFAULT 0;                     -- 0 where the plan just ends
CREATE INDEX accounts_renewing ON accounts (id) WHERE renews_until > 0;

-- +goose Up
-- Of an account that its user has taken over, the address of the invitation is not kept: the user may have another one by now.

UPDATE accounts SET invited = 'taken' WHERE subject IS NOT NULL AND invited <> '';

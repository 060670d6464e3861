INSERT INTO waiting (provider, instance, number, priority, at, turn) VALUES
    ('ProviderA', 'gone', 1, true, 1789000005000001, true), ('ProviderC', 'since', 7, false, 1789000005000002, false);

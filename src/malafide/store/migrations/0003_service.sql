CREATE TABLE batches (
  id TEXT NOT NULL PRIMARY KEY,
  panel TEXT NOT NULL,
  name TEXT NOT NULL,
  who TEXT NOT NULL,
  total BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX batches_by_time ON batches (created_at);

CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  who TEXT NOT NULL,
  state BLOB NOT NULL,
  turns INTEGER NOT NULL,
  is_over INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  version INTEGER NOT NULL
);
CREATE INDEX sessions_by_time ON sessions (updated_at);

CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  url TEXT NOT NULL,
  body BLOB NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  error TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX deliveries_of_session ON deliveries (session);
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'waiting';

CREATE TABLE tokens (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  per_minute INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);

-- Moments are microseconds since 1970, truth values 0 and 1: the same in every database.
-- `number` is the order of arrival. Content and ruling stand apart from what lists show and claims change,
-- and go with their case.
CREATE TABLE cases (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  case_id TEXT NOT NULL,
  batch TEXT NOT NULL,
  panel TEXT NOT NULL,
  name TEXT NOT NULL,
  who TEXT NOT NULL,
  size BIGINT NOT NULL,
  submitted_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'claimed', 'judged', 'failed')),
  attempt INTEGER NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '',
  lease_until BIGINT NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  judged_at BIGINT,
  answer TEXT NOT NULL DEFAULT '',
  score DOUBLE PRECISION NOT NULL DEFAULT 0,
  confidence DOUBLE PRECISION NOT NULL DEFAULT 0,
  agreement DOUBLE PRECISION NOT NULL DEFAULT 0,
  is_open INTEGER NOT NULL DEFAULT 0,
  subject TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '',
  elapsed_ms DOUBLE PRECISION NOT NULL DEFAULT 0,
  money DOUBLE PRECISION NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  overruled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX cases_by_time ON cases (submitted_at, number);
CREATE INDEX cases_by_answer ON cases (answer, submitted_at, number);
CREATE INDEX cases_by_panel ON cases (panel, submitted_at, number);
CREATE INDEX cases_same ON cases (case_id);
CREATE INDEX cases_of_batch ON cases (batch, number) WHERE batch <> '';
CREATE INDEX cases_queue ON cases (number) WHERE state = 'waiting';
CREATE INDEX cases_leases ON cases (lease_until) WHERE state = 'claimed';
CREATE INDEX cases_failed ON cases (submitted_at, number) WHERE state = 'failed';
CREATE INDEX cases_open ON cases (submitted_at, number) WHERE is_open = 1;
CREATE INDEX cases_labelled ON cases (submitted_at, number) WHERE label <> '';

CREATE TABLE contents (
  number INTEGER PRIMARY KEY REFERENCES cases (number) ON DELETE CASCADE,
  packing INTEGER NOT NULL,
  body BLOB NOT NULL
);

CREATE TABLE rulings (
  number INTEGER PRIMARY KEY REFERENCES cases (number) ON DELETE CASCADE,
  document BLOB NOT NULL
);

CREATE TABLE labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  number BIGINT NOT NULL REFERENCES cases (number) ON DELETE CASCADE,
  who TEXT NOT NULL,
  label TEXT NOT NULL CHECK (label IN ('deceptive', 'genuine')),
  note TEXT NOT NULL,
  at BIGINT NOT NULL,
  overruled INTEGER NOT NULL,
  undone_at BIGINT,
  undone_by TEXT NOT NULL DEFAULT ''
);
CREATE INDEX labels_of_case ON labels (number);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at BIGINT NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX audit_by_subject ON audit (subject, id);

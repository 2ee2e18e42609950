import { type FeedNames, viewOfVersions } from './stored-feed.ts';

/** Tables and indexes of one feed. Runs on every start. */
export const sqliteFeedSchema = ({ rows, versions, usage }: FeedNames) => `
  CREATE TABLE IF NOT EXISTS ${rows} (
    team_id TEXT NOT NULL,
    row_key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    tier TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    checksum TEXT NOT NULL,
    revision INTEGER NOT NULL,
    external_at INTEGER,
    json BLOB NOT NULL,
    owner TEXT,
    bytes INTEGER,
    kept_bytes INTEGER,
    writer_id TEXT,
    removed_by TEXT,
    erased_from INTEGER,
    origin TEXT,
    PRIMARY KEY (team_id, row_key)
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS ${rows}_seq ON ${rows} (team_id, seq);
  CREATE INDEX IF NOT EXISTS ${rows}_team_feed ON ${rows} (team_id, updated_at);
  CREATE INDEX IF NOT EXISTS ${rows}_team_live ON ${rows} (team_id, updated_at) WHERE deleted = 0;
  CREATE INDEX IF NOT EXISTS ${rows}_external_feed ON ${rows} (team_id, external_at) WHERE external_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${rows}_external_live ON ${rows} (team_id, external_at)
    WHERE deleted = 0 AND tier = 'external';
  CREATE INDEX IF NOT EXISTS ${rows}_external_keys ON ${rows} (team_id, row_key)
    WHERE deleted = 0 AND tier = 'external';
  CREATE TABLE IF NOT EXISTS ${versions} (
    team_id TEXT NOT NULL,
    row_key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    json BLOB NOT NULL,
    PRIMARY KEY (team_id, row_key, revision)
  ) STRICT;
  -- Not a column of the versions: 0.1, to which one may go back, writes four values without naming their columns.
  CREATE TABLE IF NOT EXISTS ${versions}_origins (
    team_id TEXT NOT NULL,
    row_key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (team_id, row_key, revision)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS ${versions}_gone AFTER DELETE ON ${versions} BEGIN
    DELETE FROM ${versions}_origins
      WHERE team_id = OLD.team_id AND row_key = OLD.row_key AND revision = OLD.revision;
  END;
  CREATE VIEW IF NOT EXISTS ${viewOfVersions(versions)} AS
    SELECT team_id, row_key, revision, json, origin
    FROM ${versions} LEFT JOIN ${versions}_origins USING (team_id, row_key, revision);
  CREATE TRIGGER IF NOT EXISTS ${versions}_kept INSTEAD OF INSERT ON ${viewOfVersions(versions)} BEGIN
    INSERT INTO ${versions} VALUES (NEW.team_id, NEW.row_key, NEW.revision, NEW.json);
    INSERT INTO ${versions}_origins
      SELECT NEW.team_id, NEW.row_key, NEW.revision, NEW.origin WHERE NEW.origin IS NOT NULL;
  END;
  CREATE TRIGGER IF NOT EXISTS ${versions}_dropped INSTEAD OF DELETE ON ${viewOfVersions(versions)} BEGIN
    DELETE FROM ${versions}
      WHERE team_id = OLD.team_id AND row_key = OLD.row_key AND revision = OLD.revision;
  END;
  CREATE TABLE IF NOT EXISTS ${usage} (
    team_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    rows INTEGER NOT NULL,
    items INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (team_id, owner)
  ) STRICT;
`;

/** Columns that tables of earlier versions lack. */
export const sqliteFeedColumns = ({ rows }: FeedNames): Record<string, string[]> => ({
  [rows]: ['erased_from INTEGER', 'origin TEXT'],
});

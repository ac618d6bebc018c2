import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScratchDatabase } from '../../../../electron/core/store/scratch.ts';
import { inTransaction } from '../../../../electron/core/store/transaction.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const schema = 'CREATE TABLE names (name TEXT PRIMARY KEY) STRICT';

describe('a scratch database', () => {
  test('replaces whatever file an earlier run left', () => {
    const file = path.join(tempDir(), 'plans', 'one.db');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'no database at all');
    const scratch = new ScratchDatabase(file, schema, 1000);
    expect(scratch.prepared('SELECT * FROM names').all()).toEqual([]);
    scratch.drop();
  });

  test('rolls a batch back as a whole if it fails', () => {
    const scratch = new ScratchDatabase(path.join(tempDir(), 'one.db'), schema, 1000);
    const insert = scratch.prepared('INSERT INTO names (name) VALUES (?)');
    insert.run('before');
    expect(() =>
      inTransaction(scratch.database, () => {
        insert.run('a');
        insert.run('before');
      }),
    ).toThrow(/UNIQUE/);
    expect(scratch.prepared('SELECT name FROM names').all()).toEqual([{ name: 'before' }]);
    scratch.drop();
  });

  test('leaves no file behind when dropped', () => {
    const file = path.join(tempDir(), 'one.db');
    const scratch = new ScratchDatabase(file, schema, 1000);
    scratch.prepared('INSERT INTO names (name) VALUES (?)').run('a');
    expect(existsSync(file)).toBe(true);
    scratch.drop();
    expect(existsSync(file)).toBe(false);
    expect(existsSync(`${file}-journal`)).toBe(false);
  });
});

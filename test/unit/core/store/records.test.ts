import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../../../electron/core/store/database.ts';
import { createValues, createRecords } from '../../../../electron/core/store/records.ts';
import { tempDir } from '../../../support/temp-dir.ts';

function opened() {
  const { database } = openDatabase(path.join(tempDir(), 'cooper.db'), { nowMs: 0 });
  onTestFinished(() => database.close());
  const setAside: string[] = [];
  const records = createRecords({
    database,
    table: 'bookmarks',
    schema: z.object({ name: z.string() }),
    nowMs: () => 0,
    onSetAside: (id) => setAside.push(id),
  });
  return { database, records, setAside };
}

test('records keep their insertion order, also when one changes', () => {
  const { records } = opened();
  for (const id of ['c', 'a', 'b']) records.put(id, { name: id });
  records.put('a', { name: 'changed' });
  expect(records.all()).toEqual([
    { id: 'c', record: { name: 'c' } },
    { id: 'a', record: { name: 'changed' } },
    { id: 'b', record: { name: 'b' } },
  ]);
});

test('reordering moves the named records first and ignores unknown names', () => {
  const { records } = opened();
  for (const id of ['a', 'b', 'c', 'd']) records.put(id, { name: id });
  records.reorder(['d', 'nobody', 'b', 'd']);
  expect(records.all().map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c']);
});

test.each([
  ['text that is not JSON', '{"name":'],
  ['JSON of another shape', '{"title":"x"}'],
])('a record with %s is set aside and reported, and the others are kept', (_what, text) => {
  const { database, records, setAside } = opened();
  records.put('good', { name: 'good' });
  records.put('bad', { name: 'bad' });
  database.prepare("UPDATE bookmarks SET record = ? WHERE id = 'bad'").run(text);
  expect(records.all()).toEqual([{ id: 'good', record: { name: 'good' } }]);
  expect(setAside).toEqual(['bad']);
  expect(database.prepare('SELECT source, record_id, record FROM set_aside').all()).toEqual([
    { source: 'bookmarks', record_id: 'bad', record: text },
  ]);
  expect(records.get('bad')).toBeNull();
});

test('a setting that is not valid JSON counts as absent', () => {
  const { database } = opened();
  const values = createValues(database, 'settings');
  values.set('a', { deep: [1, null] });
  expect(values.get('a')).toEqual({ deep: [1, null] });
  database.exec("UPDATE settings SET value = '{' WHERE name = 'a'");
  expect(values.get('a')).toBeUndefined();
});

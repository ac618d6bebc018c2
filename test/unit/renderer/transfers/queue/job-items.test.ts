import { beforeAll, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import { noteText } from '../../../../../renderer/features/transfers/queue/job-items.tsx';
import { itemErrorText } from '../../../../../renderer/features/transfers/queue/result-words.ts';
import { errorCodes } from '../../../../../shared/error-schema.ts';
import { failure } from '../../../../../shared/errors.ts';
import { isShownNote, itemNotes } from '../../../../../shared/models/transfers.ts';
import { englishWords } from '../../words.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

it('the error of a failed item is worded for files', () => {
  const gone = failure('storage', 'x', { reason: 'file-missing' }).error;
  expect(itemErrorText(gone, t)).toBe('the file no longer exists');
  for (const code of errorCodes)
    expect(itemErrorText(failure(code, 'x').error, t)).not.toMatch(/^(?:jobs|errors)\./u);
});

it('the note of an item names the current object or file', () => {
  const item = { key: 'a/con', localName: 'a/%63on' };
  expect(noteText('escaped', { kind: 'download' }, item, t)).toContain('“a/%63on”');
  expect(noteText('renamed', { kind: 'upload' }, { key: 'a (2)', localName: 'a' }, t)).toContain('“a (2)”');
  for (const note of itemNotes.filter(isShownNote))
    expect(noteText(note, { kind: 'copy' }, item, t)).not.toMatch(/^jobs\.|\{\{/u);
});

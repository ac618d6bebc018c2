import { describe, expect, test } from 'vitest';
import {
  newBatchForm,
  readBatchForm,
  readTags,
  type BatchForm,
} from '../../../../renderer/features/batches/batch-form.ts';
import { newBatchSchema } from '../../../../shared/models/batches.ts';

const place = { connectionId: 'c', bucket: 'source', items: [{ kind: 'walk', walkId: 'w' }] } as const;
const kept = { accountId: '123456789012', roleArn: 'arn:aws:iam::123456789012:role/a/b', ownBucket: '' };
const form = (change: Partial<BatchForm> = {}): BatchForm => ({
  ...newBatchForm('source', kept, Date.UTC(2026, 0, 2, 3, 4, 5)),
  tags: 'a=1',
  ...change,
});
const problems = (change: Partial<BatchForm>) => {
  const read = readBatchForm(form(change), place);
  return read.kind === 'wrong' ? read.problems : {};
};

describe('the batch job form', () => {
  test.each<[Partial<BatchForm>, object]>([
    [{}, { kind: 'tag', tags: [{ key: 'a', value: '1' }] }],
    [
      { kind: 'copy', targetBucket: ' other ', targetPrefix: 'to/', storageClass: '' },
      { kind: 'copy', bucket: 'other', prefix: 'to', storageClass: null },
    ],
    [
      { kind: 'restore', days: '3' },
      { kind: 'restore', days: 3, tier: 'BULK' },
    ],
    [{ kind: 'expire' }, { kind: 'expire', tag: { key: 'cooper-delete', value: '20260102T030405' } }],
  ])('yields a job that the core accepts (%j)', (change, operation) => {
    const read = readBatchForm(form(change), place);
    expect(read).toMatchObject({ kind: 'ready', input: { operation, asksFirst: true, priority: 10 } });
    const input = read.kind === 'ready' ? read.input : null;
    expect(newBatchSchema.parse(input)).toEqual(input);
  });

  test.each<[Partial<BatchForm>, object]>([
    [{ accountId: '' }, { accountId: 'missing' }],
    [{ accountId: '1234-5678-9012' }, { accountId: 'account' }],
    [{ roleArn: 'arn:aws:iam::1234:role/r' }, { roleArn: 'role' }],
    [{ roleArn: 'arn:aws:iam::123456789012:user/r' }, { roleArn: 'role' }],
    [{ tags: ' ' }, { tags: 'missing' }],
    [{ tags: 'a=1\na=2' }, { tags: 'tags' }],
    [{ tags: 'a=1;2' }, { tags: 'tags' }],
    [{ tags: Array.from({ length: 11 }, (_, at) => `k${at}=v`).join('\n') }, { tags: 'tags' }],
    [{ priority: '-1' }, { priority: 'priority' }],
    [{ manifestBucket: 'A' }, { manifestBucket: 'bucket' }],
    [{ manifestKey: ' ' }, { manifestKey: 'missing' }],
    [{ manifestKey: 'ä'.repeat(513) }, { manifestKey: 'too-long' }],
    [{ reportPrefix: 'p'.repeat(513) }, { reportPrefix: 'prefix' }],
    [{ kind: 'copy' }, { targetBucket: 'missing' }],
    [{ kind: 'copy', targetBucket: 'source' }, { targetBucket: 'onto-itself' }],
    [{ kind: 'restore', days: '0' }, { days: 'days' }],
    [{ kind: 'expire', expireKey: '' }, { expireKey: 'tag' }],
    [{ kind: 'expire', expireValue: '<' }, { expireValue: 'tag' }],
    [{ kind: 'expire', expireDays: '1.5' }, { expireDays: 'days' }],
  ])('reports each problem at its field (%j)', (change, expected) => {
    expect(problems(change)).toEqual(expected);
  });

  test('accepts a copy onto itself that changes the class', () => {
    const change = { kind: 'copy', targetBucket: 'source', storageClass: 'GLACIER' } as const;
    expect(readBatchForm(form(change), place).kind).toBe('ready');
  });

  test('reads one tag per line, whose value may contain the separator', () => {
    expect(readTags('a = b=c \n\n empty \n')).toEqual([
      { key: 'a', value: 'b=c' },
      { key: 'empty', value: '' },
    ]);
  });
});

import { expect, test } from 'vitest';
import { ConditionalWrites } from '../../../../electron/core/transfers/conditional.ts';

const job = { id: 'j', connectionId: 'c', bucket: 'b', counts: { total: 100 } };

test('a bucket that is not known is asked by looks, and learned by one file alone', () => {
  const writes = new ConditionalWrites();
  expect(writes.mayAsk(job)).toBe(false);
  expect(writes.shouldLearn(job)).toBe(true);
  expect(writes.shouldLearn(job)).toBe(false);
  writes.learned(job, 'honoured');
  expect(writes.mayAsk(job)).toBe(true);
  expect(writes.mayAsk({ ...job, bucket: 'other' })).toBe(false);
});

test('a service that ignores the condition is never trusted with it', () => {
  const writes = new ConditionalWrites();
  expect(writes.shouldLearn(job)).toBe(true);
  writes.learned(job, 'ignored');
  expect(writes.mayAsk(job)).toBe(false);
  expect(writes.shouldLearn(job)).toBe(false);
});

test('an answer that told nothing leaves it to the next file', () => {
  const writes = new ConditionalWrites();
  expect(writes.shouldLearn(job)).toBe(true);
  writes.learned(job, null);
  expect(writes.shouldLearn(job)).toBe(true);
});

test('a few files are not worth learning', () => {
  expect(new ConditionalWrites().shouldLearn({ ...job, counts: { total: 3 } })).toBe(false);
});

test('after a key that is taken the next one is looked at first, until one is free', () => {
  const writes = new ConditionalWrites();
  writes.learned(job, 'honoured');
  writes.met(job, true);
  expect(writes.mayAsk(job)).toBe(false);
  expect(writes.mayAsk({ ...job, id: 'another job' })).toBe(true);
  writes.met(job, false);
  expect(writes.mayAsk(job)).toBe(true);
});

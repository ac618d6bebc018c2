import { describe, expect, it } from 'vitest';
import { type ErrorCode, failure } from '../../../../../shared/errors.ts';
import type { ErrorReason } from '../../../../../shared/error-reasons.ts';
import type { Job } from '../../../../../shared/models/jobs.ts';
import { jobSentence, shortWhy } from '../../../../../renderer/features/transfers/queue/job-words.ts';
import { englishWords, russianWords } from '../../words.ts';
import { jobOf, nowMs } from './fixtures.ts';

const target = { connectionId: 'c', bucket: 'backup', prefix: '' };

/** The kinds of jobs, with what an access key may not do if the service responds with 403, and the bucket if it has none. */
const works: readonly (readonly [string, Partial<Job>, denied: string, missing: string])[] = [
  ['upload', { kind: 'upload' }, 'this key may not write to media', 'bucket media does'],
  ['download', { kind: 'download' }, 'this key may not read from media', 'bucket media does'],
  ['copy', { kind: 'copy' }, 'this key may not copy objects in media', 'bucket media does'],
  [
    'copy between buckets',
    { kind: 'copy', target },
    'the keys may not copy from media to backup',
    'bucket media or backup does',
  ],
  ['move', { kind: 'move' }, 'this key may not move objects in media', 'bucket media does'],
  [
    'move between buckets',
    { kind: 'move', target },
    'the keys may not move from media to backup',
    'bucket media or backup does',
  ],
  [
    'rename',
    { kind: 'move', isRename: true },
    'this key may not rename objects in media',
    'bucket media does',
  ],
  ['delete', { kind: 'delete' }, 'this key may not delete from media', 'bucket media does'],
  [
    'restore',
    { kind: 'delete', isRestore: true },
    'this key may not restore objects in media',
    'bucket media does',
  ],
  ['change', { kind: 'change' }, 'this key may not change objects in media', 'bucket media does'],
  [
    'sync',
    { kind: 'upload', sync: { removed: 0, unchanged: 0, skipped: 0 } },
    'this key may not write to media',
    'bucket media does',
  ],
  ['abort of many', { kind: 'abort-many' }, 'this key may not abort uploads in media', 'bucket media does'],
  ['completion of many', { kind: 'complete-many' }, 'this key may not write to media', 'bucket media does'],
  ['resumption of many', { kind: 'resume-many' }, 'this key may not write to media', 'bucket media does'],
];

const errorOf = (code: ErrorCode, reason?: ErrorReason) =>
  failure(code, 'x', reason === undefined ? {} : { reason }).error;

/** Errors that stop an item of any kind of job, with their headline. */
const causes = [
  [errorOf('not-found', 'no-such-key'), 'This object no longer exists'],
  [errorOf('rate-limited', 'slow-down'), 'The service is busy'],
  [errorOf('server', 'unavailable'), 'The service is temporarily unavailable'],
  [errorOf('server', 'internal-error'), 'The service has an internal problem'],
  [errorOf('server', 'quota-exceeded'), 'Quota exceeded'],
  [errorOf('storage', 'disk-full'), 'The disk is full'],
  [errorOf('conflict', 'precondition-failed'), 'The object changed in the meantime'],
  [errorOf('conflict', 'object-archived'), 'This object is archived'],
  [errorOf('network', 'unreachable'), 'The server cannot be reached from here'],
  [errorOf('network', 'dns'), 'Server not found'],
  [errorOf('network', 'reset'), 'The connection was lost'],
  [errorOf('timeout', 'inactivity'), 'The service does not respond'],
  [errorOf('access-denied', 'key-unknown'), 'The service does not know this access key'],
] as const;

const stop = (work: Partial<Job>, changes: Partial<Job>): Job =>
  jobOf({ ...work, state: 'needs-attention', bucket: 'media', ...changes });
const some = { total: 6, done: 4, skipped: 0, failed: 2, asking: 0 };

describe('the headline of a failed job', () => {
  it.each(works)('is its cause, with true counts: %s', async (_, work, denied, missing) => {
    const t = await englishWords();
    const expected = [
      ...causes,
      [errorOf('access-denied', 'denied'), `Access denied: ${denied}`],
      [errorOf('not-found', 'no-such-bucket'), `The ${missing} not exist`],
    ] as const;
    for (const [error, cause] of expected) {
      const of = (changes: Partial<Job>): string => jobSentence(stop(work, { error, ...changes }), nowMs, t);
      const single = { total: 1, done: 0, skipped: 0, failed: 1, asking: 0 };
      expect(of({ reason: 'items-failed', items: single })).toBe(cause);
      expect(of({ reason: 'items-failed', items: some })).toBe(`2 of 6 failed. ${cause}`);
      const mixed = { ...some, causes: 2 };
      expect(of({ reason: 'items-failed', items: mixed })).toBe(`2 of 6 failed. First: ${cause}`);
      // The job as a whole failed, for example while it listed what to transfer.
      const none = { total: 0, done: 0, skipped: 0, failed: 0, asking: 0 };
      expect(of({ reason: 'refused', items: none })).toBe(cause);
    }
  });

  it.each(['complete', 'resume', 'abort'] as const)(
    'is its cause for the one upload of a %s',
    async (kind) => {
      const t = await englishWords();
      const denied = kind === 'abort' ? 'abort uploads in' : 'write to';
      const of = (reason: Job['reason'], error: Job['error']): string =>
        jobSentence(stop({ kind }, { reason, error }), nowMs, t);
      expect(of('access-denied', errorOf('access-denied', 'denied'))).toBe(
        `Access denied: this key may not ${denied} media`,
      );
      expect(of('refused', errorOf('not-found', 'no-such-bucket'))).toBe('The bucket media does not exist');
      for (const [error, cause] of causes)
        for (const reason of ['refused', 'not-sent'] as const) expect(of(reason, error)).toBe(cause);
    },
  );

  it('names a bucket and says the cause in Russian too', async () => {
    const t = await russianWords();
    for (const [, work] of works)
      for (const error of [
        errorOf('access-denied', 'denied'),
        errorOf('not-found', 'no-such-bucket'),
        ...causes.map(([each]) => each),
      ]) {
        const sentence = jobSentence(stop(work, { reason: 'items-failed', error, items: some }), nowMs, t);
        expect(sentence).toMatch(/^Не удалось 2 из 6\. \p{Lu}/u);
        expect(sentence).not.toMatch(/\{\{|jobs\.|[a-z]{3} [a-z]/u);
      }
  });
});

it('the reason for a retry is the cause of the last failure', async () => {
  const t = await englishWords();
  for (const [error, why] of [
    [errorOf('server', 'unavailable'), 'the service is temporarily unavailable'],
    [errorOf('rate-limited', 'slow-down'), 'the service is busy'],
    [errorOf('network', 'reset'), 'the service cannot be reached'],
    [errorOf('conflict', 'busy'), 'another change is in progress'],
    [errorOf('storage', 'too-many-open-files'), 'too many files were open on this computer'],
    [errorOf('damaged', 'length-differs'), 'data was damaged on its way'],
  ] as const)
    expect(shortWhy(error, t)).toBe(why);
});

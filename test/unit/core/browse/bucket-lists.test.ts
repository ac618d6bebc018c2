import { describe, expect, it } from 'vitest';
import { createBucketLists, type BucketLists } from '../../../../electron/core/browse/bucket-lists.ts';
import type { Bucket } from '../../../../electron/core/s3/model/listing-types.ts';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { failure } from '../../../../shared/errors.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';

interface Sent {
  readonly signal: AbortSignal | undefined;
  readonly answer: (name: string) => void;
  readonly fail: () => void;
}

function listsUnderTest(): {
  readonly lists: BucketLists;
  readonly sent: readonly Sent[];
  readonly clock: ReturnType<typeof manualClock>;
} {
  const sent: Sent[] = [];
  const clock = manualClock();
  const listBuckets: S3Client['listBuckets'] = async (options) =>
    await new Promise<readonly Bucket[]>((resolve, reject) => {
      sent.push({
        signal: options?.signal,
        answer: (name) => {
          resolve([{ name, createdAt: null, region: null }]);
        },
        fail: () => {
          reject(failure('network', 'Gone.'));
        },
      });
    });
  const client = async (): Promise<S3Client> => await Promise.resolve({ listBuckets } as S3Client);
  return { lists: createBucketLists({ client, clock }), sent, clock };
}

const named = (name: string): readonly unknown[] => [expect.objectContaining({ name })];

describe('the bucket list of a connection', () => {
  it('is requested once by callers at the same time', async () => {
    const { lists, sent, clock } = listsUnderTest();
    const both = [lists.recent('c', undefined), lists.current('c', undefined)];
    const other = lists.current('other', undefined);
    await clock.advance(0);
    expect(sent).toHaveLength(2);
    sent[0]?.answer('a');
    sent[1]?.answer('b');
    expect(await Promise.all(both)).toEqual([named('a'), named('a')]);
    expect(await other).toEqual(named('b'));
  });

  it('is used for a minute by callers that need no current list', async () => {
    const { lists, sent, clock } = listsUnderTest();
    const first = lists.current('c', undefined);
    await clock.advance(70_000);
    sent[0]?.answer('a');
    await first;
    await clock.advance(59_000);
    expect(await lists.recent('c', undefined)).toEqual(named('a'));
    expect(sent).toHaveLength(1);

    const current = lists.current('c', undefined);
    await clock.advance(0);
    sent[1]?.answer('b');
    expect(await current).toEqual(named('b'));
    expect(await lists.recent('c', undefined)).toEqual(named('b'));

    await clock.advance(60_000);
    const late = lists.recent('c', undefined);
    await clock.advance(0);
    sent[2]?.answer('c');
    expect(await late).toEqual(named('c'));
    expect(sent).toHaveLength(3);
  });

  it('serves as the current list once, right after a caller that needed no current list requested it', async () => {
    const { lists, sent, clock } = listsUnderTest();
    const listNow = async (name: string): Promise<void> => {
      const current = lists.current('c', undefined);
      await clock.advance(0);
      sent.at(-1)?.answer(name);
      expect(await current).toEqual(named(name));
    };
    const count = lists.recent('c', undefined);
    await clock.advance(0);
    sent[0]?.answer('a');
    await count;
    await clock.advance(1900);
    expect(await lists.current('c', undefined)).toEqual(named('a'));
    expect(sent).toHaveLength(1);
    // Reload sends a request, even at once.
    await listNow('b');
    expect(sent).toHaveLength(2);

    await clock.advance(60_000);
    const later = lists.recent('c', undefined);
    await clock.advance(0);
    sent[2]?.answer('c');
    await later;
    await clock.advance(2000);
    await listNow('d');
    expect(sent).toHaveLength(4);
  });

  it('is requested again after it was dropped, even if a request is in flight', async () => {
    const { lists, sent, clock } = listsUnderTest();
    const before = lists.current('c', undefined);
    await clock.advance(0);
    lists.drop('c');
    const after = lists.recent('c', undefined);
    await clock.advance(0);
    expect(sent).toHaveLength(2);
    sent[1]?.answer('new');
    sent[0]?.answer('old');
    expect(await Promise.all([before, after])).toEqual([named('old'), named('new')]);
    expect(await lists.recent('c', undefined)).toEqual(named('new'));
  });

  it('is aborted only when every caller has aborted, and requested again then', async () => {
    const { lists, sent, clock } = listsUnderTest();
    const [earlier, later] = [new AbortController(), new AbortController()];
    const first = lists.current('c', earlier.signal);
    const second = lists.recent('c', later.signal);
    await clock.advance(0);
    earlier.abort(new Error('Earlier left.'));
    await expect(first).rejects.toThrow('Earlier left.');
    expect(sent[0]?.signal?.aborted).toBe(false);
    later.abort(new Error('Later left.'));
    await expect(second).rejects.toThrow('Later left.');
    expect(sent[0]?.signal?.aborted).toBe(true);

    const third = lists.recent('c', undefined);
    await clock.advance(0);
    expect(sent).toHaveLength(2);
    sent[0]?.fail();
    sent[1]?.answer('a');
    expect(await third).toEqual(named('a'));
    expect(await lists.recent('c', undefined)).toEqual(named('a'));
    await expect(lists.recent('c', AbortSignal.abort(new Error('Left.')))).rejects.toThrow('Left.');
    expect(sent).toHaveLength(2);
  });

  it('is requested again after a failure, which every caller learns', async () => {
    const { lists, sent, clock } = listsUnderTest();
    const both = [lists.current('c', undefined), lists.recent('c', new AbortController().signal)];
    const outcomes = Promise.allSettled(both);
    await clock.advance(0);
    sent[0]?.fail();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = lists.recent('c', undefined);
    await clock.advance(0);
    sent[1]?.answer('a');
    expect(await again).toEqual(named('a'));
  });
});

import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorReason } from '../../../../../shared/error-reasons.ts';
import { errorCodes } from '../../../../../shared/error-schema.ts';
import { failure, toAppError, type AppFailure } from '../../../../../shared/errors.ts';
import {
  absent,
  anything,
  expectHead,
  expectObject,
  writeConditionFor,
  getExactly,
  conditionRefusalOf,
  sendIf,
  sendUnder,
  type WriteCondition,
  type Requirement,
} from '../../../../../electron/core/s3/conditions/conditional.ts';
import {
  ConditionMemory,
  type ConditionalOperation,
} from '../../../../../electron/core/s3/model/condition-memory.ts';
import type { ObjectHead } from '../../../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../../../electron/core/s3/model/s3-client.ts';

/** The ways in which services treat conditions. */
const manners = [
  'honours',
  'refuses by 501',
  'refuses by 400',
  'answers 412 to If-Match',
  'weak ETags',
] as const;
type Manner = (typeof manners)[number];

function refusal(status: 400 | 412 | 501): AppFailure {
  const s3 = { status, code: null, message: null, requestId: null };
  if (status === 412) return failure('conflict', '412', { reason: 'precondition-failed', s3 });
  if (status === 501) return failure('unsupported', '501', { reason: 'not-implemented', s3 });
  return failure('invalid-argument', '400', { reason: 'refused', s3 });
}

function headOf(version: number, isWeak: boolean): ObjectHead {
  return {
    sizeBytes: version,
    etag: `${isWeak ? 'W/' : ''}"v${version}"`,
    lastModified: new Date(version * 1000).toISOString(),
    contentType: null,
    storageClass: null,
    versionId: null,
    metadata: {},
    headers: {},
  };
}

/** The state of a key in a fake service: a version, or empty. Another writer changes it before some of the requests. */
class Key {
  version: number | null;
  readonly asked: string[] = [];
  /** Requests that found another state than the last check or their condition had named. */
  readonly unexpected: string[] = [];
  readonly conditions = new ConditionMemory();
  #others: boolean[];
  #fresh = 100;
  #isWrittenSinceLook = false;

  readonly manner: Manner;

  constructor(manner: Manner, version: number | null, others: readonly boolean[] = []) {
    this.manner = manner;
    this.version = version;
    this.#others = [...others];
  }

  get client(): S3Client {
    const { conditions } = this;
    return {
      conditions,
      headObject: () => {
        this.#somebodyElse();
        this.asked.push('look');
        this.#isWrittenSinceLook = false;
        if (this.version === null)
          return Promise.reject(failure('not-found', '404', { reason: 'no-such-key' }));
        return Promise.resolve(headOf(this.version, this.manner === 'weak ETags'));
      },
    } as Partial<S3Client> as S3Client;
  }

  seen(): ObjectHead | null {
    return this.version === null ? null : headOf(this.version, this.manner === 'weak ETags');
  }

  readonly write = (expected: number | null) => (condition: WriteCondition) => {
    this.#somebodyElse();
    const isConditional = condition.ifMatch !== undefined || condition.ifNoneMatch !== undefined;
    this.asked.push(isConditional ? 'conditional' : 'plain');
    if (isConditional) this.#refuse(condition);
    else if (this.version !== expected && !this.#isWrittenSinceLook)
      this.unexpected.push('overwrote what was seen');
    this.version = 7;
    return Promise.resolve('written');
  };

  #refuse({ ifMatch, ifNoneMatch }: WriteCondition): void {
    if (this.manner === 'refuses by 501') throw refusal(501);
    if (this.manner === 'refuses by 400') throw refusal(400);
    if (ifMatch !== undefined && this.manner === 'answers 412 to If-Match') throw refusal(412);
    if (ifMatch?.startsWith('W/') === true) this.unexpected.push('a weak If-Match was sent');
    const holds =
      ifNoneMatch === undefined ? ifMatch === `"v${String(this.version)}"` : this.version === null;
    if (!holds) throw refusal(412);
  }

  #somebodyElse(): void {
    if (this.#others.shift() !== true) return;
    this.#fresh += 1;
    this.version = this.#fresh;
    this.#isWrittenSinceLook = true;
  }
}

const ref = { bucket: 'b', key: 'k' };

function requirementOf(key: Key, operation: ConditionalOperation = 'put'): Requirement {
  return { client: key.client, ref, operation, expected: expectHead(key.seen()) };
}

const both = (source: Key, target: Key): readonly Requirement[] => [
  { ...requirementOf(target, 'copy'), client: target.client },
  {
    ...requirementOf(source, 'copy-source'),
    client: target.client,
    look: () => Promise.resolve(source.seen()),
  },
];

const reader = (reply: ObjectHead, refuses = false) => {
  const sent: (string | undefined)[] = [];
  const client = {
    conditions: new ConditionMemory(),
    headObject: () => Promise.resolve(reply),
    getObject: ({ ifMatch }: { ifMatch?: string }) => {
      sent.push(ifMatch);
      if (refuses && ifMatch !== undefined) return Promise.reject(refusal(412));
      return Promise.resolve({ ...reply, contentRange: null, body: { destroy: () => undefined } });
    },
  } as unknown as S3Client;
  return { client, sent };
};

describe('a conditional write', () => {
  test('succeeds if the key is as expected, however the service treats conditions', async () => {
    for (const manner of manners)
      for (const version of [null, 5]) {
        const key = new Key(manner, version);
        expect([manner, await sendIf(requirementOf(key), key.write(version))]).toEqual([manner, 'written']);
        expect(key.unexpected).toEqual([]);
      }
  });

  test('never overwrites an object that a check or the service could have revealed', async () => {
    await assert(
      asyncProperty(
        record({
          manner: constantFrom(...manners),
          isThere: boolean(),
          others: array(boolean(), { maxLength: 6 }),
          writes: integer({ min: 1, max: 3 }),
        }),
        async ({ manner, isThere, others, writes }) => {
          const key = new Key(manner, isThere ? 5 : null, others);
          for (let turn = 0; turn < writes; turn += 1) {
            const { version } = key;
            const end = await sendIf(requirementOf(key), key.write(version)).catch(
              (thrown: unknown) => toAppError(thrown).reason,
            );
            expect(['written', 'precondition-failed']).toContain(end);
          }
          expect(key.unexpected).toEqual([]);
        },
      ),
    );
  });

  test.each([
    ['honours', null, ['conditional']],
    ['honours', 5, ['conditional']],
    ['refuses by 501', 5, ['conditional', 'look', 'plain']],
    ['refuses by 400', null, ['conditional', 'look', 'plain']],
    ['answers 412 to If-Match', 5, ['conditional', 'look', 'conditional', 'look', 'plain']],
    ['weak ETags', 5, ['look', 'plain']],
  ] as const)('to a bucket that %s, at a key with version %s, sends %j', async (manner, version, asked) => {
    const key = new Key(manner, version);
    await sendIf(requirementOf(key), key.write(version));
    expect(key.asked).toEqual(asked);
  });

  test.each([
    ['refuses by 501', 5],
    ['refuses by 400', null],
    ['answers 412 to If-Match', 5],
  ] as const)('remembers that a bucket %s and checks the key instead next time', async (manner, version) => {
    const key = new Key(manner, version);
    await sendIf(requirementOf(key), key.write(version));
    key.version = version;
    key.asked.length = 0;
    await sendIf(requirementOf(key), key.write(version));
    expect(key.asked).toEqual(['look', 'plain']);
    // Other requests of the bucket, and other buckets, are not affected.
    expect(key.conditions.of('b', 'delete', 'etag')).toBeNull();
    expect(key.conditions.of('other', 'put', version === null ? 'absent' : 'etag')).toBeNull();
  });

  test('fails with 412 if a check finds another object', async () => {
    const key = new Key('honours', 5, [true]);
    await expect(sendIf(requirementOf(key), key.write(5))).rejects.toMatchObject({
      error: { reason: 'precondition-failed', s3: { status: 412 } },
    });
    expect(key.asked).toEqual(['conditional', 'look']);
    expect(key.conditions.of('b', 'put', 'etag')).toBeNull();
  });

  test('keeps using conditions if an object appeared and vanished meanwhile', async () => {
    const key = new Key('honours', null);
    let isFirst = true;
    const result = await sendIf(requirementOf(key), async (condition) => {
      if (!isFirst) return await key.write(null)(condition);
      isFirst = false;
      throw refusal(412);
    });
    expect([result, key.asked]).toEqual(['written', ['look', 'conditional']]);
    expect(key.conditions.of('b', 'put', 'absent')).toBeNull();
  });

  test('does not blame the condition if the request also fails without it', async () => {
    const key = new Key('honours', 5);
    await expect(sendIf(requirementOf(key), () => Promise.reject(refusal(400)))).rejects.toMatchObject({
      error: { code: 'invalid-argument' },
    });
    expect(key.conditions.of('b', 'put', 'etag')).toBeNull();
  });

  test('rethrows other failures without a check', async () => {
    const key = new Key('honours', 5);
    const lost = failure('network', 'lost', { outcome: 'unknown', retry: 'backoff' });
    await expect(sendIf(requirementOf(key), () => Promise.reject(lost))).rejects.toBe(lost);
    expect(key.asked).toEqual([]);
  });

  test('is sent without a condition if the user allowed overwriting anything', async () => {
    const key = new Key('honours', 5);
    await sendIf({ ...requirementOf(key), expected: anything }, key.write(5));
    expect(key.asked).toEqual(['plain']);
  });

  test('that deletes a missing object fails with no-such-key', async () => {
    const key = new Key('weak ETags', 5);
    const requirement = requirementOf(key, 'delete');
    key.version = null;
    await expect(sendIf(requirement, key.write(null))).rejects.toMatchObject({
      error: { reason: 'no-such-key' },
    });
    expect(key.asked).toEqual(['look']);
  });
});

describe('a copy with conditions on source and target', () => {
  test('finds out which of the two conditions the service does not support', async () => {
    const source = new Key('honours', 3);
    const target = new Key('honours', 5);
    const sent: string[] = [];
    await sendUnder(both(source, target), ([toTarget, ofSource]) => {
      sent.push(`${String(toTarget?.ifMatch)} ${String(ofSource?.ifMatch)}`);
      if (ofSource?.ifMatch !== undefined) throw refusal(501);
      return Promise.resolve();
    });
    expect(sent).toEqual(['"v5" "v3"', 'undefined "v3"', '"v5" undefined']);
    expect(target.conditions.of('b', 'copy', 'etag')).toBeNull();
    expect(target.conditions.of('b', 'copy-source', 'etag')).toBe('refused');
  });

  test('from a source with a weak ETag checks the source before and after', async () => {
    const source = new Key('weak ETags', 3);
    const target = new Key('honours', null);
    const requirements = both(source, target);
    await expect(
      sendUnder(requirements, () => {
        source.version = 4;
        return Promise.resolve();
      }),
    ).rejects.toMatchObject({ error: { reason: 'precondition-failed' } });
  });
});

describe('a GET of one exact object', () => {
  const wanted = { etag: '"v3"', sizeBytes: 3, lastModified: new Date(3000).toISOString() };
  test('continues without If-Match behind a proxy that weakens ETags', async () => {
    const { client, sent } = reader(headOf(3, true), true);
    await getExactly(client, ref, wanted);
    await getExactly(client, ref, wanted);
    expect(sent).toEqual(['"v3"', '"v3"', undefined, undefined]);
  });

  test.each([
    ['another ETag', { ...headOf(3, true), etag: 'W/"other"' }],
    [
      'the same weak ETag at another time',
      { ...headOf(3, true), lastModified: new Date(4000).toISOString() },
    ],
    ['the same weak ETag and another length', { ...headOf(3, true), sizeBytes: 4 }],
    [
      'no ETag and another time',
      { ...headOf(3, true), etag: null, lastModified: new Date(9000).toISOString() },
    ],
  ])('rejects a response with %s', async (_, reply) => {
    const { client } = reader(reply);
    await expect(getExactly(client, ref, wanted)).rejects.toMatchObject({
      error: { reason: 'precondition-failed' },
    });
  });
});

test('a condition never contains a weak or missing ETag', () => {
  const seen = headOf(1, false);
  expect(writeConditionFor(expectObject(seen))).toEqual({ ifMatch: '"v1"' });
  expect(writeConditionFor(expectObject({ ...seen, etag: 'W/"v1"' }))).toBeNull();
  expect(writeConditionFor(expectObject({ ...seen, etag: null }))).toBeNull();
  expect([writeConditionFor(absent), writeConditionFor(anything)]).toEqual([{ ifNoneMatch: '*' }, null]);
});

const invalid = (reason: ErrorReason) =>
  conditionRefusalOf(failure('invalid-argument', 'x', { reason }).error);

test('only an unsupported or invalid request may be blamed on the condition', () => {
  expect(errorCodes.filter((code) => conditionRefusalOf(failure(code, 'x').error) !== null)).toEqual([
    'unsupported',
  ]);
  expect([invalid('refused'), invalid('malformed-xml')]).toEqual(['not-known', 'not-known']);
  expect([invalid('key-too-long'), invalid('region-mismatch'), invalid('storage-class')]).toEqual([
    null,
    null,
    null,
  ]);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retryPolicies } from '../../../../../electron/core/flow/retry-policies.ts';
import { ObjectContent } from '../../../../../electron/core/s3/http/http-response.ts';
import type { ByteRange } from '../../../../../electron/core/s3/model/object-types.ts';
import type { OpenedObject } from '../../../../../electron/core/s3/requests/object-content.ts';
import { resumableBody, type ResumableRun } from '../../../../../electron/core/s3/requests/resumable-body.ts';
import { failure } from '../../../../../shared/errors.ts';
import { fakeClock, fixedRandom } from '../../../../support/servers/s3-client.ts';

/** How a gateway handles one GET. */
interface GetPlan {
  /** False if it sends the whole object, whatever range is requested. */
  readonly honoursRange: boolean;
  /** The connection breaks after this many bytes of the body. */
  readonly breaksAfterBytes: number;
}

const chunkBytes = 3;
const intact: GetPlan = { honoursRange: true, breaksAfterBytes: Infinity };

/** A gateway with one object, whose GETs follow the plans in order. GETs without a plan succeed. */
class Gateway {
  readonly #object: Uint8Array;
  readonly #plans: GetPlan[];
  readonly #tellsLength: boolean;

  constructor(object: Uint8Array, plans: readonly GetPlan[], tellsLength: boolean) {
    this.#object = object;
    this.#plans = [...plans];
    this.#tellsLength = tellsLength;
  }

  get(range: ByteRange | null): OpenedObject {
    const plan = this.#plans.shift() ?? intact;
    if (range === null) return this.#respond(this.#object, plan, this.#tellsLength);
    if (!plan.honoursRange) throw failure('protocol', 'The range was ignored.', { reason: 'range-ignored' });
    if (range.firstByte >= this.#object.byteLength)
      throw failure('invalid-argument', 'There is no such range.', { reason: 'invalid-range' });
    return this.#respond(this.#object.subarray(range.firstByte, range.lastByte + 1), plan, true);
  }

  #respond(body: Uint8Array, { breaksAfterBytes }: GetPlan, tellsLength: boolean): OpenedObject {
    return {
      head: {
        etag: '"e"',
        lastModified: null,
        contentType: null,
        storageClass: null,
        versionId: null,
        metadata: {},
        headers: {},
        sizeBytes: tellsLength ? this.#object.byteLength : null,
        contentRange: null,
      },
      content: new ObjectContent(
        async (take) => {
          const end = Math.min(breaksAfterBytes, body.byteLength);
          for (let at = 0; at < end; at += chunkBytes)
            await take(body.slice(at, Math.min(end, at + chunkBytes)));
          if (breaksAfterBytes <= body.byteLength)
            throw failure('network', 'The connection broke.', { retry: 'backoff' });
        },
        () => undefined,
      ),
      expectedBytes: tellsLength ? body.byteLength : null,
    };
  }
}

function runWith(reopen: ResumableRun['reopen']): ResumableRun {
  return {
    reopen,
    isAborted: () => false,
    signal: undefined,
    clock: fakeClock(0),
    random: fixedRandom,
    policy: { ...retryPolicies.request, maxTries: 100, budgetMs: Infinity },
    onBroken: () => undefined,
  };
}

/** Reads the whole object. Returns the bytes passed on, and the error after which reading gave up. */
async function readAll(
  gateway: Gateway,
  sizeBytes: number | undefined,
): Promise<{ readonly bytes: readonly number[]; readonly error: unknown }> {
  const bytes: number[] = [];
  const content = resumableBody(
    gateway.get(null),
    { range: null, sizeBytes },
    runWith((range) => Promise.resolve().then(() => gateway.get(range))),
  );
  const error: unknown = await content.read((chunk) => void bytes.push(...chunk)).catch((thrown) => thrown);
  return { bytes, error: error ?? null };
}

function numbered(sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, index) => index);
}

describe('an object whose connection breaks', () => {
  test('is complete if a node ignores the range and the next node honours it', async () => {
    const object = numbered(100);
    const gateway = new Gateway(
      object,
      [
        { honoursRange: true, breaksAfterBytes: 60 },
        { honoursRange: false, breaksAfterBytes: 0 },
        { honoursRange: true, breaksAfterBytes: 50 },
      ],
      true,
    );
    expect(await readAll(gateway, 100)).toEqual({ bytes: [...object], error: null });
  });

  test('is not complete if it is sent again and ends before the bytes already passed on', async () => {
    const endless = new Gateway(numbered(40), [{ honoursRange: true, breaksAfterBytes: 30 }], false);
    const shorter = new Gateway(numbered(20), [], false);
    const bytes: number[] = [];
    const content = resumableBody(
      endless.get(null),
      { range: null, sizeBytes: undefined },
      runWith((range) => {
        if (range === null) return Promise.resolve(shorter.get(null));
        return Promise.reject(failure('protocol', 'The range was ignored.', { reason: 'range-ignored' }));
      }),
    );
    await expect(content.read((chunk) => void bytes.push(...chunk))).rejects.toMatchObject({
      error: { code: 'damaged' },
    });
    expect(bytes).toEqual([...numbered(30)]);
  });

  test('passes each byte on once and in order, whichever ranges are honoured', async () => {
    const plan = fc.record({ honoursRange: fc.boolean(), breaksAfterBytes: fc.nat(45) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(plan, { maxLength: 12 }),
        fc.boolean(),
        async (sizeBytes, plans, tellsLength) => {
          const object = [...numbered(sizeBytes)];
          const gateway = new Gateway(Uint8Array.from(object), plans, tellsLength);
          const { bytes, error } = await readAll(gateway, tellsLength ? sizeBytes : undefined);
          expect(bytes).toEqual(object.slice(0, error === null ? sizeBytes : bytes.length));
          // Without a length, a break after the last byte looks like a break in the middle, so reading may fail.
          expect(error === null || !tellsLength).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is closed if it is no longer needed when the next response arrives', async () => {
    const gateway = new Gateway(numbered(9), [{ honoursRange: true, breaksAfterBytes: 3 }], true);
    const bytes: number[] = [];
    let isClosed = false;
    const close = (): void => {
      isClosed = true;
    };
    const content = resumableBody(
      gateway.get(null),
      { range: null, sizeBytes: 9 },
      runWith((range) => {
        content.destroy();
        const opened = gateway.get(range);
        return Promise.resolve({ ...opened, content: new ObjectContent(opened.content.read, close) });
      }),
    );
    await expect(content.read((chunk) => void bytes.push(...chunk))).rejects.toMatchObject({
      error: { code: 'network' },
    });
    expect(isClosed).toBe(true);
    expect(bytes).toEqual([0, 1, 2]);
  });
});

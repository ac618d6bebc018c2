import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEdits, type Edits } from '../../../electron/core/edits/edits.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { createEventHub } from '../../../electron/core/settings/events.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { coreUnderTest, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { damagingClient, type Damage, type Damaging } from '../../support/core/damaging-client.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Tests edits whose bodies are damaged on the way to the service, where only its response can reveal the damage. */
const bucket = 'papers';
const key = 'a.txt';
const kinds: readonly Damage[] = ['flips one bit', 'cuts the last byte'];

interface Rig {
  readonly plan: Damaging;
  readonly edits: Edits;
  readonly saving: (text: string, etag: string, editId?: string) => ReturnType<Edits['save']>;
  readonly stored: () => Promise<string>;
  readonly etag: string;
}

async function rig(damage: Damage, left: number, reports: (client: S3Client) => S3Client): Promise<Rig> {
  const service = await serviceUnderTest({ dataDir: path.join(tempDir(), 'service') });
  service.store.buckets.create(bucket, 0);
  const { core, client } = coreUnderTest({ service });
  const [connection] = await client.connections.list();
  const s3 = await core.connectionClient(connection?.id ?? '');
  const first = Buffer.from('one');
  const { etag } = await s3.putObject({ bucket, key, body: { sizeBytes: 3, open: () => first } });
  const plan: Damaging = { damage, left, damaged: 0 };
  const edits = createEdits({
    ports: fakePorts({ clock: { ...nodeClock, advance: () => Promise.resolve(), sleepers: 0 } }),
    dir: path.join(tempDir(), 'edits'),
    client: async () => await Promise.resolve(reports(damagingClient(s3, plan))),
    events: createEventHub(),
    onSent: () => undefined,
  });
  onTestFinished(async () => {
    plan.left = 0;
    await edits.close();
  });
  return {
    plan,
    edits,
    etag: etag ?? '',
    saving: async (text, base, editId) =>
      await edits.save({
        connectionId: connection?.id ?? '',
        bucket,
        key,
        editId: editId ?? null,
        etag: base,
        contentBase64: Buffer.from(text).toString('base64'),
      }),
    stored: async () => {
      const { body } = await s3.getObject({ bucket, key });
      return Buffer.concat((await body.toArray()) as Buffer[]).toString();
    },
  };
}

/** Simulates a service whose ETags are not MD5s, so that only reading the object back proves what was stored. */
const withOwnEtags = (client: S3Client): S3Client => ({
  ...client,
  putObject: async ({ headers = {}, ...input }, options) => {
    // The embedded service has no encryption. Here the header only means that the ETag is not an MD5.
    const { 'x-amz-server-side-encryption': _kms, ...others } = headers;
    return { ...(await client.putObject({ ...input, headers: others }, options)), etagHidesMd5: true };
  },
  headObject: async (ref, options) => {
    const head = await client.headObject(ref, options);
    return { ...head, headers: { ...head.headers, 'x-amz-server-side-encryption': 'aws:kms' } };
  },
});

describe.each([
  ['reports MD5s', (client: S3Client) => client],
  ['has ETags of its own', withOwnEtags],
])('on a service that %s,', (_what, reports) => {
  test.each(kinds)('a text saved in the window is sent again if a proxy %s', async (damage) => {
    const { plan, saving, stored, etag } = await rig(damage, 1, reports);
    const saved = await saving('two and more', etag);
    const edit = saved.state === 'open' ? saved : await saving('two and more', saved.etag ?? '', saved.id);
    expect(plan.damaged).toBe(1);
    expect(edit).toMatchObject({ state: 'open', error: null });
    expect(await stored()).toBe('two and more');
  });

  test.each(kinds)(
    'a text that a proxy damages each time (%s) is never reported as saved',
    async (damage) => {
      const { plan, edits, saving, stored, etag } = await rig(damage, Infinity, reports);
      const saved = await saving('two and more', etag);
      expect(saved).toMatchObject({ state: 'failed', sentAt: null, error: { code: 'damaged' } });
      expect(plan.damaged).toBeLessThan(20);
      // The local copy is intact, and a retry without damage replaces the damaged object.
      plan.left = 0;
      await edits.retry(saved.id);
      expect(edits.list()).toMatchObject([{ state: 'open', error: null }]);
      expect(await stored()).toBe('two and more');
    },
  );
});

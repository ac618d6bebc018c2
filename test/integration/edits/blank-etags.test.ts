import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { sendCopy } from '../../../electron/core/edits/send-copy.ts';
import { coreUnderTest, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { withoutEtags } from '../../support/core/silent-etags.ts';
import { bytesSource } from '../../support/servers/s3-client.ts';

/** Tests edits of an object on a service that reports no ETags. */
const ref = { bucket: 'papers', key: 'a.txt' };

async function opened(
  content: string,
): Promise<{ readonly s3: S3Client; readonly send: (text: string) => Promise<string | null> }> {
  const service = await serviceUnderTest();
  service.store.buckets.create(ref.bucket, 0);
  const { core, client } = coreUnderTest({ service });
  const [connection] = await client.connections.list();
  const s3 = await core.connectionClient(connection?.id ?? '');
  await s3.putObject({ ...ref, body: bytesSource(content) });
  const record = {
    version: 1,
    connectionId: 'c',
    ...ref,
    fileName: 'a.txt',
    etag: null,
    md5: hash('md5', content),
  } as const;
  return {
    s3,
    send: async (text) =>
      await sendCopy(withoutEtags(s3), record, {
        bytes: Buffer.from(text),
        mayReplace: false,
        signal: new AbortController().signal,
        onDamaged: () => Promise.resolve(),
      }),
  };
}

async function stored(s3: S3Client): Promise<string> {
  const { body } = await s3.getObject(ref);
  return Buffer.concat((await body.toArray()) as Buffer[]).toString();
}

test('an edit without ETags is sent if the object still has the content that was opened', async () => {
  const { s3, send } = await opened('one');
  expect(await send('two')).toBeNull();
  expect(await stored(s3)).toBe('two');
});

test('an edit without ETags does not overwrite what another client has written since', async () => {
  const { s3, send } = await opened('one');
  await s3.putObject({ ...ref, body: bytesSource('new') });
  await expect(send('two')).rejects.toMatchObject({ error: { reason: 'edit-changed' } });
  expect(await stored(s3)).toBe('new');
});

test('an edit without ETags does not create an object again that another client has deleted', async () => {
  const { s3, send } = await opened('one');
  await s3.deleteObject(ref);
  await expect(send('two')).rejects.toMatchObject({ error: { reason: 'edit-changed' } });
  await expect(s3.headObject(ref)).rejects.toMatchObject({ error: { code: 'not-found' } });
});

test('an edit without ETags that an earlier run has sent is not a conflict', async () => {
  const { s3, send } = await opened('one');
  await s3.putObject({ ...ref, body: bytesSource('two') });
  expect(await send('two')).toBeNull();
});

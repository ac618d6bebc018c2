import { expect, onTestFinished, test } from 'vitest';
import { clientFor, errorOf } from '../../support/servers/s3-client.ts';
import { errorResponse, startScriptedServer, xmlResponse } from '../../support/servers/scripted-server.ts';

const page = xmlResponse('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');

/** Starts a service that accepts only virtual-host addressing, as Alibaba OSS, Tencent COS and Volcengine TOS do. */
async function hostOnly(code: string) {
  const server = await startScriptedServer();
  onTestFinished(() => server.close());
  server.answer(({ headers }) =>
    headers['host']?.startsWith('bucket.') === true ? page : errorResponse(403, code),
  );
  return { server, endpoint: `http://localhost:${server.port}` };
}

test.each(['SecondLevelDomainForbidden', 'PathStyleDomainForbidden', 'InvalidPathAccess'])(
  'automatic addressing switches to virtual-host style after %s and keeps it',
  async (code) => {
    const { server, endpoint } = await hostOnly(code);
    const { client } = clientFor(endpoint, { addressing: 'auto' });
    await client.listObjects({ bucket: 'bucket' });
    await client.listObjects({ bucket: 'bucket' });
    expect(server.requests.map(({ headers }) => headers['host'])).toEqual([
      `localhost:${server.port}`,
      `bucket.localhost:${server.port}`,
      `bucket.localhost:${server.port}`,
    ]);
  },
);

test('a path-style request refused after another one switched to virtual-host style is repeated in it too', async () => {
  const { server, endpoint } = await hostOnly('SecondLevelDomainForbidden');
  const hasSwitched = Promise.withResolvers<void>();
  let refusals = 0;
  server.answer(async ({ headers }) => {
    if (headers['host']?.startsWith('bucket.') === true) {
      hasSwitched.resolve();
      return page;
    }
    refusals += 1;
    if (refusals === 2) await hasSwitched.promise;
    return errorResponse(403, 'SecondLevelDomainForbidden');
  });
  const { client } = clientFor(endpoint, { addressing: 'auto' });
  const pages = [client.listObjects({ bucket: 'bucket' }), client.listObjects({ bucket: 'bucket' })];
  await expect(Promise.all(pages)).resolves.toHaveLength(2);
  expect(refusals).toBe(2);
});

test('path style chosen by the user is kept, and the error names the setting', async () => {
  const { endpoint } = await hostOnly('SecondLevelDomainForbidden');
  const { client } = clientFor(endpoint, { addressing: 'path' });
  expect(await errorOf(client.listObjects({ bucket: 'bucket' }))).toMatchObject({
    reason: 'virtual-host-wanted',
  });
});

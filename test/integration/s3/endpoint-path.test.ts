import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { realClient } from '../../support/servers/real-client.ts';
import { serviceKeys, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { textOf } from '../../support/servers/s3-client.ts';

const basePath = '/storage/v1/s3';

/** Fetches a link from 127.0.0.1 whatever its host name, because not every resolver knows names below localhost. */
async function get(link: string): Promise<string> {
  const { host, port } = new URL(link);
  const path = link.slice(link.indexOf(host) + host.length);
  const [reply] = (await once(
    request({ host: '127.0.0.1', port, path, headers: { host } }).end(),
    'response',
  )) as [IncomingMessage];
  return await textOf(reply);
}

/** The service checks each signature against the path as it was sent. */
test.each(['path', 'virtual-host'] as const)(
  'every request is signed and sent below the path of the endpoint, with the bucket in %s style',
  async (addressing) => {
    const service = await serviceUnderTest({ quirks: { basePath } });
    const { port } = new URL(service.endpoint);
    const endpoint = `http://s3.localhost:${port}${basePath}`;
    const client = realClient({ endpoint, keys: serviceKeys }, {}, { addressing });
    await client.createBucket({ bucket: 'photos' });
    expect((await client.listBuckets()).map(({ name }) => name)).toEqual(['photos']);
    for (const key of ['a b/ü+%.txt', '/lead', 'x/../y']) {
      await client.putObject({
        bucket: 'photos',
        key,
        body: { sizeBytes: 3, open: () => Buffer.from('abc') },
      });
      await client.copyObject({ source: { bucket: 'photos', key }, bucket: 'photos', key: `copies/${key}` });
      const link = await client.presign({ bucket: 'photos', key, method: 'GET', expiresInSeconds: 60 });
      expect(new URL(link.url).pathname.startsWith(`${basePath}/`)).toBe(true);
      expect(client.objectUrl({ bucket: 'photos', key })).toContain(basePath);
    }
    const link = await client.presign({
      bucket: 'photos',
      key: 'a b/ü+%.txt',
      method: 'GET',
      expiresInSeconds: 60,
    });
    expect(await get(link.url)).toBe('abc');
    const page = await client.listObjects({ bucket: 'photos', prefix: 'copies/' });
    expect(page.objects).toHaveLength(3);
    await client.close();
  },
);

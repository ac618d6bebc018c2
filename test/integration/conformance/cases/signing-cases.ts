import { describe, expect, it } from 'vitest';
import { bytesSource, errorOf, textOf } from '../../../support/servers/s3-client.ts';
import type { Suite } from '../suite.ts';
import { connect, inWords, outcomeOf, raw } from '../target.ts';

export function signingCases({ target, client, bucket, note }: Suite): void {
  describe('signing', () => {
    it('makes presigned GET and PUT links for odd keys, which expire', async () => {
      const key = 'signed/+ é/../(1)';
      const putLink = await client.presign({ bucket, key, method: 'PUT', expiresInSeconds: 60 });
      expect((await fetchRaw(putLink.url, 'PUT', 'by link')).status).toBe(200);
      const getLink = await client.presign({ bucket, key, method: 'GET', expiresInSeconds: 60 });
      expect((await fetchRaw(getLink.url, 'GET')).text).toBe('by link');
      const earlier = connect(target, {}, -60 * 60_000);
      const old = await earlier.presign({ bucket, key, method: 'GET', expiresInSeconds: 60 });
      await earlier.close();
      const expired = await fetchRaw(old.url, 'GET');
      note(
        'a presigned link that has ended',
        `${expired.status} ${/<Code>(\w+)/.exec(expired.text)?.[1] ?? ''}`,
      );
      expect(expired.status).toBe(403);
      const tampered = await fetchRaw(getLink.url.replace('signed/', 'other/'), 'GET');
      expect(tampered.status).toBe(403);
    });

    it('with a wrong secret or an unknown key is refused, distinguished if the service does', async () => {
      const ask = { path: `/${bucket}` };
      const wrong = connect(target, {
        credentials: () => Promise.resolve({ ...target, secretAccessKey: 'wrong' }),
      });
      const unknown = connect(target, {
        credentials: () => Promise.resolve({ accessKeyId: 'NOSUCHKEY', secretAccessKey: 'x' }),
      });
      const secretError = await errorOf(wrong.listObjects({ bucket }));
      expect(secretError).toMatchObject({ code: 'access-denied', reason: 'secret-wrong' });
      const keyError = await errorOf(unknown.listObjects({ bucket }));
      note('an unknown access key', inWords(keyError));
      // Swift sends the same response for both, so an unknown access key may be reported as a wrong secret.
      expect(keyError.code).toBe('access-denied');
      expect(target.strict ? ['key-unknown'] : ['key-unknown', 'secret-wrong']).toContain(keyError.reason);
      await Promise.all([wrong.close(), unknown.close()]);
      note('another region in the signature', (await raw(target, { ...ask, region: 'xx-north-9' })).status);
      const anonymous = connect(target, { credentials: null });
      note('anonymous listing', await outcomeOf(anonymous.listObjects({ bucket })));
      await anonymous.close();
    });

    it('corrects a wrong clock of this computer', async () => {
      const skewed = await raw(target, { path: `/${bucket}`, clockAheadMs: 20 * 60_000 });
      note('a clock 20 minutes ahead', `${skewed.status} ${/<Code>(\w+)/.exec(skewed.text)?.[1] ?? ''}`);
      const ahead = connect(target, {}, 20 * 60_000);
      expect(await ahead.headBucket({ bucket })).toBeDefined();
      expect((await ahead.listObjects({ bucket, maxKeys: 1 })).objects).not.toEqual([]);
      await ahead.close();
    });

    it.skipIf(target.virtualHostEndpoint === null)(
      'works in virtual-host style as in path style',
      async () => {
        const virtual = connect(target, {
          endpoint: target.virtualHostEndpoint ?? '',
          addressing: 'virtual-host',
        });
        const key = 'virtual/é + //x';
        await virtual.putObject({ bucket, key, body: bytesSource('v') });
        expect((await virtual.listObjects({ bucket, prefix: 'virtual/' })).objects[0]?.key).toBe(key);
        const link = await virtual.presign({ bucket, key, method: 'GET', expiresInSeconds: 60 });
        expect(link.url).toContain(`//${bucket}.`);
        expect(await textOf((await virtual.getObject({ bucket, key })).body)).toBe('v');
        await virtual.close();
      },
    );
  });
}

/** Sends the path of a signed link unchanged; a URL class would normalize it. */
async function fetchRaw(url: string, method: 'GET' | 'PUT', body?: string) {
  const { Pool } = await import('undici');
  const [, origin = '', path = '/'] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  const pool = new Pool(origin);
  const reply = await pool.request({ method, path, body: body ?? null });
  const text = await reply.body.text();
  await pool.close();
  return { status: reply.statusCode, text };
}

import { assert, domain, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tidyEndpoint, tidyInput, tidyProxy } from '../../../../electron/core/connections/validate.ts';
import type { ConnectionInput } from '../../../../shared/models/connection.ts';
import { inputFor } from '../../../support/core/core-under-test.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';

const tidy = (change: Partial<ConnectionInput>) => tidyInput(inputFor('https://example.com', change)).input;

describe('an endpoint', () => {
  test.each([
    ['storage.example.com', 'https://storage.example.com'],
    [' https://Storage.Example.com/ ', 'https://storage.example.com'],
    ['http://10.0.0.5:9000', 'http://10.0.0.5:9000'],
    ['localhost:9000', 'http://localhost:9000'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['https://example.com:443', 'https://example.com'],
    ['storage.example.com:9000', 'https://storage.example.com:9000'],
    ['https://x.supabase.co/storage/v1/s3/', 'https://x.supabase.co/storage/v1/s3'],
    ['gateway.example.com/s3', 'https://gateway.example.com/s3'],
  ])('%j is normalised to %j', (typed, tidy) => {
    expect(tidyEndpoint(typed)).toBe(tidy);
  });

  test.each([
    ['', 'endpoint-missing', /missing/],
    ['ftp://example.com', 'endpoint-invalid', /scheme/],
    ['s3://photos', 'endpoint-invalid', /scheme/],
    ['https://s3.eu-west-1.amazonaws.com/photos', 'endpoint-invalid', /"photos" as the starting bucket/],
    ['https://example.com/?list-type=2', 'endpoint-invalid', /query/],
    ['https://s3.{region}.example.com', 'endpoint-invalid', /braces/],
    ['https://exa mple.com', 'endpoint-invalid', /unreadable/],
    ['https://example.com/a b', 'endpoint-invalid', /unreadable/],
    ['https://1.2.3.999', 'endpoint-invalid', /unreadable/],
    ['https://example.com:70000', 'endpoint-invalid', /unreadable/],
    [
      'https://photos.s3.eu-central-1.amazonaws.com',
      'endpoint-invalid',
      /name "photos" as the starting bucket/,
    ],
    ['https://photos.storage.yandexcloud.net', 'endpoint-invalid', /https:\/\/storage\.yandexcloud\.net/],
    [
      'https://photos.fra1.digitaloceanspaces.com',
      'endpoint-invalid',
      /https:\/\/fra1\.digitaloceanspaces\.com/,
    ],
  ])('%j is refused as %s with the reason', async (typed, reason, why) => {
    const error = await errorOf(() => tidyEndpoint(typed));
    expect(error).toMatchObject({ code: 'invalid-argument', reason });
    expect(error.message).toMatch(why);
  });

  test('containing a password is refused without repeating it', async () => {
    const error = await errorOf(() => tidyEndpoint('https://me:hunter22@example.com'));
    expect(JSON.stringify(error)).not.toMatch(/hunter22/);
  });

  test.each([
    'https://s3.amazonaws.com',
    'https://s3.dualstack.eu-west-1.amazonaws.com',
    'https://bucket.vpce-1a2b-3c4d.s3.us-east-1.vpce.amazonaws.com',
    'https://s3-fips.us-east-1.amazonaws.com',
  ])('%s contains no bucket name', (endpoint) => {
    expect(tidyEndpoint(endpoint)).toBe(endpoint);
  });

  test('that is normalised stays unchanged', () => {
    assert(
      property(domain(), integer({ min: 1024, max: 65_535 }), (host, port) => {
        const once = tidyEndpoint(`${host}:${port}`);
        expect(tidyEndpoint(once)).toBe(once);
      }),
    );
  });
});

describe('a proxy', () => {
  test('is stored without its password', () => {
    expect(tidyProxy({ kind: 'url', url: 'http://me:p%40ss@proxy.example.com:3128/' })).toEqual({
      proxy: { kind: 'url', url: 'http://me@proxy.example.com:3128' },
      password: 'p@ss',
    });
  });

  test.each([
    ['100%', '100%'],
    ['50% of %40', '50% of @'],
    ['%ff', '%ff'],
  ])('may have a password with a percent sign that encodes nothing: %s', (typed, password) => {
    expect(tidyProxy({ kind: 'url', url: `http://me:${typed}@proxy.example.com:3128` }).password).toBe(
      password,
    );
  });

  test.each(['', 'http://', 'ftp://proxy:21', 'me:hunter22@'])(
    '%j is refused without being repeated',
    async (url) => {
      const error = await errorOf(() => tidyProxy({ kind: 'url', url }));
      expect(error).toMatchObject({ code: 'invalid-argument', reason: 'proxy-invalid' });
      expect(error.message).not.toMatch(/hunter22/);
    },
  );
});

describe('the connection form', () => {
  test('trims white space around keys, names and regions', () => {
    const input = tidy({
      name: '  Mine ',
      region: ' eu-west-1\n',
      auth: { kind: 'keys', accessKeyId: ' AKIA1\n', secretAccessKey: '\tsecret ', sessionToken: ' ' },
    });
    expect(input).toMatchObject({
      name: 'Mine',
      region: 'eu-west-1',
      auth: { accessKeyId: 'AKIA1', secretAccessKey: 'secret', sessionToken: '' },
    });
  });

  test('strips quotes around keys', () => {
    const input = tidy({
      auth: { kind: 'keys', accessKeyId: '"AKIA1"', secretAccessKey: "'secret'", sessionToken: '“token” ' },
    });
    expect(input.auth).toEqual({
      kind: 'keys',
      accessKeyId: 'AKIA1',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
  });

  test.each([
    ['accessKeyId', 'hunter22\u200B', 'character 9 of the access key ID (U+200B)'],
    ['secretAccessKey', 'hunt\u0435r22', 'character 5 of the secret access key (U+0435)'],
    ['sessionToken', 'hunter\u00AD22', 'character 7 of the session token (U+00AD)'],
    ['secretAccessKey', '“hunter22', 'character 1 of the secret access key (U+201C)'],
  ])('names the invalid character in the %s %j and repeats no secret', async (field, typed, named) => {
    const auth = { kind: 'keys' as const, accessKeyId: 'A', secretAccessKey: 'x', sessionToken: null };
    const error = await errorOf(() => tidy({ auth: { ...auth, [field]: typed } }));
    expect(error).toMatchObject({ code: 'invalid-argument', reason: 'key-invalid' });
    expect(error.message).toContain(named);
    expect(JSON.stringify(error)).not.toMatch(/hunt/);
  });

  test('treats an empty region, certificate or start location as none', () => {
    expect(tidy({ region: ' ', caPem: '', start: { bucket: ' ', prefix: 'x/' } })).toMatchObject({
      region: null,
      caPem: null,
      start: null,
    });
  });

  test('keeps a start prefix byte for byte', () => {
    expect(tidy({ start: { bucket: 'b', prefix: ' //a ' } }).start).toEqual({ bucket: 'b', prefix: ' //a ' });
  });

  test('keeps an unknown provider as custom', () => {
    expect(tidy({ provider: 'of-the-future' }).provider).toBe('custom');
  });

  test('accepts a profile without an endpoint', () => {
    const input = inputFor('', { auth: { kind: 'aws-profile', profile: 'work' } });
    expect(tidyInput(input).input.endpoint).toBe('');
  });

  test.each<[string, Partial<ConnectionInput>]>([
    ['name-missing', { name: '  ' }],
    ['region-invalid', { region: 'eu west 1' }],
    ['ca-private-key', { caPem: '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----' }],
    ['ca-unreadable', { caPem: 'abc' }],
    ['start-bucket', { start: { bucket: 'a/b', prefix: '' } }],
    ['key-invalid', { auth: { kind: 'keys', accessKeyId: 'A B', secretAccessKey: 'x', sessionToken: null } }],
    [
      'key-invalid',
      { auth: { kind: 'keys', accessKeyId: 'A', secretAccessKey: 'hunter22 hunter22', sessionToken: null } },
    ],
  ])('is refused with %s and without any secret', async (reason, change) => {
    const error = await errorOf(() => tidy(change));
    expect(error).toMatchObject({ code: 'invalid-argument', reason });
    expect(JSON.stringify(error)).not.toMatch(/hunter22|abc/);
  });
});

test('normalising connection settings keeps fields that need no change', () => {
  expect(tidy({ requesterPays: true }).requesterPays).toBe(true);
  expect(tidy({}).requesterPays).toBeUndefined();
});

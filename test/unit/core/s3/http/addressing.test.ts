import { describe, expect, it } from 'vitest';
import {
  parseEndpointOrigin,
  targetOf,
  usesVirtualHost,
} from '../../../../../electron/core/s3/http/addressing.ts';
import { quirksFor } from '../../../../../shared/providers/providers.ts';
import { errorOf } from '../../../../support/servers/s3-client.ts';

const aws = parseEndpointOrigin('https://s3.eu-west-1.amazonaws.com');
const awsQuirks = quirksFor('aws', aws.hostname);
const plain = quirksFor('custom', 'example.com');

describe('the endpoint', () => {
  it('is a scheme, a host and perhaps a port', () => {
    expect(parseEndpointOrigin('http://127.0.0.1:9000')).toEqual({
      protocol: 'http:',
      hostname: '127.0.0.1',
      port: '9000',
    });
    expect(parseEndpointOrigin('https://S3.Example.com/').hostname).toBe('s3.example.com');
  });

  it.each([
    'example.com',
    'ftp://x.y',
    'https://u:p@example.com',
    'https://example.com/path',
    'https://x/?a',
    '',
  ])('%s is refused with the reason', async (endpoint) => {
    expect(await errorOf(() => parseEndpointOrigin(endpoint))).toMatchObject({
      code: 'invalid-argument',
      reason: 'endpoint-invalid',
    });
  });
});

describe('auto addressing', () => {
  it('is virtual-host where the provider wants that, and path elsewhere', () => {
    expect(usesVirtualHost('bucket', aws, 'auto', awsQuirks)).toBe(true);
    expect(usesVirtualHost('bucket', parseEndpointOrigin('https://x.example.com'), 'auto', plain)).toBe(
      false,
    );
  });

  it('is virtual-host for a custom connection whose host is AWS', () => {
    expect(usesVirtualHost('bucket', aws, 'auto', quirksFor('custom', aws.hostname))).toBe(true);
  });
});

describe('virtual-host style', () => {
  it.each(['my.bucket', 'Bucket', 'under_score', 'ab', 'a'.repeat(64), '-a-b'])(
    'falls back to path style for %s: its host name could not be, or TLS could not hold',
    (bucket) => {
      expect(usesVirtualHost(bucket, aws, 'virtual-host', awsQuirks)).toBe(false);
    },
  );

  it('falls back to path style for an address', () => {
    expect(usesVirtualHost('bucket', parseEndpointOrigin('http://127.0.0.1:1'), 'virtual-host', plain)).toBe(
      false,
    );
    expect(usesVirtualHost('bucket', parseEndpointOrigin('http://[::1]:1'), 'virtual-host', plain)).toBe(
      false,
    );
  });
});

describe('the target', () => {
  it('holds the bucket in the path or in the host', () => {
    const place = { bucket: 'bucket', key: 'a/../b c' };
    expect(targetOf(place, aws, false)).toEqual({
      origin: 'https://s3.eu-west-1.amazonaws.com',
      host: 's3.eu-west-1.amazonaws.com',
      path: '/bucket/a/../b%20c',
    });
    expect(targetOf(place, aws, true)).toEqual({
      origin: 'https://bucket.s3.eu-west-1.amazonaws.com',
      host: 'bucket.s3.eu-west-1.amazonaws.com',
      path: '/a/../b%20c',
    });
  });

  it('keeps the port in the Host header, which is signed', () => {
    expect(targetOf({ bucket: 'b' }, parseEndpointOrigin('http://h.example:9000'), false).host).toBe(
      'h.example:9000',
    );
  });

  it('of a key with a leading slash has two', () => {
    expect(targetOf({ bucket: 'bucket', key: '/k' }, aws, true).path).toBe('//k');
  });

  it('of a bucket that would lead elsewhere is refused', async () => {
    for (const bucket of ['a/b', '..', '.', '']) {
      const error = await errorOf(() => targetOf({ bucket, key: 'k' }, aws, false));
      expect(error.code).toBe('invalid-argument');
    }
  });

  it('of an empty key is refused: it would be the bucket', async () => {
    const error = await errorOf(() => targetOf({ bucket: 'b', key: '' }, aws, false));
    expect(error.code).toBe('invalid-argument');
  });
});

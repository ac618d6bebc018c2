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

describe('an endpoint', () => {
  it('is parsed into scheme, host and optional port', () => {
    expect(parseEndpointOrigin('http://127.0.0.1:9000')).toEqual({
      protocol: 'http:',
      hostname: '127.0.0.1',
      port: '9000',
      basePath: '',
    });
    expect(parseEndpointOrigin('https://S3.Example.com/').hostname).toBe('s3.example.com');
  });

  it.each(['example.com', 'ftp://x.y', 'https://u:p@example.com', 'https://x/?a', ''])(
    '%s is refused as endpoint-invalid',
    async (endpoint) => {
      expect(await errorOf(() => parseEndpointOrigin(endpoint))).toMatchObject({
        code: 'invalid-argument',
        reason: 'endpoint-invalid',
      });
    },
  );
});

describe('an endpoint with a path', () => {
  const below = parseEndpointOrigin('https://x.example.com:8443/storage/v1/s3/');

  it('has its path before the bucket, in path style and with the bucket in the host', () => {
    expect(targetOf({ bucket: 'b', key: 'a/../c' }, below, false)).toEqual({
      origin: 'https://x.example.com:8443',
      host: 'x.example.com:8443',
      path: '/storage/v1/s3/b/a/../c',
    });
    expect(targetOf({ bucket: 'bucket', key: '/k' }, below, true)).toEqual({
      origin: 'https://bucket.x.example.com:8443',
      host: 'bucket.x.example.com:8443',
      path: '/storage/v1/s3//k',
    });
  });

  it('is asked for its buckets without a slash at the end', () => {
    expect(targetOf({}, below, false).path).toBe('/storage/v1/s3');
    expect(targetOf({ bucket: 'bucket' }, below, true).path).toBe('/storage/v1/s3');
    expect(targetOf({ bucket: 'bucket' }, below, false).path).toBe('/storage/v1/s3/bucket');
  });

  it('keeps its path as it was encoded', () => {
    expect(targetOf({ bucket: 'b' }, parseEndpointOrigin('https://x.example.com/a%20b'), false).path).toBe(
      '/a%20b/b',
    );
  });
});

describe('auto addressing', () => {
  it('is virtual-host if the provider requires it, and path otherwise', () => {
    expect(usesVirtualHost('bucket', aws, 'auto', awsQuirks)).toBe(true);
    expect(usesVirtualHost('bucket', parseEndpointOrigin('https://x.example.com'), 'auto', plain)).toBe(
      false,
    );
  });

  it('is virtual-host for a custom connection to an AWS host', () => {
    expect(usesVirtualHost('bucket', aws, 'auto', quirksFor('custom', aws.hostname))).toBe(true);
  });
});

describe('virtual-host style', () => {
  it.each(['my.bucket', 'Bucket', 'under_score', 'ab', 'a'.repeat(64), '-a-b'])(
    'falls back to path style for %s, which is no valid host name under the certificate',
    (bucket) => {
      expect(usesVirtualHost(bucket, aws, 'virtual-host', awsQuirks)).toBe(false);
    },
  );

  it('falls back to path style for an IP address', () => {
    expect(usesVirtualHost('bucket', parseEndpointOrigin('http://127.0.0.1:1'), 'virtual-host', plain)).toBe(
      false,
    );
    expect(usesVirtualHost('bucket', parseEndpointOrigin('http://[::1]:1'), 'virtual-host', plain)).toBe(
      false,
    );
  });
});

describe('the request target', () => {
  it('has the bucket in the path or in the host', () => {
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

  it('keeps the port in the signed Host header', () => {
    expect(targetOf({ bucket: 'b' }, parseEndpointOrigin('http://h.example:9000'), false).host).toBe(
      'h.example:9000',
    );
  });

  it('keeps both slashes before a key that starts with one', () => {
    expect(targetOf({ bucket: 'bucket', key: '/k' }, aws, true).path).toBe('//k');
  });

  it('refuses a bucket name that would change the path', async () => {
    for (const bucket of ['a/b', '..', '.', '']) {
      const error = await errorOf(() => targetOf({ bucket, key: 'k' }, aws, false));
      expect(error.code).toBe('invalid-argument');
    }
  });

  it('refuses an empty key, which would address the bucket', async () => {
    const error = await errorOf(() => targetOf({ bucket: 'b', key: '' }, aws, false));
    expect(error.code).toBe('invalid-argument');
  });
});

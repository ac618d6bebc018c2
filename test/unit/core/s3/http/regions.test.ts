import { describe, expect, it } from 'vitest';
import { parseEndpointOrigin } from '../../../../../electron/core/s3/http/addressing.ts';
import { quirksFor } from '../../../../../shared/providers/providers.ts';
import {
  initialRegion,
  redirectionOf,
  type MisdirectedResponse,
} from '../../../../../electron/core/s3/http/regions.ts';
import type { ErrorResponse } from '../../../../../electron/core/s3/xml/error-response.ts';

const xml = (error: Partial<ErrorResponse>): ErrorResponse => ({
  code: null,
  message: null,
  requestId: null,
  region: null,
  endpoint: null,
  maxSizeBytes: null,
  ...error,
});

function ask(endpoint: string, response: Partial<MisdirectedResponse>, provider = 'custom') {
  const origin = parseEndpointOrigin(endpoint);
  return redirectionOf({
    status: 301,
    headers: {},
    error: null,
    bucket: 'bucket',
    used: { region: 'us-east-1', origin },
    quirks: quirksFor(provider, origin.hostname),
    ...response,
  });
}

const aws = 'https://s3.us-east-1.amazonaws.com';

describe('a region error', () => {
  it('leads to the host of the region in x-amz-bucket-region', () => {
    expect(ask(aws, { headers: { 'x-amz-bucket-region': 'eu-west-3' } })).toMatchObject({
      kind: 'follow',
      place: { region: 'eu-west-3', origin: { hostname: 's3.eu-west-3.amazonaws.com', protocol: 'https:' } },
    });
    expect(
      ask('https://s3.amazonaws.com', { headers: { 'x-amz-bucket-region': 'cn-north-1' } }),
    ).toMatchObject({ place: { origin: { hostname: 's3.cn-north-1.amazonaws.com.cn' } } });
    expect(ask(aws, { headers: { 'x-amz-bucket-region': 'eusc-de-east-1' } })).toMatchObject({
      place: { origin: { hostname: 's3.eusc-de-east-1.amazonaws.eu' } },
    });
  });

  it('leads to the host of the region in the Region element of the XML', () => {
    expect(
      ask('http://ceph.lan:7480', {
        status: 400,
        error: xml({ code: 'AuthorizationHeaderMalformed', region: 'zone-b' }),
      }),
    ).toMatchObject({ kind: 'follow', place: { region: 'zone-b', origin: { hostname: 'ceph.lan' } } });
  });

  it('leads to the host of the region in the message', () => {
    const wrong =
      "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-west-1'";
    expect(
      ask(aws, { status: 400, error: xml({ code: 'AuthorizationHeaderMalformed', message: wrong }) }),
    ).toMatchObject({ place: { region: 'eu-west-1' } });
    const constraint =
      'The eu-south-1 location constraint is incompatible for the region specific endpoint this request was sent to.';
    expect(
      ask(aws, {
        status: 400,
        error: xml({ code: 'IllegalLocationConstraintException', message: constraint }),
      }),
    ).toMatchObject({ place: { region: 'eu-south-1' } });
  });

  it('leads to the host in the Endpoint element of the XML, without the bucket', () => {
    expect(
      ask(aws, { error: xml({ code: 'PermanentRedirect', endpoint: 'bucket.s3-us-west-2.amazonaws.com' }) }),
    ).toMatchObject({
      kind: 'follow',
      place: { region: 'us-west-2', origin: { hostname: 's3-us-west-2.amazonaws.com' } },
    });
  });

  it("leads to a Location on the same host or within a known provider's domain", () => {
    expect(
      ask(aws, { status: 307, headers: { location: 'https://s3.eu-west-3.amazonaws.com/bucket/a?b' } }),
    ).toMatchObject({ kind: 'follow', place: { origin: { hostname: 's3.eu-west-3.amazonaws.com' } } });
    expect(
      ask('http://storage.example.com', {
        status: 307,
        headers: { location: 'https://storage.example.com/bucket/a?b' },
      }),
    ).toMatchObject({ kind: 'follow', place: { origin: { protocol: 'https:' } } });
  });

  it('leads on HEAD to the region in the header', () => {
    expect(ask(aws, { status: 400, headers: { 'x-amz-bucket-region': 'eu-west-1' } }).kind).toBe('follow');
  });

  it('is not followed if it names the region already used', () => {
    expect(ask(aws, { headers: { 'x-amz-bucket-region': 'us-east-1' } }).kind).toBe('none');
  });
});

describe('an error that is not about the region', () => {
  it('is not followed although it names the region, as all AWS responses do', () => {
    const headers = { 'x-amz-bucket-region': 'eu-west-1' };
    expect(ask(aws, { status: 403, headers, error: xml({ code: 'AccessDenied' }) }).kind).toBe('none');
    expect(ask(aws, { status: 404, headers, error: xml({ code: 'NoSuchKey' }) }).kind).toBe('none');
    expect(ask(aws, { status: 400, headers, error: xml({ code: 'InvalidArgument' }) }).kind).toBe('none');
  });
});

describe('credentials are never sent on a redirect', () => {
  it.each([
    ['https://s3.us-east-1.amazonaws.com', 'https://evil.example/bucket'],
    ['https://s3.us-east-1.amazonaws.com', 'https://s3.eu-west-1.amazonaws.com.evil.example/'],
    ['https://s3.us-east-1.amazonaws.com', 'https://ec2-1-2-3-4.compute.amazonaws.com/'],
    ['https://s3.us-east-1.amazonaws.com', 'https://abc.execute-api.us-east-1.amazonaws.com/'],
    ['https://s3.us-east-1.amazonaws.com', 'https://s3.eu-west-1.amazonaws.com:8443/'],
    ['https://storage.example.co.uk', 'https://other.example.co.uk/'],
    ['https://storage.example.com', 'https://example.com/'],
    ['https://storage.example.com', 'https://notstorage.example.com/'],
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9001/'],
    ['http://127.0.0.1:9000', 'http://x.127.0.0.1:9000/'],
    ['http://localhost:9000', 'http://x.localhost:9000/bucket'],
    ['https://storage.example.com', 'https://west.storage.example.com/bucket/a'],
    ['https://example.com', 'https://blog.example.com/'],
  ])('from %s to %s', (from, to) => {
    expect(ask(from, { status: 307, headers: { location: to } }).kind).toBe('refuse');
  });

  it('from TLS to plain HTTP', () => {
    expect(
      ask('https://storage.example.com', {
        status: 307,
        headers: { location: 'http://storage.example.com/bucket' },
      }).kind,
    ).toBe('refuse');
  });

  it('to a host spelled by a forged region', () => {
    expect(ask(aws, { headers: { 'x-amz-bucket-region': 'x.evil.example/' } }).kind).toBe('none');
  });
});

function first(endpoint: string, provider: string, region: string | null = null): string {
  const origin = parseEndpointOrigin(endpoint);
  return initialRegion(region, origin, quirksFor(provider, origin.hostname));
}

describe('the first region to sign for', () => {
  it("is the connection's, else the host's, else the provider's", () => {
    expect(first('https://s3.eu-central-1.amazonaws.com', 'aws', 'eu-west-1')).toBe('eu-west-1');
    expect(first('https://s3.eu-central-1.amazonaws.com', 'aws')).toBe('eu-central-1');
    expect(first('https://s3.dualstack.eu-central-1.amazonaws.com', 'aws')).toBe('eu-central-1');
    expect(first('https://s3.amazonaws.com', 'aws')).toBe('us-east-1');
    expect(first('https://s3.us-west-004.backblazeb2.com', 'custom')).toBe('us-west-004');
    expect(first('https://fra1.digitaloceanspaces.com', 'digitalocean')).toBe('fra1');
    expect(first('https://storage.yandexcloud.net', 'custom')).toBe('ru-central1');
    expect(first('https://abc.r2.cloudflarestorage.com', 'r2')).toBe('auto');
    expect(first('http://10.0.0.1', 'custom')).toBe('us-east-1');
  });
});

import { describe, expect, it } from 'vitest';
import {
  newDraft,
  nothingStored,
  type ConnectionDraft,
} from '../../../../../renderer/features/connections/model/connection-form-model.ts';
import {
  hintsOf,
  connectionProblems,
  endpointAdvice,
  withAdvice,
} from '../../../../../renderer/features/connections/model/form-validation.ts';

const whole: ConnectionDraft = {
  ...newDraft('custom'),
  name: 'Mine',
  endpoint: 'https://storage.example.com',
  accessKeyId: 'AK',
  secretAccessKey: 'SK',
};
const problems = (changes: Partial<ConnectionDraft>, stored = nothingStored) =>
  connectionProblems({ ...whole, ...changes }, stored);
const hints = (changes: Partial<ConnectionDraft>, stored = nothingStored) =>
  hintsOf({ ...whole, ...changes }, stored);

describe('validating a connection draft', () => {
  it('finds no problem in a complete draft', () => {
    expect(problems({})).toEqual({});
  });

  it.each([
    ['', 'endpoint-missing'],
    ['https://<your-host>', 'endpoint-braces'],
    ['https://{account}.example.com', 'endpoint-braces'],
    ['https://exa mple.com', 'endpoint-unreadable'],
    ['ftp://example.com', 'endpoint-scheme'],
    ['s3://bucket', 'endpoint-scheme'],
    ['https://me:pw@example.com', 'endpoint-login'],
    ['https://s3.eu-west-1.amazonaws.com/photos', 'endpoint-path'],
    ['https://example.com/?x=1', 'endpoint-query'],
    ['https://photos.s3-website-us-east-1.amazonaws.com', 'endpoint-website'],
    ['https://d1234.cloudfront.net', 'endpoint-cdn'],
    ['https://mine-123456789012.s3-accesspoint.eu-west-1.amazonaws.com', 'endpoint-access-point'],
    ['https://dash.cloudflare.com/abc/r2', 'endpoint-console'],
    ['https://photos.s3.eu-west-1.amazonaws.com', 'endpoint-bucket'],
    ['https://photos.s3.cn-north-1.amazonaws.com.cn', 'endpoint-bucket'],
    ['https://photos.s3.us-iso-east-1.c2s.ic.gov', 'endpoint-bucket'],
    ['https://photos.storage.yandexcloud.net', 'endpoint-bucket'],
  ])('checks the endpoint %j: %s', (endpoint, wanted) => {
    expect(problems({ endpoint }).endpoint).toBe(wanted);
  });

  it('accepts an endpoint with a path, and names the path in a hint', () => {
    const endpoint = 'https://gateway.example.com/s3';
    expect(problems({ endpoint })).toEqual({});
    expect(hints({ endpoint }).endpoint).toBe('endpoint-path');
    expect(hints({ endpoint: 'https://x.supabase.co/storage/v1/s3' }).endpoint).toBeUndefined();
  });

  it('puts endpoint, region and start in place of an address of an object', () => {
    const draft = { ...whole, endpoint: 'https://photos.s3.eu-west-1.amazonaws.com/2024/a.jpg' };
    const advice = endpointAdvice(draft);
    if (advice === null) throw new Error('There is no advice.');
    expect(withAdvice(draft, advice)).toEqual({
      ...draft,
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      region: 'eu-west-1',
      start: 'photos/2024/',
    });
    expect(endpointAdvice(whole)).toBeNull();
  });

  it('accepts an endpoint without scheme, which is completed', () => {
    expect(problems({ endpoint: 'storage.example.com' })).toEqual({});
  });

  it('requires keys only if signing in with keys', () => {
    expect(problems({ accessKeyId: '', secretAccessKey: '' })).toEqual({
      accessKeyId: 'access-key-missing',
      secretAccessKey: 'secret-missing',
    });
    expect(problems({ accessKeyId: '', secretAccessKey: '', authKind: 'anonymous' })).toEqual({});
    expect(problems({ authKind: 'aws-profile' })).toEqual({ profile: 'profile-missing' });
  });

  it('accepts the usual endpoints of every provider and of private networks', () => {
    for (const endpoint of [
      'https://s3.eu-west-1.amazonaws.com',
      'https://fra1.digitaloceanspaces.com',
      'https://bucket.vpce-1a2b-x.s3.us-east-1.vpce.amazonaws.com',
    ]) {
      expect(problems({ endpoint })).toEqual({});
    }
  });

  it('requires neither endpoint nor region with a profile', () => {
    const byProfile = {
      authKind: 'aws-profile',
      profile: 'p',
      provider: 'aws',
      endpoint: '',
      region: '',
    } as const;
    expect(problems(byProfile)).toEqual({});
  });

  it('does not require a stored secret again', () => {
    const stored = { accessKeyId: 'AK', hasSecret: true, hasSessionToken: false };
    expect(problems({ secretAccessKey: '' }, stored)).toEqual({});
  });

  it('detects the same key pasted into both fields', () => {
    expect(problems({ secretAccessKey: 'AK' }).secretAccessKey).toBe('secret-same');
  });

  it.each(['accessKeyId', 'secretAccessKey', 'sessionToken'] as const)(
    'refuses characters in the %s that keys never contain',
    (field) => {
      for (const typed of ['abc\u200Bdef', '\u0410bc', 'ab\u00ADc', '“abc'])
        expect(problems({ [field]: typed })).toEqual({ [field]: 'key-foreign' });
      for (const typed of ['"abc"', "'abc'\n", ' «abc» ', 'a"c/+='])
        expect(problems({ [field]: typed })).toEqual({});
    },
  );

  it('requires a key if only quotes were typed', () => {
    expect(problems({ accessKeyId: '""' }).accessKeyId).toBe('access-key-missing');
    expect(problems({ secretAccessKey: "''" }).secretAccessKey).toBe('secret-missing');
  });

  it('ignores a session token that is to be removed', () => {
    expect(problems({ sessionToken: 'a\u200B', removeSessionToken: true })).toEqual({});
  });

  it('requires a region if the provider needs one, and the account first', () => {
    expect(problems({ provider: 'aws', region: '' }).region).toBe('region-missing');
    expect(problems({ provider: 'custom', region: '' }).region).toBeUndefined();
    expect(problems({ provider: 'r2', endpoint: '', account: '' })).toMatchObject({
      account: 'account-missing',
    });
    expect(problems({ provider: 'r2', endpoint: '', account: '' }).endpoint).toBeUndefined();
  });

  it('refuses a private key and truncated certificates', () => {
    const begin = '-----BEGIN CERTIFICATE-----';
    expect(problems({ caPem: 'hello' }).caPem).toBe('ca-not-pem');
    expect(problems({ caPem: `${begin}\nMIIB` }).caPem).toBe('ca-not-pem');
    expect(problems({ caPem: `${begin}\nMIIB\n-----END CERTIFICATE-----` }).caPem).toBeUndefined();
    expect(problems({ caPem: '-----BEGIN RSA PRIVATE KEY-----\nx' }).caPem).toBe('ca-private-key');
  });

  it('checks a proxy only if one is given', () => {
    expect(problems({ proxyKind: 'none', proxyUrl: 'x y' })).toEqual({});
    expect(problems({ proxyKind: 'url', proxyUrl: '' }).proxyUrl).toBe('proxy-missing');
    expect(problems({ proxyKind: 'url', proxyUrl: 'proxy:3128' })).toEqual({});
    expect(problems({ proxyKind: 'url', proxyUrl: 'ftp://proxy' }).proxyUrl).toBe('proxy-unreadable');
  });

  it('refuses a start location without a bucket', () => {
    expect(problems({ start: '/photos' }).start).toBe('start-bucket');
    expect(problems({ start: 'photos/2024' }).start).toBeUndefined();
  });
});

describe('the hints of a connection draft', () => {
  it('warn about plain HTTP except on this computer', () => {
    expect(hints({ endpoint: 'http://storage.example.com' }).endpoint).toBe('endpoint-plain-http');
    expect(hints({ endpoint: 'http://localhost:9000' }).endpoint).toBeUndefined();
  });

  it('say that the stored secret belongs to the previous key', () => {
    const stored = { accessKeyId: 'OLD', hasSecret: true, hasSessionToken: false };
    expect(hints({ secretAccessKey: '' }, stored).secretAccessKey).toBe('secret-of-former-key');
    expect(hints({ secretAccessKey: 'new' }, stored).secretAccessKey).toBeUndefined();
  });

  it('say that temporary Amazon keys need a token', () => {
    const temporary = { provider: 'aws', accessKeyId: 'ASIAEXAMPLE' };
    expect(hints(temporary).sessionToken).toBe('temporary-key-without-token');
    expect(hints({ ...temporary, sessionToken: 't' }).sessionToken).toBeUndefined();
  });
});

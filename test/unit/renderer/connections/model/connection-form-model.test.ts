import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parsePlace,
  differs,
  draftFromConnection,
  draftFromProfile,
  formatStart,
  newDraft,
  profileEndpoint,
  tidyEndpoint,
  toInput,
  withAccount,
  withAuthKind,
  withPreset,
  withRegion,
} from '../../../../../renderer/features/connections/model/connection-form-model.ts';
import { connectionInputSchema } from '../../../../../shared/models/connection.ts';
import { presets } from '../../../../../shared/providers/providers.ts';
import { connectionOf } from '../fixtures.ts';

describe('choosing a provider', () => {
  it('fills in endpoint, region, addressing and name', () => {
    expect(newDraft('yandex')).toMatchObject({
      name: 'Yandex Object Storage',
      endpoint: 'https://storage.yandexcloud.net',
      region: 'ru-central1',
    });
    expect(newDraft('aws').endpoint).toBe('https://s3.us-east-1.amazonaws.com');
    expect(newDraft('minio')).toMatchObject({ endpoint: '', addressing: 'path' });
  });

  it('lets the endpoint follow the region until it is edited', () => {
    const followed = withRegion(newDraft('wasabi'), 'eu-west-1');
    expect(followed.endpoint).toBe('https://s3.eu-west-1.wasabisys.com');
    const typed = withRegion({ ...followed, endpoint: 'https://gateway.example.com' }, 'us-east-2');
    expect(typed.endpoint).toBe('https://gateway.example.com');
  });

  it('builds the endpoint from the account and reads the account from a stored endpoint', () => {
    const draft = withAccount(newDraft('r2'), 'abc123');
    expect(draft.endpoint).toBe('https://abc123.r2.cloudflarestorage.com');
    const stored = connectionOf('r2', { provider: 'r2', endpoint: draft.endpoint });
    expect(draftFromConnection(stored).account).toBe('abc123');
  });

  it('keeps typed values: name, keys, and a custom endpoint', () => {
    const draft = {
      ...newDraft('custom'),
      name: 'Mine',
      endpoint: 'https://ceph.example.com',
      accessKeyId: 'k',
    };
    expect(withPreset(draft, 'ceph')).toMatchObject({
      name: 'Mine',
      endpoint: 'https://ceph.example.com',
      accessKeyId: 'k',
      addressing: 'path',
    });
    expect(withPreset(newDraft('aws'), 'minio').endpoint).toBe('');
  });

  it('replaces a name that came from the previous provider', () => {
    expect(withPreset(newDraft('aws'), 'b2').name).toBe('Backblaze B2');
    expect(withPreset(newDraft('aws'), 'custom').name).toBe('');
  });

  it('leaves no placeholder in a filled endpoint template', () => {
    for (const preset of presets) {
      const { endpoint } = withAccount(newDraft(preset.id), 'acc');
      expect(endpoint).not.toMatch(/[{}]/u);
    }
  });
});

describe('a draft from an AWS profile', () => {
  it("leaves region and endpoint to the profile's file", () => {
    const profile = {
      name: 'lab',
      region: 'eu-x',
      endpointUrl: 'https://s3.lab.example/',
      kind: 'keys',
    } as const;
    const draft = draftFromProfile(profile);
    expect(draft).toMatchObject({
      authKind: 'aws-profile',
      profile: 'lab',
      provider: 'custom',
      endpoint: '',
      region: '',
      name: 'lab',
    });
    expect(profileEndpoint(profile, null)).toBe('https://s3.lab.example');
    expect(toInput(draft).auth).toEqual({ kind: 'aws-profile', profile: 'lab' });
  });

  it('without an endpoint is for Amazon S3 in its region', () => {
    const profile = { name: 'work', region: 'eu-north-1', endpointUrl: null, kind: 'sso' } as const;
    expect(draftFromProfile(profile).provider).toBe('aws');
    expect(profileEndpoint(profile, null)).toBe('https://s3.eu-north-1.amazonaws.com');
    expect(profileEndpoint(profile, 'eu-west-1')).toBe('https://s3.eu-west-1.amazonaws.com');
    expect(profileEndpoint(profile, 'cn-north-1')).toBe('https://s3.cn-north-1.amazonaws.com.cn');
  });

  it('fills in the endpoint again when switched to keys', () => {
    const profile = { name: 'work', region: null, endpointUrl: null, kind: 'keys' } as const;
    const draft = withAuthKind(draftFromProfile(profile), 'keys');
    expect(draft).toMatchObject({ authKind: 'keys', endpoint: 'https://s3.us-east-1.amazonaws.com' });
  });
});

describe('a typed endpoint', () => {
  it.each([
    ['storage.example.com', 'https://storage.example.com'],
    [' https://storage.example.com/ ', 'https://storage.example.com'],
    ['localhost:9000', 'http://localhost:9000'],
    ['127.0.0.1:7480', 'http://127.0.0.1:7480'],
    ['http://storage.example.com', 'http://storage.example.com'],
    ['https://exa mple', 'https://exa mple'],
    ['', ''],
  ])('%j is normalised to %j', (typed, wanted) => {
    expect(tidyEndpoint(typed)).toBe(wanted);
  });
});

describe('a start location', () => {
  it('reads the bucket and the prefix of a web address, and no bucket named after its scheme', () => {
    expect(parsePlace('https://photos.s3.eu-west-1.amazonaws.com/2024/')).toEqual({
      bucket: 'photos',
      prefix: '2024/',
    });
    expect(parsePlace('https://example.com/photos')).toBeNull();
  });

  it('is parsed from a bucket, a bucket with a prefix, or an s3:// address', () => {
    expect(parsePlace('photos')).toEqual({ bucket: 'photos', prefix: '' });
    expect(parsePlace('photos/2024/a b/')).toEqual({ bucket: 'photos', prefix: '2024/a b/' });
    expect(parsePlace(' s3://photos/2024')).toEqual({ bucket: 'photos', prefix: '2024' });
    expect(parsePlace('s3://')).toBeNull();
    expect(parsePlace('  ')).toBeNull();
  });

  it('round-trips for any prefix', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9][a-z0-9.-]{1,20}$/u),
        fc.string({ unit: 'grapheme' }),
        (bucket, prefix) => {
          expect(parsePlace(formatStart({ bucket, prefix }))).toEqual({ bucket, prefix });
        },
      ),
    );
  });
});

describe('the connection input for the core', () => {
  it('keeps stored secrets that were not typed again, and removes a token on request', () => {
    const draft = draftFromConnection(connectionOf('a'));
    expect(toInput(draft).auth).toEqual({
      kind: 'keys',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: null,
      sessionToken: null,
    });
    expect(toInput({ ...draft, removeSessionToken: true }).auth).toMatchObject({ sessionToken: '' });
  });

  it('matches the contract and keeps all values of a stored connection', () => {
    const stored = connectionOf('a', {
      caPem: 'PEM',
      proxy: { kind: 'url', url: 'http://proxy:3128' },
      start: { bucket: 'b', prefix: 'p/' },
      region: 'eu-x',
    });
    const input = connectionInputSchema.parse(toInput(draftFromConnection(stored)));
    const { id: _id, builtIn: _builtIn, auth: _auth, ...rest } = stored;
    expect(input).toMatchObject(rest);
  });

  it('has line ends around pasted keys trimmed', () => {
    const draft = { ...newDraft('aws'), accessKeyId: ' AK\n', secretAccessKey: 'sk\n' };
    expect(toInput(draft).auth).toMatchObject({ accessKeyId: 'AK', secretAccessKey: 'sk' });
  });

  it('has quotes around pasted keys stripped', () => {
    const keys = { accessKeyId: '"AK"', secretAccessKey: "'sk'", sessionToken: '“t”' };
    expect(toInput({ ...newDraft('aws'), ...keys }).auth).toEqual({
      kind: 'keys',
      accessKeyId: 'AK',
      secretAccessKey: 'sk',
      sessionToken: 't',
    });
  });
});

it('an edited connection draft is recognised as changed', () => {
  const draft = newDraft('aws');
  expect(differs(draft, { ...draft })).toBe(false);
  expect(differs(draft, { ...draft, secretAccessKey: 'x' })).toBe(true);
});

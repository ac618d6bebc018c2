import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEndpoint } from '../../../../shared/providers/endpoint.ts';
import { placeBelow, readServiceAddress } from '../../../../shared/providers/service-address.ts';

describe('an address of a provider', () => {
  it.each([
    [
      'https://photos.s3.eu-west-1.amazonaws.com/a%20b.jpg',
      'bucket',
      'https://s3.eu-west-1.amazonaws.com',
      'photos',
      'a b.jpg',
    ],
    ['https://a.b.s3.amazonaws.com/x', 'bucket', 'https://s3.amazonaws.com', 'a.b', 'x'],
    [
      'https://photos.s3.dualstack.eu-west-1.amazonaws.com',
      'bucket',
      'https://s3.dualstack.eu-west-1.amazonaws.com',
      'photos',
      '',
    ],
    [
      'https://photos.s3-fips.dualstack.us-east-1.amazonaws.com/x',
      'bucket',
      'https://s3-fips.dualstack.us-east-1.amazonaws.com',
      'photos',
      'x',
    ],
    [
      'https://photos.s3.cn-north-1.amazonaws.com.cn/x',
      'bucket',
      'https://s3.cn-north-1.amazonaws.com.cn',
      'photos',
      'x',
    ],
    [
      'http://photos.s3-website-us-east-1.amazonaws.com/x',
      'website',
      'https://s3.us-east-1.amazonaws.com',
      'photos',
      'x',
    ],
    [
      'http://photos.s3-website.eu-central-1.amazonaws.com/',
      'website',
      'https://s3.eu-central-1.amazonaws.com',
      'photos',
      '',
    ],
    [
      'http://photos.s3-website.cn-north-1.amazonaws.com.cn/',
      'website',
      'https://s3.cn-north-1.amazonaws.com.cn',
      'photos',
      '',
    ],
    [
      'https://mine-123456789012.s3-accesspoint.eu-west-1.amazonaws.com/x',
      'access-point',
      'https://s3.eu-west-1.amazonaws.com',
      null,
      'x',
    ],
    [
      'https://mine-123456789012.s3-accesspoint.dualstack.eu-west-1.amazonaws.com',
      'access-point',
      'https://s3.eu-west-1.amazonaws.com',
      null,
      '',
    ],
    [
      'https://mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com',
      'access-point',
      'https://s3.us-east-1.amazonaws.com',
      null,
      '',
    ],
    ['https://d111111abcdef8.cloudfront.net/x', 'cdn', null, null, 'x'],
    [
      'https://eu-west-1.console.aws.amazon.com/s3/buckets/photos',
      'console',
      null,
      null,
      's3/buckets/photos',
    ],
    [
      'https://photos.fra1.cdn.digitaloceanspaces.com/x',
      'cdn',
      'https://fra1.digitaloceanspaces.com',
      'photos',
      'x',
    ],
    [
      'https://photos.fra1.digitaloceanspaces.com/x',
      'bucket',
      'https://fra1.digitaloceanspaces.com',
      'photos',
      'x',
    ],
    [
      'https://f004.backblazeb2.com/file/photos/2024/a.jpg',
      'cdn',
      'https://s3.us-west-004.backblazeb2.com',
      'photos',
      '2024/a.jpg',
    ],
    [
      'https://f003.backblazeb2.com/file/photos',
      'cdn',
      'https://s3.eu-central-003.backblazeb2.com',
      'photos',
      '',
    ],
    [
      'https://photos.s3.us-west-004.backblazeb2.com/x',
      'bucket',
      'https://s3.us-west-004.backblazeb2.com',
      'photos',
      'x',
    ],
    ['https://pub-0123456789abcdef.r2.dev/x', 'cdn', null, null, 'x'],
    [
      'https://photos.0123456789abcdef0123456789abcdef.eu.r2.cloudflarestorage.com/x',
      'bucket',
      'https://0123456789abcdef0123456789abcdef.eu.r2.cloudflarestorage.com',
      'photos',
      'x',
    ],
    ['https://photos.storage.googleapis.com/x', 'bucket', 'https://storage.googleapis.com', 'photos', 'x'],
    [
      'https://storage.cloud.google.com/photos/2024/a.jpg',
      'cdn',
      'https://storage.googleapis.com',
      'photos',
      '2024/a.jpg',
    ],
    [
      'https://photos.s3.eu-central-1.wasabisys.com/x',
      'bucket',
      'https://s3.eu-central-1.wasabisys.com',
      'photos',
      'x',
    ],
    ['https://photos.website.yandexcloud.net/x', 'website', 'https://storage.yandexcloud.net', 'photos', 'x'],
    ['https://photos.storage.yandexcloud.net/x', 'bucket', 'https://storage.yandexcloud.net', 'photos', 'x'],
    [
      'https://photos.oss-cn-hangzhou.aliyuncs.com/x',
      'bucket',
      'https://oss-cn-hangzhou.aliyuncs.com',
      'photos',
      'x',
    ],
    [
      'https://photos-1250000000.cos.ap-guangzhou.myqcloud.com/x',
      'bucket',
      'https://cos.ap-guangzhou.myqcloud.com',
      'photos-1250000000',
      'x',
    ],
    [
      'https://photos-1250000000.cos-website.ap-guangzhou.myqcloud.com/x',
      'website',
      'https://cos.ap-guangzhou.myqcloud.com',
      'photos-1250000000',
      'x',
    ],
    ['https://photos.s3-website.fr-par.scw.cloud/x', 'website', 'https://s3.fr-par.scw.cloud', 'photos', 'x'],
    [
      'https://photos.fsn1.your-objectstorage.com/x',
      'bucket',
      'https://fsn1.your-objectstorage.com',
      'photos',
      'x',
    ],
    [
      'https://abc.supabase.co/storage/v1/object/public/photos/a.jpg',
      'cdn',
      'https://abc.supabase.co/storage/v1/s3',
      'photos',
      'a.jpg',
    ],
    [
      'https://s3.eu-west-1.amazonaws.com/photos/2024/a.jpg?versionId=7',
      'endpoint',
      'https://s3.eu-west-1.amazonaws.com',
      'photos',
      '2024/a.jpg',
    ],
    ['https://storage.googleapis.com/photos/a', 'endpoint', 'https://storage.googleapis.com', 'photos', 'a'],
  ])('%s is read as %s of %s', (text, kind, endpoint, bucket, key) => {
    expect(readServiceAddress(text)).toMatchObject({ kind, endpoint, bucket, key });
  });

  it.each([
    'https://s3.dualstack.eu-west-1.amazonaws.com',
    'https://s3-fips.us-gov-west-1.amazonaws.com',
    'https://bucket.vpce-1a2b-x.s3.us-east-1.vpce.amazonaws.com',
    'https://oss-cn-hangzhou.aliyuncs.com',
    'https://cos.ap-guangzhou.myqcloud.com',
    'https://x.supabase.co/storage/v1/s3',
    'https://fsn1.your-objectstorage.com',
    'http://10.0.0.1:9000',
  ])('%s is an endpoint', (endpoint) => {
    expect(readEndpoint(endpoint)).toEqual({ kind: 'endpoint', endpoint });
  });

  it('keeps the dots, the double slashes and the case of a key', () => {
    expect(readServiceAddress('https://s3.amazonaws.com/b/a/../c//D%2F.?X-Amz-Date=1#x')).toMatchObject({
      bucket: 'b',
      key: 'a/../c//D/.',
    });
  });

  it('reads no address out of a bucket, an s3 link or a path', () => {
    for (const text of ['photos/a', 's3://photos/a', '/photos', 'https://', 'https:///x', 'ftp://a/b'])
      expect(readServiceAddress(text)).toBeNull();
  });
});

const below = (endpoint: string, text: string) => {
  const address = readServiceAddress(text);
  return address === null ? null : placeBelow(endpoint, address);
};

describe('an address below an endpoint', () => {
  it('is found in path style and with the bucket in the host, with and without a path of the endpoint', () => {
    expect(below('https://s3.lab:9000', 'https://s3.lab:9000/b/k/x')).toEqual({ bucket: 'b', key: 'k/x' });
    expect(below('https://s3.lab:9000', 'http://b.s3.lab:9000/k%2Bx')).toEqual({ bucket: 'b', key: 'k+x' });
    expect(below('https://x.lab/api/s3', 'https://x.lab/api/s3/b/k')).toEqual({ bucket: 'b', key: 'k' });
    expect(below('https://x.lab/api/s3', 'https://b.x.lab/api/s3/k')).toEqual({ bucket: 'b', key: 'k' });
  });

  it('is not found on another host, another port or beside the path of the endpoint', () => {
    expect(below('https://s3.lab:9000', 'https://s3.lab/b/k')).toBeNull();
    expect(below('https://s3.lab', 'https://evils3.lab/b/k')).toBeNull();
    expect(below('https://x.lab/api/s3', 'https://x.lab/api/s3x/b')).toBeNull();
    expect(below('https://x.lab/api/s3', 'https://x.lab/b')).toBeNull();
    expect(below('https://s3.lab', 'https://s3.lab/')).toBeNull();
  });

  it('gives back every key that is written into it', () => {
    const key = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 12 })
      .filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(key, (key) => {
        const path = key.split('/').map(encodeURIComponent).join('/');
        expect(below('https://s3.lab', `https://s3.lab/b/${path}`)).toEqual({ bucket: 'b', key });
      }),
    );
  });
});

import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeKey, encodeQuery } from '../../../../../electron/core/s3/model/encode.ts';
import { presignQuery, Sha256 } from '../../../../../electron/core/s3/requests/presign.ts';
import { emptyPayloadHash, sha256Hex, signHeaders } from '../../../../../electron/core/s3/http/sign.ts';
import { referenceSignature } from '../../../../support/sigv4-reference.ts';

// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and sigv4-query-string-auth.html
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const nowMs = Date.parse('2013-05-24T00:00:00Z');
const host = 'examplebucket.s3.amazonaws.com';
const scope = { credentials, region: 'us-east-1', nowMs };
const target = (path: string) => ({ origin: `https://${host}`, host, path });

function signatureIn(headers: Readonly<Record<string, string>>): string {
  return /Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '')?.[1] ?? 'none';
}

describe("the signer, compared with AWS's published examples,", () => {
  it('signs a GET of an object with a range', async () => {
    const headers = signHeaders(
      { method: 'GET', target: target('/test.txt'), query: {}, headers: { range: 'bytes=0-9' } },
      emptyPayloadHash,
      scope,
      ['range'],
    );
    expect(signatureIn(headers)).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
    expect(headers['authorization']).toContain('SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,');
  });

  it("signs a GET of a bucket's lifecycle", async () => {
    const headers = signHeaders(
      { method: 'GET', target: target('/'), query: { lifecycle: '' }, headers: {} },
      emptyPayloadHash,
      scope,
    );
    expect(signatureIn(headers)).toBe('fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543');
  });

  it('signs an object listing', async () => {
    const headers = signHeaders(
      { method: 'GET', target: target('/'), query: { 'max-keys': '2', prefix: 'J' }, headers: {} },
      emptyPayloadHash,
      scope,
    );
    expect(signatureIn(headers)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
  });

  it('presigns a GET of an object', async () => {
    const query = await presignQuery(
      { method: 'GET', target: target('/test.txt'), query: {}, headers: {} },
      { ...scope, expiresInSeconds: 86400 },
    );
    expect(query).toContain(
      'X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
    expect(query).toContain(
      'X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request',
    );
  });

  // This example signs a Date header, which the program neither sends nor signs. It verifies the reference implementation.
  it('signs a PUT with a storage class, in the reference used below', () => {
    expect(
      referenceSignature({
        method: 'PUT',
        path: `/${encodeKey('test$file.text')}`,
        query: '',
        headers: {
          date: 'Fri, 24 May 2013 00:00:00 GMT',
          host,
          'x-amz-content-sha256': sha256Hex(Buffer.from('Welcome to Amazon S3.')),
          'x-amz-date': '20130524T000000Z',
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        },
        payloadHash: sha256Hex(Buffer.from('Welcome to Amazon S3.')),
        time: '20130524T000000Z',
        region: 'us-east-1',
        secretAccessKey: credentials.secretAccessKey,
      }),
    ).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
  });
});

describe('the signer', () => {
  it('signs a PUT with a storage class as the reference does', async () => {
    const payloadHash = sha256Hex(Buffer.from('Welcome to Amazon S3.'));
    const path = `/${encodeKey('test$file.text')}`;
    const headers = signHeaders(
      {
        method: 'PUT',
        target: target(path),
        query: {},
        headers: { 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      },
      payloadHash,
      scope,
    );
    expect(signatureIn(headers)).toBe(
      referenceSignature({
        method: 'PUT',
        path,
        query: '',
        headers: {
          host,
          'x-amz-content-sha256': payloadHash,
          'x-amz-date': '20130524T000000Z',
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        },
        payloadHash,
        time: '20130524T000000Z',
        region: 'us-east-1',
        secretAccessKey: credentials.secretAccessKey,
      }),
    );
  });

  it('signs the raw path of any key and any query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), {
          maxKeys: 4,
        }),
        async (key, query) => {
          const path = `/bucket/${encodeKey(key)}`;
          const headers = signHeaders(
            { method: 'GET', target: target(path), query, headers: {} },
            emptyPayloadHash,
            scope,
          );
          const expected = referenceSignature({
            method: 'GET',
            path,
            query: encodeQuery(query),
            headers: { host, 'x-amz-content-sha256': emptyPayloadHash, 'x-amz-date': '20130524T000000Z' },
            payloadHash: emptyPayloadHash,
            time: '20130524T000000Z',
            region: 'us-east-1',
            secretAccessKey: credentials.secretAccessKey,
          });
          expect(signatureIn(headers)).toBe(expected);
        },
      ),
    );
  });

  it('signs Content-MD5 so that a proxy cannot drop it unnoticed', () => {
    const signed = signHeaders(
      {
        method: 'PUT',
        target: target('/k'),
        query: {},
        headers: { 'content-md5': 'x', 'content-type': 'y' },
      },
      emptyPayloadHash,
      scope,
    );
    expect(signed['authorization']).toContain(
      'SignedHeaders=content-md5;host;x-amz-content-sha256;x-amz-date,',
    );
  });

  it('signs with a secret of any length, also longer than a SHA-256 block', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
        async (secretAccessKey) => {
          const headers = signHeaders(
            { method: 'GET', target: target('/k'), query: {}, headers: {} },
            emptyPayloadHash,
            { ...scope, credentials: { ...credentials, secretAccessKey } },
          );
          const expected = referenceSignature({
            method: 'GET',
            path: '/k',
            query: '',
            headers: { host, 'x-amz-content-sha256': emptyPayloadHash, 'x-amz-date': '20130524T000000Z' },
            payloadHash: emptyPayloadHash,
            time: '20130524T000000Z',
            region: 'us-east-1',
            secretAccessKey,
          });
          expect(signatureIn(headers)).toBe(expected);
        },
      ),
    );
  });

  it("signs like the AWS SDK's signer for any date, region, keys and headers", async () => {
    const visible = fc.stringMatching(/^[ -~\t]*$/, { size: 'small' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            region: fc.constantFrom('us-east-1', 'eu-central-1'),
            nowMs: fc.integer({ min: 0, max: 4e12 }),
            credentials: fc.record(
              {
                accessKeyId: fc.constantFrom('A', 'B'),
                secretAccessKey: fc.constantFrom('one', 'another'),
                sessionToken: fc.stringMatching(/^[a-zA-Z0-9+/=]{1,20}$/),
              },
              { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
            ),
            headers: fc.dictionary(fc.stringMatching(/^x-amz-meta-[a-z0-9-]{1,8}$/), visible, { maxKeys: 3 }),
            others: fc.dictionary(fc.stringMatching(/^if-[a-z]{1,8}$/), visible, { maxKeys: 2 }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        async (requests) => {
          for (const { headers, others, ...ofOne } of requests) {
            const request = { method: 'PUT', target: target('/k'), query: { a: 'b c' } };
            const cooperHeaders = signHeaders(
              { ...request, headers: { ...headers, ...others } },
              emptyPayloadHash,
              ofOne,
            );
            const vendor = new SignatureV4({
              service: 's3',
              region: ofOne.region,
              credentials: ofOne.credentials,
              sha256: Sha256,
              uriEscapePath: false,
            });
            const signed = await vendor.sign(
              {
                method: 'PUT',
                protocol: 'https:',
                hostname: host,
                path: '/k',
                query: { a: 'b c' },
                headers: { ...headers, ...others, host, 'x-amz-content-sha256': emptyPayloadHash },
              },
              { signingDate: new Date(ofOne.nowMs), unsignableHeaders: new Set(Object.keys(others)) },
            );
            expect(cooperHeaders).toEqual(signed.headers);
          }
        },
      ),
    );
  });

  it('signs only host, date, content hash and x-amz-* headers, as proxies may change the others', async () => {
    const headers = signHeaders(
      {
        method: 'PUT',
        target: target('/k'),
        query: {},
        headers: {
          'accept-encoding': 'gzip',
          'content-type': 'text/plain',
          'content-length': '3',
          'user-agent': 'x',
          range: 'bytes=0-1',
          'if-match': '"e"',
          'x-amz-meta-a': 'b',
        },
      },
      emptyPayloadHash,
      scope,
    );
    expect(headers['authorization']).toContain(
      'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-meta-a,',
    );
    expect(headers['content-type']).toBe('text/plain');
  });

  it('sends and signs the token of temporary keys', async () => {
    const withToken = { ...scope, credentials: { ...credentials, sessionToken: 'TOKEN' } };
    const request = { method: 'GET', target: target('/k'), query: {}, headers: {} };
    const headers = signHeaders(request, emptyPayloadHash, withToken);
    expect(headers['x-amz-security-token']).toBe('TOKEN');
    expect(headers['authorization']).toContain('x-amz-security-token');
    expect(await presignQuery(request, { ...withToken, expiresInSeconds: 5 })).toContain(
      'X-Amz-Security-Token=TOKEN',
    );
  });
});

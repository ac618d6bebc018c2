import { expect, it } from 'vitest';
import { ResponseBody } from '../../../../../electron/core/s3/http/response-body.ts';
import { createExecutor } from '../../../../../electron/core/s3/http/executor.ts';
import type { S3Client } from '../../../../../electron/core/s3/model/s3-client.ts';
import { multipartOperations } from '../../../../../electron/core/s3/requests/multipart-requests.ts';
import type { RawRequest } from '../../../../../electron/core/s3/http/transport.ts';
import { fakeClock, fixedRandom, silentLogger } from '../../../../support/servers/s3-client.ts';

const minute = 60_000;
const none = (): void => undefined;

function asked() {
  const requests: RawRequest[] = [];
  const executor = createExecutor(
    {
      endpoint: 'https://s3.example.com',
      region: 'r',
      addressing: 'path',
      credentials: null,
      caPem: null,
      proxyUrl: 'none',
      provider: 'custom',
    },
    { clock: fakeClock(), random: fixedRandom, logger: silentLogger, clockOffset: { offsetMs: 0 } },
    {
      send: (request) => {
        requests.push(request);
        const xml =
          request.method === 'POST'
            ? '<CompleteMultipartUploadResult/>'
            : '<ListPartsResult></ListPartsResult>';
        const body = new ResponseBody({ pause: none, resume: none, abort: none });
        body.push(Buffer.from(xml));
        body.end();
        return Promise.resolve({ status: 200, headers: {}, body });
      },
      close: () => Promise.resolve(),
    },
  );
  const operations: Pick<S3Client, 'completeMultipartUpload' | 'listParts'> = multipartOperations(executor);
  return { requests, operations };
}

it('CompleteMultipartUpload may be silent for many minutes, other requests may not (§4.3)', async () => {
  const { requests, operations } = asked();
  const ref = { bucket: 'b', key: 'k', uploadId: 'u' };
  await operations.completeMultipartUpload({ ...ref, parts: [{ partNumber: 1, etag: '"e"' }] });
  await operations.listParts(ref);
  const [completion, listing] = requests;
  expect(completion?.timeouts.firstByteMs).toBeGreaterThanOrEqual(30 * minute);
  expect(completion?.timeouts.inactivityMs).toBeGreaterThanOrEqual(10 * minute);
  expect(listing?.timeouts.firstByteMs).toBeLessThanOrEqual(minute);
});

it('CompleteMultipartUpload has upload id and key encoded in the URL and an XML body (§4.3)', async () => {
  const { requests, operations } = asked();
  await operations.completeMultipartUpload({
    bucket: 'b',
    key: 'a b/c?',
    uploadId: 'u/+=',
    parts: [{ partNumber: 1, etag: '"e"' }],
  });
  expect(requests[0]).toMatchObject({ method: 'POST', path: '/b/a%20b/c%3F?uploadId=u%2F%2B%3D' });
  expect(requests[0]?.headers['content-type']).toBe('application/xml');
});

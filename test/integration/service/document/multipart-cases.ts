import { expect } from 'vitest';
import type { Service } from '../../../support/lab-service/server.ts';
import {
  begin,
  complete,
  filmPath,
  partsXml,
  send,
  type Listed,
} from '../../../unit/service/multipart-calls.ts';
import { all, call, md5, ok, elementText, rootOf, send as sendRaw } from '../../../unit/service/harness.ts';
import { completed, refusal, sentUpload } from './asking.ts';
import type { Cases } from './claims.ts';
import { commonHeaders } from './listing-cases.ts';

const missing = [404, 'NoSuchUpload'];

/** Returns the parts of an upload from ListParts. */
async function sentParts(service: Service, uploadId: string): Promise<Listed[]> {
  const { text } = await call(service, { path: filmPath, query: { uploadId } });
  const etags = all(text, 'ETag');
  return all(text, 'PartNumber').map((number, index) => [number, etags[index] ?? '']);
}

/** Checks that every request with the upload id fails because the upload no longer exists. */
async function expectGone({
  service,
  uploadId,
  parts,
}: Awaited<ReturnType<typeof sentUpload>>): Promise<void> {
  const query = { uploadId };
  const partQuery = { uploadId, partNumber: '1' };
  const copyHeaders = { 'x-amz-copy-source': '/bucket/source' };
  ok(await call(service, { method: 'PUT', path: '/bucket/source', body: 'x' }));
  for (const reply of [
    complete(service, uploadId, parts),
    call(service, { path: filmPath, query }),
    call(service, { method: 'DELETE', path: filmPath, query }),
    call(service, { method: 'PUT', path: filmPath, query: partQuery, body: 'x' }),
    call(service, { method: 'PUT', path: filmPath, query: partQuery, headers: copyHeaders }),
  ]) {
    expect(await refusal(reply)).toEqual(missing);
  }
}

/** Checks that a long CompleteMultipartUpload is not ended, and that the service responds to other requests meanwhile. */
async function expectPatience(): Promise<void> {
  const { service, uploadId, parts } = await sentUpload();
  const { promise, resolve } = Promise.withResolvers<void>();
  service.faults.add({ operation: 'CompleteMultipartUpload', action: { kind: 'hold', until: promise } });
  let isAnswered = false;
  const reply = complete(service, uploadId, parts).then((response) => {
    isAnswered = true;
    return response;
  });
  ok(await call(service, { path: filmPath, query: { uploadId } }));
  expect(isAnswered).toBe(false);
  resolve();
  expect((await reply).status).toBe(200);
}

/** The cases of sections 3, 4.3 and 7: the states of an upload, its completion and its errors. */
export const multipartCases: Cases = {
  '3-1': async () => {
    const { service, uploadId, parts } = await sentUpload();
    const other = await begin(service);
    const listed = async (): Promise<string[]> =>
      all((await call(service, { path: '/bucket', query: { uploads: '' } })).text, 'UploadId').toSorted();
    expect(await listed()).toEqual([uploadId, other].toSorted());
    ok(await complete(service, uploadId, parts));
    expect(await listed()).toEqual([other]);
    ok(await call(service, { method: 'DELETE', path: filmPath, query: { uploadId: other } }));
    expect(await listed()).toEqual([]);
  },
  '3-2': async () => {
    const upload = await completed();
    expect((await call(upload.service, { path: filmPath })).text).toBe('one two three');
    await expectGone(upload);
  },
  '3-3': async () => {
    const upload = await sentUpload();
    const { service, uploadId } = upload;
    ok(await call(service, { method: 'DELETE', path: filmPath, query: { uploadId } }));
    await expectGone(upload);
    await expectGone(await completed());
  },
  '4.3-1': async () => {
    const { service, uploadId, parts } = await sentUpload();
    const body = partsXml(parts);
    expect((await call(service, { method: 'POST', path: filmPath, query: { uploadId }, body })).status).toBe(
      200,
    );
  },
  '4.3-2': async () => {
    const { service, uploadId, parts } = await sentUpload();
    const body = partsXml(parts);
    const query = { uploadId };
    for (const path of ['/bucket/other.bin', '/bucket/film']) {
      expect(await refusal(call(service, { method: 'POST', path, query, body }))).toEqual(missing);
    }
    expect(await refusal(call(service, { method: 'POST', path: '/none/film.bin', query, body }))).toEqual([
      404,
      'NoSuchBucket',
    ]);
    expect((await complete(service, uploadId, parts)).status).toBe(200);
  },
  '4.3-3': async () => {
    const { service, parts } = await sentUpload();
    const body = partsXml(parts);
    expect((await call(service, { method: 'POST', path: filmPath, body })).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(await refusal(complete(service, '', parts))).toEqual(missing);
    expect((await call(service, { path: filmPath })).status).toBe(404);
  },
  '4.3-4': async () => {
    const { service, uploadId, parts } = await sentUpload();
    const [first, second, third] = parts;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('Parts are lacking.');
    expect(await refusal(complete(service, uploadId, [first, third, second]))).toEqual([
      400,
      'InvalidPartOrder',
    ]);
    expect(await refusal(complete(service, uploadId, [first, first]))).toEqual([400, 'InvalidPartOrder']);
    for (const lacking of ['<Part><PartNumber>1</PartNumber></Part>', '<Part><ETag>x</ETag></Part>', '']) {
      const body = `<CompleteMultipartUpload>${lacking}</CompleteMultipartUpload>`;
      expect(await refusal(complete(service, uploadId, body))).toEqual([400, 'MalformedXML']);
    }
    // The body may contain only Parts, and a Part only its number, ETag and checksums.
    const whole = partsXml(parts);
    for (const further of ['<Upload/>', '<Part/>', 'text']) {
      const body = whole.replace('</CompleteMultipartUpload>', `${further}$&`);
      expect(await refusal(complete(service, uploadId, body))).toEqual([400, 'MalformedXML']);
    }
    for (const further of ['<Size>4</Size>', '<PartNumber>9</PartNumber>', 'text']) {
      const body = whole.replace('</Part>', `${further}$&`);
      expect(await refusal(complete(service, uploadId, body))).toEqual([400, 'MalformedXML']);
    }
    expect((await complete(service, uploadId, parts)).status).toBe(200);
  },
  '4.3-5': async () => {
    const { reply } = await completed();
    expect([reply.status, rootOf(reply.text), reply.headers['content-type']]).toEqual([
      200,
      'CompleteMultipartUploadResult',
      'application/xml',
    ]);
    for (const name of ['Location', 'Bucket', 'Key', 'ETag'])
      expect(elementText(reply.text, name)).not.toBeNull();
  },
  '4.3-6': async () => {
    const { service, uploadId, parts } = await sentUpload(['one ', 'two ', 'three']);
    const listed = parts.filter(([number]) => number !== 2);
    expect((await complete(service, uploadId, listed)).status).toBe(200);
    expect((await call(service, { path: filmPath })).text).toBe('one three');
  },
  '4.3-7': async () => {
    const { service, uploadId } = await completed();
    expect(await refusal(call(service, { path: filmPath, query: { uploadId } }))).toEqual(missing);
  },
  '4.3-8': expectPatience,
  '4.3-9': async () => {
    const { service, uploadId, parts } = await sentUpload();
    service.faults.add({
      operation: 'CompleteMultipartUpload',
      action: { kind: 'status', status: 503, code: 'SlowDown' },
    });
    expect(await refusal(complete(service, uploadId, parts))).toEqual([503, 'SlowDown']);
    // The failed request had no effect, and the same request succeeds now.
    expect((await call(service, { path: filmPath })).status).toBe(404);
    expect((await complete(service, uploadId, parts)).status).toBe(200);
  },
  '4.3-12': async () => {
    const { service, uploadId, parts, reply } = await completed();
    expect(Object.keys(reply.headers).filter((name) => !commonHeaders.includes(name))).toEqual([]);
    // The request is refused without the common headers, which include the signature.
    const target = `${filmPath}?uploadId=${uploadId}`;
    expect((await sendRaw(service, 'POST', target, {}, partsXml(parts))).status).toBe(403);
  },
  '7-1': async () => {
    const { service, uploadId, parts } = await completed();
    expect(await refusal(complete(service, 'not-an-upload', parts))).toEqual(missing);
    expect(await refusal(complete(service, uploadId, parts))).toEqual(missing);
    const deleted = await begin(service);
    ok(await call(service, { method: 'DELETE', path: filmPath, query: { uploadId: deleted } }));
    expect(await refusal(complete(service, deleted, parts))).toEqual(missing);
  },
  '7-2': async () => {
    const { service, uploadId, parts } = await sentUpload();
    const never = [...parts, [4, `"${md5('four')}"`]] as const;
    expect(await refusal(complete(service, uploadId, never))).toEqual([400, 'InvalidPart']);
    const [, ...others] = parts;
    const differs = [[1, `"${md5('another')}"`], ...others] as const;
    expect(await refusal(complete(service, uploadId, differs))).toEqual([400, 'InvalidPart']);
    // A part that was sent again has another ETag.
    await send(service, uploadId, 1, 'ONE ');
    expect(await refusal(complete(service, uploadId, parts))).toEqual([400, 'InvalidPart']);
    // One pair of quotes may surround the ETag. Quotes elsewhere make it a different ETag.
    const [first, ...rest] = await sentParts(service, uploadId);
    const md5Of = first?.[1].replaceAll('"', '') ?? '';
    for (const etag of [`"${md5Of}`, `${md5Of}"`, `""${md5Of}""`, `${md5Of.slice(0, 4)}"${md5Of.slice(4)}`]) {
      expect(await refusal(complete(service, uploadId, [[1, etag], ...rest]))).toEqual([400, 'InvalidPart']);
    }
    expect((await call(service, { path: filmPath })).status).toBe(404);
    expect((await complete(service, uploadId, [[1, md5Of], ...rest])).status).toBe(200);
  },
  '7-3': async () => {
    const { service, uploadId, parts } = await sentUpload();
    expect(await refusal(complete(service, uploadId, parts.toReversed()))).toEqual([400, 'InvalidPartOrder']);
    expect((await complete(service, uploadId, parts)).status).toBe(200);
  },
  '7-4': async () => {
    const upload = await completed();
    await expectGone(upload);
    expect((await call(upload.service, { path: filmPath })).text).toBe('one two three');
  },
  '8-3': expectPatience,
};

import { failure } from '../../../../shared/errors.ts';
import { checksumAlgorithmOf, type ChecksumAlgorithm, type PartChecksums } from '../../disk/checksums.ts';
import { checkEncrypted, customerKeyHeaders } from '../http/customer-key-headers.ts';
import { etagHidesMd5, etagIn } from '../model/etag.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import { stuck } from '../listing/pages.ts';
import type { Executor } from '../http/executor.ts';
import { repeatable } from '../http/s3-operation.ts';
import { sendEncrypted } from './write-encryption.ts';
import { completionTimeouts, slowTimeouts } from '../http/timeouts.ts';
import type { CustomerKey } from '../model/connection-types.ts';
import type { UploadRef } from '../model/multipart-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { readChecksums, readParts } from '../xml/multipart-responses.ts';
import { textOrNull } from '../xml/parse.ts';
import { renderComplete } from '../xml/render.ts';
import { createUploadLister } from './upload-lister.ts';
import { attributeHeaders, checksumHeaders, checksumsOf, copySource } from './attribute-headers.ts';

export function multipartOperations(executor: Executor) {
  return {
    async createMultipartUpload(input, options) {
      const { bucket, isEncryptionChosen: isChosen = false, customerKeyMd5 } = input;
      const write = { bucket, headers: attributeHeaders(input), isChosen, customerKeyMd5 };
      const send = async (attributes: Readonly<Record<string, string>>) =>
        await executor.execute(
          {
            name: 'CreateMultipartUpload',
            method: 'POST',
            bucket: input.bucket,
            key: input.key,
            query: { uploads: '' },
            headers: { ...attributes, ...checksumAnnouncement(input.checksumAlgorithm) },
            effect: 'write',
            // Repeating a CreateMultipartUpload that was applied would leave a stalled upload.
            repeatable: 'unless-applied',
          },
          options,
          async (response) => {
            const uploadId = (await response.xml('InitiateMultipartUploadResult')).child('UploadId');
            if (!uploadId)
              // The upload may exist, so a retry searches for it before it creates another.
              throw protocolFailure('unexpected-answer', 'The service created an upload without an id.', {
                retry: 'backoff',
                outcome: 'unknown',
              });
            checkEncrypted(attributes, response.headers);
            const algorithm = checksumAlgorithmOf(response.header('x-amz-checksum-algorithm'));
            return { uploadId, checksumAlgorithm: algorithm };
          },
        );
      const { sent, key } = await sendEncrypted(executor, { ...write, send }, options);
      if (key !== null) executor.keys.remember(sent.uploadId, key);
      return sent;
    },

    async uploadPart(input, options) {
      // Each part of an upload with a customer's key must be sent with that key.
      return await executor.keys.send(
        { id: input.uploadId, bucket: input.bucket },
        async (key) =>
          await executor.execute(
            repeatable({
              name: 'UploadPart',
              method: 'PUT',
              ...ofUpload(input, { partNumber: String(input.partNumber) }),
              headers: {
                ...input.headers,
                ...customerKeyHeaders(key),
                ...checksumHeaders(input.checksums),
                ...(input.contentMd5 === undefined ? {} : { 'content-md5': input.contentMd5 }),
              },
              body: input.body,
              aboutUpload: true,
              part: { partNumber: input.partNumber, sizeBytes: input.body.sizeBytes },
            }),
            options,
            async (response) => {
              await response.done();
              return {
                etag: etagOf(response.header('etag')),
                checksums: checksumsOf(response.headers),
                etagHidesMd5: etagHidesMd5(response.headers),
              };
            },
          ),
      );
    },

    async uploadPartCopy(input, options) {
      const { range, source } = input;
      const upload = { id: input.uploadId, bucket: input.bucket };
      const copied = { id: `${source.bucket}/${source.key}`, bucket: source.bucket };
      // The source has the upload's key or none, because an object without a key may be copied into an upload with one.
      return await executor.keys.send(upload, async (key) => {
        const send = async (sourceKey: CustomerKey | null) =>
          await executor.execute(
            repeatable({
              name: 'UploadPartCopy',
              method: 'PUT',
              ...ofUpload(input, { partNumber: String(input.partNumber) }),
              headers: {
                'x-amz-copy-source': copySource(source),
                ...customerKeyHeaders(sourceKey, 'copy-source'),
                ...customerKeyHeaders(key),
                ...(range ? { 'x-amz-copy-source-range': `bytes=${range.firstByte}-${range.lastByte}` } : {}),
                ...(input.sourceIfMatch ? { 'x-amz-copy-source-if-match': input.sourceIfMatch } : {}),
              },
              part: {
                partNumber: input.partNumber,
                sizeBytes: range ? range.lastByte - range.firstByte + 1 : 0,
              },
              timeouts: slowTimeouts,
            }),
            options,
            async (response) => ({ etag: etagOf((await response.xml('CopyPartResult')).child('ETag')) }),
          );
        return await executor.keys.send(copied, send, key === null ? [] : [key]);
      });
    },

    async listParts(input, options) {
      const page = await executor.execute(
        repeatable({
          name: 'ListParts',
          method: 'GET',
          ...ofUpload(input, {
            ...(input.partNumberMarker ? { 'part-number-marker': input.partNumberMarker } : {}),
            ...(input.maxParts === undefined ? {} : { 'max-parts': String(input.maxParts) }),
          }),
          aboutUpload: true,
        }),
        options,
        async (response) => readParts(await response.xml('ListPartsResult')),
      );
      const next = page.nextPartNumberMarker;
      if (next !== null && Number(next) <= Number(input.partNumberMarker ?? 0)) throw stuck();
      return page;
    },

    listMultipartUploads: createUploadLister(executor),

    async completeMultipartUpload(input, options) {
      if (input.parts.length === 0) {
        throw failure('invalid-argument', 'An upload without parts cannot be completed.');
      }
      executor.keys.handOn(input.uploadId, `${input.bucket}/${input.key}`);
      return await executor.execute(
        {
          name: 'CompleteMultipartUpload',
          method: 'POST',
          ...ofUpload(input),
          headers: {
            'content-type': 'application/xml',
            ...wholeChecksumHeaders(input.checksums),
            ...(input.ifNoneMatch === undefined ? {} : { 'if-none-match': input.ifNoneMatch }),
            ...(input.ifMatch === undefined ? {} : { 'if-match': input.ifMatch }),
            ...input.headers,
          },
          body: renderComplete(input.parts),
          effect: 'write',
          // Sent once. core/multipart must check the outcome before it may send the request again (ceph#16732).
          repeatable: 'never',
          timeouts: completionTimeouts,
          aboutUpload: true,
        },
        options,
        async (response) => {
          input.onSignOfLife?.();
          response.onPiece = input.onSignOfLife ?? null;
          const root = await response.xml('CompleteMultipartUploadResult');
          return {
            location: textOrNull(root.child('Location')),
            etag: etagIn(root.child('ETag')),
            // A COMPOSITE checksum does not cover the whole object directly.
            checksums: root.child('ChecksumType') === 'COMPOSITE' ? {} : readChecksums(root),
            requestId: response.requestId,
          };
        },
      );
    },

    async abortMultipartUpload(input, options) {
      await executor.apply(
        repeatable({ name: 'AbortMultipartUpload', method: 'DELETE', ...ofUpload(input), aboutUpload: true }),
        options,
      );
    },
  } satisfies Partial<S3Client>;
}

/** Returns the target of a request for an upload. */
function ofUpload({ bucket, key, uploadId }: UploadRef, query: Readonly<Record<string, string>> = {}) {
  return { bucket, key, query: { ...query, uploadId } };
}

/**
 * Returns the headers that announce the checksum algorithm of an upload. For all algorithms but CRC-64/NVME, the object's
 * checksum is computed from those of its parts by default.
 */
function checksumAnnouncement(algorithm: ChecksumAlgorithm | undefined): Record<string, string> {
  if (algorithm === undefined) return {};
  const name = { 'x-amz-checksum-algorithm': algorithm.toUpperCase() };
  return algorithm === 'crc64nvme' ? { ...name, 'x-amz-checksum-type': 'FULL_OBJECT' } : name;
}

/** Returns the headers with the checksum of the whole object, which the service verifies (S3 API, CompleteMultipartUpload). */
function wholeChecksumHeaders(checksums: PartChecksums | undefined): Record<string, string> {
  const headers = checksumHeaders(checksums);
  return Object.keys(headers).length === 0 ? {} : { ...headers, 'x-amz-checksum-type': 'FULL_OBJECT' };
}

/** Returns the ETag of a stored part unchanged; '' if ListParts contains none. */
function etagOf(etag: string | null): string {
  return etagIn(etag) ?? '';
}

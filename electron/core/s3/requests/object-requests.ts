import { failure } from '../../../../shared/errors.ts';
import { checkEncrypted, customerKeyHeaders } from '../http/customer-key-headers.ts';
import type { Executor } from '../http/executor.ts';
import { repeatable } from '../http/s3-operation.ts';
import { sendEncrypted } from './write-encryption.ts';
import { slowTimeouts } from '../http/timeouts.ts';
import { etagHidesMd5, etagIn } from '../model/etag.ts';
import type { Quote } from '../model/redact.ts';
import type { DeletedKey, KeyToDelete, ObjectRef } from '../model/object-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { parseTime, textOrNull, type XmlElement } from '../xml/parse.ts';
import { fitsXml, renderDelete } from '../xml/render.ts';
import {
  attributeHeaders,
  checksumHeaders,
  checksumsOf,
  copySource,
  versionQuery,
} from './attribute-headers.ts';
import { withRegionLookup } from './bucket-requests.ts';
import { describe, readObject, withLength } from './read-object.ts';

export function objectOperations(executor: Executor) {
  return {
    async headObject(ref, options) {
      return await withRegionLookup(
        executor,
        ref.bucket,
        options,
        async () => await withLength(executor, ref, await describe(executor, ref, options), options),
      );
    },

    async getObject(input, options) {
      const { range } = input;
      if (range && (range.firstByte < 0 || range.lastByte < range.firstByte)) {
        throw failure('invalid-argument', 'The range of bytes is empty.', { reason: 'invalid-range' });
      }
      return await readObject(executor, input, options);
    },

    async putObject(input, options) {
      const { bucket, isEncryptionChosen: isChosen = false, customerKeyMd5 } = input;
      const write = { bucket, headers: attributeHeaders(input), isChosen, customerKeyMd5 };
      const send = async (attributes: Readonly<Record<string, string>>) =>
        await executor.execute(
          repeatable({
            name: 'PutObject',
            method: 'PUT',
            bucket: input.bucket,
            key: input.key,
            headers: {
              ...attributes,
              ...(input.contentMd5 === undefined ? {} : { 'content-md5': input.contentMd5 }),
              ...checksumHeaders(input.checksums),
              ...(input.ifMatch === undefined ? {} : { 'if-match': input.ifMatch }),
              ...(input.ifNoneMatch === undefined ? {} : { 'if-none-match': input.ifNoneMatch }),
            },
            body: input.body,
            part: { partNumber: 1, sizeBytes: input.body.sizeBytes },
          }),
          options,
          async (reply) => {
            await reply.done();
            checkEncrypted(attributes, reply.headers);
            return {
              etag: etagIn(reply.header('etag')),
              versionId: reply.header('x-amz-version-id'),
              checksums: checksumsOf(reply.headers),
              etagHidesMd5: etagHidesMd5(reply.headers),
            };
          },
        );
      const { sent, key } = await sendEncrypted(executor, { ...write, send }, options);
      if (key !== null) executor.keys.remember(subjectOf(input), key);
      return sent;
    },

    async copyObject(input, options) {
      // The copy of an object with a customer's key is encrypted with the same key.
      return await executor.keys.send(
        { id: subjectOf(input.source), bucket: input.source.bucket },
        async (key) => {
          // Also remembers the key for the target's bucket, because reading the copy will need it.
          if (key !== null) await executor.keys.named(key.md5, input.bucket);
          const headers = { ...attributeHeaders(input.attributes ?? {}), ...customerKeyHeaders(key) };
          const { isEncryptionChosen: isChosen = false } = input.attributes ?? {};
          const send = async (attributes: Readonly<Record<string, string>>) =>
            await executor.execute(
              repeatable({
                name: 'CopyObject',
                method: 'PUT',
                bucket: input.bucket,
                key: input.key,
                headers: {
                  ...attributes,
                  'x-amz-copy-source': copySource(input.source),
                  ...customerKeyHeaders(key, 'copy-source'),
                  ...(input.metadataDirective ? { 'x-amz-metadata-directive': input.metadataDirective } : {}),
                  ...(input.sourceIfMatch ? { 'x-amz-copy-source-if-match': input.sourceIfMatch } : {}),
                  ...(input.ifNoneMatch === undefined ? {} : { 'if-none-match': input.ifNoneMatch }),
                  ...(input.ifMatch === undefined ? {} : { 'if-match': input.ifMatch }),
                },
                timeouts: slowTimeouts,
              }),
              options,
              async (reply) => {
                const root = await reply.xml('CopyObjectResult');
                return {
                  etag: etagIn(root.child('ETag')),
                  lastModified: parseTime(root.child('LastModified')),
                  versionId: reply.header('x-amz-version-id'),
                };
              },
            );
          const { bucket } = input;
          const copied = await sendEncrypted(executor, { bucket, headers, isChosen, send }, options);
          const targetKey = copied.key ?? key;
          if (targetKey !== null) executor.keys.remember(subjectOf(input), targetKey);
          return copied.sent;
        },
      );
    },

    async deleteObject(ref, options) {
      return await executor.execute(
        repeatable({
          name: 'DeleteObject',
          method: 'DELETE',
          bucket: ref.bucket,
          key: ref.key,
          query: versionQuery(ref),
          headers: ref.ifMatch === undefined ? {} : { 'if-match': ref.ifMatch },
        }),
        options,
        async (reply) => {
          await reply.done();
          return {
            versionId: reply.header('x-amz-version-id'),
            isMarker: reply.header('x-amz-delete-marker') === 'true',
          };
        },
      );
    },

    async deleteObjects({ bucket, keys }, options) {
      if (keys.length === 0) return [];
      if (keys.length > 1000) {
        throw failure('invalid-argument', 'At most 1000 objects can be deleted by one request.');
      }
      const unfit = keys.find(({ key }) => key === '' || !fitsXml(key));
      if (unfit !== undefined) {
        throw failure(
          'invalid-argument',
          'A key contains characters that XML cannot represent; such objects are deleted one by one.',
          { reason: 'not-xml' },
        );
      }
      return await executor.execute(
        repeatable({
          name: 'DeleteObjects',
          method: 'POST',
          bucket,
          query: { delete: '' },
          ...renderDelete(keys),
          timeouts: slowTimeouts,
        }),
        options,
        async (reply) => readDeleted(await reply.xml('DeleteResult'), keys, reply.quote),
      );
    },
  } satisfies Partial<S3Client>;
}

function subjectOf({ bucket, key }: ObjectRef): string {
  return `${bucket}/${key}`;
}

function idOf(key: string, versionId: string | null | undefined): string {
  return JSON.stringify([key, versionId ?? null]);
}

/** The maximum length of a quoted message, more than services send. */
const maxMessageChars = 1000;

/** Returns one result for each requested key. A key without a result in the response does not count as deleted. */
function readDeleted(root: XmlElement, keys: readonly KeyToDelete[], quote: Quote): readonly DeletedKey[] {
  const results = new Map<string, DeletedKey>();
  /** The first deleted version of each key, for a request that names no version. */
  const versions = new Map<string, DeletedKey>();
  for (const entry of root.all('Deleted')) {
    const key = entry.child('Key') ?? '';
    const versionId = textOrNull(entry.child('VersionId'));
    const marker = textOrNull(entry.child('DeleteMarkerVersionId'));
    const result = { key, versionId, markerVersionId: marker, error: null };
    results.set(idOf(key, versionId), result);
    if (!versions.has(key)) versions.set(key, result);
  }
  for (const entry of root.all('Error')) {
    const key = entry.child('Key') ?? '';
    const versionId = textOrNull(entry.child('VersionId'));
    const error = {
      code: entry.child('Code') ?? '',
      message: quote(entry.child('Message') ?? '', maxMessageChars),
    };
    results.set(idOf(key, versionId), { key, versionId, error });
  }
  return keys.map(({ key, versionId }) => {
    // Some services name no version in their results. A result that names another version is not about this one.
    const result =
      results.get(idOf(key, versionId)) ??
      results.get(idOf(key, null)) ??
      (versionId === undefined ? versions.get(key) : undefined);
    if (result) return result;
    const error = { code: 'NoResult', message: 'The service did not report whether it deleted this object.' };
    return { key, versionId: versionId ?? null, error };
  });
}

import type { Executor } from '../http/executor.ts';
import { repeatable } from '../http/s3-operation.ts';
import { foreignNames } from '../listing/prefixes.ts';
import { follow, noTrail, stuck } from '../listing/pages.ts';
import type { ListMultipartUploadsInput, MultipartUpload } from '../model/multipart-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { requireReadable } from '../xml/listing-response.ts';
import { readUploads, type UploadsResponse } from '../xml/multipart-responses.ts';

/**
 * The feature name for listing uploads with encoded keys. A service that encodes keys without declaring it counts as refusing.
 */
const encoding = 'ListMultipartUploads encoding-type';
/** The feature name for a page that continues within the uploads of one key. Accepted once a page has done that. */
const continuation = 'ListMultipartUploads continues within a key';

type Ask = (
  input: ListMultipartUploadsInput,
  options: RequestOptions | undefined,
) => Promise<UploadsResponse>;

/**
 * Creates the request that lists uploads. It uses encoding-type=url, so that XML can contain any key. Ceph encodes keys without
 * declaring it. If a page has an ambiguous name, it and all later pages are requested without encoding.
 */
export function createUploadLister(executor: Executor): S3Client['listMultipartUploads'] {
  const ask: Ask = async (input, options) =>
    await executor.execute(
      repeatable({
        name: 'ListMultipartUploads',
        method: 'GET',
        bucket: input.bucket,
        query: {
          uploads: '',
          'encoding-type': 'url',
          ...(input.prefix ? { prefix: input.prefix } : {}),
          ...(input.delimiter ? { delimiter: input.delimiter } : {}),
          ...(input.maxUploads === undefined ? {} : { 'max-uploads': String(input.maxUploads) }),
          // Both markers are sent. Without the second, a page filled by the uploads of one key would repeat forever
          // (riak_cs#464).
          ...(input.keyMarker ? { 'key-marker': input.keyMarker } : {}),
          ...(input.uploadIdMarker ? { 'upload-id-marker': input.uploadIdMarker } : {}),
        },
      }),
      options,
      async (response) => readUploads(await response.xml('ListMultipartUploadsResult'), response.quote),
    );

  return async (input, options) => {
    let page = await ask(input, options);
    if (page.maybeEncoded && executor.memory.allows(encoding)) {
      executor.memory.refuses(encoding);
      page = await ask(input, options);
    }
    const { commonPrefixes, unreadable, next } = page;
    if (input.setsAside !== true) requireReadable(unreadable);
    const { prefix = '' } = input;
    const names = [page.uploads.map(({ key, uploadId }) => [key, uploadId]), commonPrefixes];
    const isEmpty = page.uploads.length + commonPrefixes.length === 0;
    const trail = next === null ? noTrail : follow(input.trail ?? noTrail, names, isEmpty);
    const uploads = await withRestOfKey(executor, ask, input, page.uploads, options);
    const listed = {
      uploads: uploads.filter(({ key }) => key.startsWith(prefix)),
      commonPrefixes: commonPrefixes.filter((name) => name.startsWith(prefix)),
      foreign: foreignNames([...uploads.map(({ key }) => key), ...commonPrefixes], prefix),
      unreadable,
    };
    if (next === null) return { ...listed, next };
    const before = input.keyMarker === next.keyMarker ? (input.sameKey ?? []) : [];
    const sameKey = [...before, ...uploads.filter(({ key }) => key === next.keyMarker).map(idOf)];
    return { ...listed, next: { ...next, trail, sameKey } };
  };
}

/**
 * Returns the uploads of a page without repetitions, and the remaining uploads of the key at which the previous page ended.
 * Services that ignore upload-id-marker continue after that key, so its uploads are listed separately, unless the service is
 * known to continue within a key. Throws `listing-stuck` if the remaining uploads cannot be listed.
 */
async function withRestOfKey(
  { memory }: Executor,
  ask: Ask,
  { bucket, keyMarker = '', sameKey = [] }: ListMultipartUploadsInput,
  listed: readonly MultipartUpload[],
  options: RequestOptions | undefined,
): Promise<readonly MultipartUpload[]> {
  if (sameKey.length === 0) return listed;
  const seen = new Set(sameKey);
  const isFresh = (upload: MultipartUpload): boolean =>
    upload.key !== keyMarker || !seen.has(upload.uploadId);
  const fresh = listed.filter(isFresh);
  if (fresh.some(({ key }) => key === keyMarker)) {
    memory.accepts(continuation);
    return fresh;
  }
  if (memory.verdictOn(continuation) === 'accepted') return fresh;
  const { uploads, next } = await ask({ bucket, prefix: keyMarker }, options);
  const ofKey = uploads.filter(({ key }) => key === keyMarker);
  if (next !== null && ofKey.length === uploads.length)
    throw stuck('no marker between the uploads of one key');
  return [...ofKey.filter(isFresh), ...fresh];
}

function idOf({ uploadId }: MultipartUpload): string {
  return uploadId;
}

import { createHash } from 'node:crypto';
import { runningChecksum, type ChecksumAlgorithm, type Checksums } from '../checksums.ts';
import {
  missingUpload,
  quoted,
  requireBucket,
  requireUpload,
  xmlAnswer,
  type Answer,
  type RequestContext,
} from '../context.ts';
import { percentDecode } from '../encoding.ts';
import { serviceError } from '../errors.ts';
import type { Attributes, ObjectRow } from '../store/model.ts';
import { document, element } from '../xml.ts';
import {
  attributesOf,
  etagOf,
  honoursConditions,
  isoTime,
  matchesStrongly,
  matchesWeakly,
  storageClassOf,
  writeConditions,
} from './attributes.ts';
import { partNumberOf } from './multipart.ts';
import { tagsOfHeader } from './tagging.ts';
import { secondsOf } from './http-date.ts';

/** The largest object that one request copies. */
const largestCopyBytes = 5 * 1024 ** 3;

/** The copy shares the bytes of its source, and keeps its ETag. */
export function copyObject(context: RequestContext): Answer {
  const { store } = context.state;
  const source = sourceOf(context);
  const bucket = requireBucket(context);
  const { object } = source;
  if (object.sizeBytes > largestCopyBytes) {
    throw serviceError('InvalidRequest', {
      message: `The specified copy source is larger than the maximum allowable size for a copy source: ${largestCopyBytes}`,
    });
  }
  const directive = context.headers.get('x-amz-metadata-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE') {
    throw serviceError('InvalidArgument', { elements: { ArgumentName: 'x-amz-metadata-directive' } });
  }
  const isSame = source.bucketId === bucket.id && object.key === context.key;
  const storageClass = storageClassOf(context);
  if (isSame && directive === 'COPY' && storageClass === object.storageClass) {
    throw serviceError('InvalidRequest', {
      message:
        "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata or storage class.",
    });
  }
  const modifiedMs = context.state.nowMs();
  const copied = directive === 'COPY' ? object.attributes : replaced(context, object);
  const attributes = withTagsOf(context, copied, object.attributes);
  const segments = store.segments(object.content, 0, object.sizeBytes);
  store.putObject(
    bucket.id,
    context.key,
    {
      content: { kind: 'shared', segments },
      sizeBytes: object.sizeBytes,
      etag: object.etag,
      modifiedMs,
      storageClass,
      attributes,
    },
    writeConditions(context),
  );
  return copyAnswer('CopyObjectResult', object.etag, modifiedMs);
}

export async function uploadPartCopy(context: RequestContext): Promise<Answer> {
  const { store } = context.state;
  const number = partNumberOf(context);
  const upload = requireUpload(context);
  const { object } = sourceOf(context);
  const { first, end } = copyRange(context, object);
  // The reader keeps the bytes on the disk until the part shares them.
  const reader = store.read(object.content, first, end);
  try {
    const md5 = createHash('md5');
    const algorithm = upload.checksumAlgorithm;
    const check = algorithm === null ? null : runningChecksum(algorithm);
    const segments = store.segments(object.content, first, end);
    for await (const chunk of reader.stream()) {
      md5.update(chunk);
      check?.update(chunk);
    }
    if (!isStillThere(context, object)) throw serviceError('PreconditionFailed');
    const etag = etagOf(context, md5.digest());
    const modifiedMs = context.state.nowMs();
    const checksums = oneChecksum(algorithm, check?.digest() ?? null);
    const content = { kind: 'shared', segments } as const;
    const isKept = store.putPart(upload.id, number, {
      content,
      sizeBytes: end - first,
      etag,
      modifiedMs,
      checksums,
    });
    if (!isKept) throw missingUpload(context, upload.id);
    return copyAnswer('CopyPartResult', etag, modifiedMs);
  } finally {
    reader.release();
  }
}

function oneChecksum(algorithm: ChecksumAlgorithm | null, digest: Buffer | null): Checksums {
  return algorithm === null || digest === null ? {} : { [algorithm]: digest.toString('base64') };
}

/** Whether the source is the same object as before: its chunks may be gone from the index otherwise. */
function isStillThere(context: RequestContext, object: ObjectRow): boolean {
  const { bucketName, key } = parseSource(context);
  const bucket = context.state.store.bucket(bucketName);
  const now = bucket === null ? null : context.state.store.object(bucket.id, key);
  return now !== null && now.content === object.content && now.etag === object.etag;
}

function replaced(context: RequestContext, object: ObjectRow): Attributes {
  const { checksums, checksumType, partChecksums, partSizes } = object.attributes;
  return {
    ...attributesOf(context),
    ...(checksums === undefined ? {} : { checksums }),
    ...(checksumType === undefined ? {} : { checksumType }),
    ...(partChecksums === undefined ? {} : { partChecksums }),
    ...(partSizes === undefined ? {} : { partSizes }),
  };
}

/** Tags come along, unless the directive says to take those of the request. */
function withTagsOf(context: RequestContext, attributes: Attributes, source: Attributes): Attributes {
  const directive = context.headers.get('x-amz-tagging-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE') {
    throw serviceError('InvalidArgument', { elements: { ArgumentName: 'x-amz-tagging-directive' } });
  }
  const { tags: _, ...rest } = attributes;
  if (directive === 'REPLACE') return { ...rest, ...tagsOfHeader(context) };
  return source.tags === undefined ? rest : { ...rest, tags: source.tags };
}

function copyAnswer(root: string, etag: string, modifiedMs: number): Answer {
  return xmlAnswer(
    document(root, element('LastModified', isoTime(modifiedMs)) + element('ETag', quoted(etag))),
  );
}

function parseSource(context: RequestContext): { readonly bucketName: string; readonly key: string } {
  const header = context.headers.get('x-amz-copy-source') ?? '';
  const [path = '', version] = header.split('?versionId=');
  const decoded = percentDecode(path.startsWith('/') ? path.slice(1) : path);
  const slash = decoded?.indexOf('/') ?? -1;
  if (decoded === null || slash < 1 || slash === decoded.length - 1) {
    throw serviceError('InvalidArgument', {
      message: 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
      elements: { ArgumentName: 'x-amz-copy-source', ArgumentValue: header },
    });
  }
  if (version !== undefined && version !== 'null') {
    throw serviceError('InvalidArgument', { message: 'Invalid version id specified' });
  }
  return { bucketName: decoded.slice(0, slash), key: decoded.slice(slash + 1) };
}

function sourceOf(context: RequestContext): { readonly object: ObjectRow; readonly bucketId: number } {
  const { bucketName, key } = parseSource(context);
  const bucket = requireBucket(context, bucketName);
  const object = context.state.store.object(bucket.id, key);
  if (object === null) throw serviceError('NoSuchKey', { elements: { Key: key } });
  sourceConditions(context, object);
  return { object, bucketId: bucket.id };
}

function sourceConditions(context: RequestContext, object: ObjectRow): void {
  const header = (name: string): string | undefined => context.headers.get(`x-amz-copy-source-if-${name}`);
  const modified = Math.floor(object.modifiedMs / 1000);
  const match = header('match');
  const noneMatch = header('none-match');
  const unmodifiedSince = secondsOf(header('unmodified-since'));
  const modifiedSince = secondsOf(header('modified-since'));
  const isConditional = [match, noneMatch, unmodifiedSince, modifiedSince].some(
    (one) => (one ?? null) !== null,
  );
  if (isConditional && context.state.quirks.conditionalWrites !== 'refused' && !honoursConditions(context))
    return;
  const isRefused =
    (match !== undefined && !matchesStrongly(match, object.etag)) ||
    (match === undefined && unmodifiedSince !== null && modified > unmodifiedSince) ||
    (noneMatch !== undefined && matchesWeakly(noneMatch, object.etag)) ||
    (noneMatch === undefined && modifiedSince !== null && modified <= modifiedSince);
  if (isRefused) throw serviceError('PreconditionFailed');
}

function copyRange(
  context: RequestContext,
  object: ObjectRow,
): { readonly first: number; readonly end: number } {
  const header = context.headers.get('x-amz-copy-source-range');
  if (header === undefined) return { first: 0, end: object.sizeBytes };
  const match = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header);
  const first = Number(match?.[1] ?? -1);
  const end = Number(match?.[2] ?? -1) + 1;
  if (match === null || end <= first || end > object.sizeBytes) {
    throw serviceError('InvalidArgument', {
      message: 'The x-amz-copy-source-range value must be of the form bytes=first-last within the source.',
      elements: { ArgumentName: 'x-amz-copy-source-range', ArgumentValue: header },
    });
  }
  return { first, end };
}

import { createHash } from 'node:crypto';
import { runningChecksum } from '../checksum-algorithms.ts';
import { percentDecode } from '../encoding.ts';
import { serviceError } from '../service-errors.ts';
import type { Attributes, BucketRow, ObjectRow, VersionRow } from '../store/model.ts';
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
} from './attribute-operations.ts';
import { tagsOfHeader } from './tagging-operations.ts';
import {
  checkedVersion,
  requireObject,
  versionHeader,
  secondsOf,
  partNumberIn,
  missingUpload,
  quoted,
  requireBucket,
  requireUpload,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';

/** The size in bytes above which S3 refuses to copy an object in one request. */
const largestCopyBytes = 5 * 1024 ** 3;

/**
 * Copies an object. The copy shares the stored bytes of its source and has the same ETag. Throws `InvalidRequest` for a source
 * above 5 GiB or a copy onto itself without a change, and `InvalidArgument` for an unknown metadata directive.
 */
export function copyObject(context: RequestContext): OperationResponse {
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
  // Copying an older version over its own key restores it, so it does not count as a copy onto itself.
  const isSame =
    source.bucket.id === bucket.id &&
    object.key === context.key &&
    store.object(bucket.id, context.key)?.version === object.version;
  const storageClass = storageClassOf(context);
  if (isSame && directive === 'COPY' && storageClass === object.storageClass) {
    throw serviceError('InvalidRequest', {
      message:
        "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata or storage class.",
    });
  }
  const modifiedMs = context.state.nowMs();
  const copied = directive === 'COPY' ? object.attributes : replaceAttributes(context, object);
  const attributes = withTagsOf(context, copied, object.attributes);
  const segments = store.contents.segments(object.content, 0, object.sizeBytes);
  const version = store.putObject(
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
  return copyResponse('CopyObjectResult', object.etag, modifiedMs, {
    ...versionHeader(bucket, version),
    ...sourceHeader(source),
  });
}

/**
 * Throws `PreconditionFailed` if the source changed, and `NoSuchUpload`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html
 */
export async function uploadPartCopy(context: RequestContext): Promise<OperationResponse> {
  const { store } = context.state;
  const number = partNumberIn(context.query.get('partNumber') ?? '');
  const upload = requireUpload(context);
  const source = sourceOf(context);
  const { object } = source;
  const { first, end } = copyRange(context, object);
  // The reader keeps the bytes on disk until the new part refers to them.
  const reader = store.contents.reader(object.content, first, end);
  try {
    const md5 = createHash('md5');
    const algorithm = upload.checksumAlgorithm;
    const check = algorithm === null ? null : runningChecksum(algorithm);
    const segments = store.contents.segments(object.content, first, end);
    for await (const chunk of reader.stream()) {
      md5.update(chunk);
      check?.update(chunk);
    }
    if (!isSourceUnchanged(context, source)) throw serviceError('PreconditionFailed');
    const etag = etagOf(context, md5.digest());
    const modifiedMs = context.state.nowMs();
    const checksums =
      algorithm === null || check === null ? {} : { [algorithm]: check.digest().toString('base64') };
    const content = { kind: 'shared', segments } as const;
    const isStored = store.putPart(upload.id, number, {
      content,
      sizeBytes: end - first,
      etag,
      modifiedMs,
      checksums,
    });
    if (!isStored) throw missingUpload(context, upload.id);
    return copyResponse('CopyPartResult', etag, modifiedMs, sourceHeader(source));
  } finally {
    reader.release();
  }
}

/** Returns true if the source still has the same content. After a change, its chunks may have been removed. */
function isSourceUnchanged(context: RequestContext, { bucket, object }: Source): boolean {
  const now = context.state.store.version(bucket.id, object.key, object.version);
  return now !== null && now.content === object.content && now.etag === object.etag;
}

/** Returns the attributes of the request, with the checksums and parts of the copied content. */
function replaceAttributes(context: RequestContext, object: ObjectRow): Attributes {
  const { headers: _headers, metadata: _metadata, tags: _tags, ...ofContent } = object.attributes;
  return { ...attributesOf(context), ...ofContent };
}

/** Returns the attributes with the source's tags, or with the request's tags if the directive is REPLACE. */
function withTagsOf(context: RequestContext, attributes: Attributes, source: Attributes): Attributes {
  const directive = context.headers.get('x-amz-tagging-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE') {
    throw serviceError('InvalidArgument', { elements: { ArgumentName: 'x-amz-tagging-directive' } });
  }
  const { tags: _, ...rest } = attributes;
  if (directive === 'REPLACE') return { ...rest, ...tagsOfHeader(context) };
  return source.tags === undefined ? rest : { ...rest, tags: source.tags };
}

function copyResponse(
  root: string,
  etag: string,
  modifiedMs: number,
  headers: Readonly<Record<string, string>>,
): OperationResponse {
  const content = element('LastModified', isoTime(modifiedMs)) + element('ETag', quoted(etag));
  return xmlResponse(document(root, content), headers);
}

interface Source {
  readonly bucket: BucketRow;
  readonly object: VersionRow;
}

function parseSource(context: RequestContext) {
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
  return {
    bucketName: decoded.slice(0, slash),
    key: decoded.slice(slash + 1),
    version: version === undefined ? null : checkedVersion(version, 'x-amz-copy-source'),
  };
}

function sourceOf(context: RequestContext): Source {
  const { bucketName, key, version } = parseSource(context);
  const bucket = requireBucket(context, bucketName);
  const object = requireSource(context, bucket, key, version);
  sourceConditions(context, object);
  return { bucket, object };
}

function requireSource(
  context: RequestContext,
  bucket: BucketRow,
  key: string,
  version: string | null,
): VersionRow {
  const row = context.state.store.version(bucket.id, key, version);
  if (version === null || row?.isMarker !== true) return requireObject(context, bucket, key, version);
  // The message that S3 sends: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
  throw serviceError('InvalidRequest', {
    message: 'The source of a copy request may not specifically refer to a delete marker by version id.',
  });
}

function sourceHeader({ bucket, object }: Source): Record<string, string> {
  return versionHeader(bucket, object.version, 'x-amz-copy-source-version-id');
}

function sourceConditions(context: RequestContext, object: ObjectRow): void {
  const header = (name: string): string | undefined => context.headers.get(`x-amz-copy-source-if-${name}`);
  const modified = Math.floor(object.modifiedMs / 1000);
  const match = header('match');
  const noneMatch = header('none-match');
  const unmodifiedSince = secondsOf(header('unmodified-since'));
  const modifiedSince = secondsOf(header('modified-since'));
  const isConditional = [match, noneMatch, unmodifiedSince, modifiedSince].some(
    (value) => (value ?? null) !== null,
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

function copyRange(context: RequestContext, object: ObjectRow) {
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

import { parseChecksumAlgorithm, type ChecksumAlgorithm } from '../checksum-algorithms.ts';
import { serviceError } from '../service-errors.ts';
import type { ChecksumType } from '../store/model.ts';
import { document, element } from '../xml.ts';
import { attributesOf, etagOf, storageClassOf } from './attribute-operations.ts';
import { checksumHeaders } from './object-operations.ts';
import {
  partNumberIn,
  emptyResponse,
  missingUpload,
  quoted,
  requireBucket,
  requireUpload,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';

const largestPartBytes = 5 * 1024 ** 3;

/** Starts a multipart upload. Throws `InvalidRequest` for an unknown checksum algorithm or type. */
export function createMultipartUpload(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const checksumAlgorithm = algorithmOf(context);
  const checksumType = checksumTypeOf(context, checksumAlgorithm);
  const uploadId = context.state.store.createUpload(bucket.id, context.key, {
    initiatedMs: context.state.nowMs(),
    storageClass: storageClassOf(context),
    attributes: attributesOf(context),
    checksumAlgorithm,
    checksumType,
  });
  const headers: Record<string, string> = {};
  if (checksumAlgorithm !== null) headers['x-amz-checksum-algorithm'] = checksumAlgorithm.toUpperCase();
  if (checksumType !== null) headers['x-amz-checksum-type'] = checksumType;
  const content =
    element('Bucket', context.bucket) + element('Key', context.key) + element('UploadId', uploadId);
  return xmlResponse(document('InitiateMultipartUploadResult', content), headers);
}

/**
 * Throws `EntityTooLarge` above 5 GiB, `InvalidRequest` for another checksum algorithm than the upload's, and `NoSuchUpload`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html
 */
export async function uploadPart(context: RequestContext): Promise<OperationResponse> {
  const { store } = context.state;
  const number = partNumberIn(context.query.get('partNumber') ?? '');
  const upload = requireUpload(context);
  const algorithm = upload.checksumAlgorithm;
  const received = await context.body.receive(store.blobs, algorithm);
  const etag = etagOf(context, received.md5);
  try {
    if (received.sizeBytes > largestPartBytes) throw serviceError('EntityTooLarge');
    if (algorithm !== null && upload.checksumType === 'COMPOSITE' && !statesChecksum(context, algorithm)) {
      throw serviceError('InvalidRequest', {
        message: `Checksum Type mismatch occurred, expected checksum Type: ${algorithm}, actual checksum Type: null`,
      });
    }
    const isStored = store.putPart(upload.id, number, {
      content: received.content,
      sizeBytes: received.sizeBytes,
      etag,
      modifiedMs: context.state.nowMs(),
      checksums: received.checksums,
    });
    if (!isStored) throw missingUpload(context, upload.id);
  } catch (error) {
    if (received.content.kind === 'file') store.blobs.remove(received.content.file);
    throw error;
  }
  return emptyResponse(200, { etag: quoted(etag), ...checksumHeaders(received.checksums) });
}

/** Throws `NoSuchUpload`. https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
export function abortMultipartUpload(context: RequestContext): OperationResponse {
  const upload = requireUpload(context);
  if (!context.state.store.abortUpload(upload.id)) throw missingUpload(context, upload.id);
  return emptyResponse(204);
}

function statesChecksum(context: RequestContext, algorithm: ChecksumAlgorithm): boolean {
  const name = `x-amz-checksum-${algorithm}`;
  const trailers = (context.headers.get('x-amz-trailer') ?? '').toLowerCase();
  return context.headers.has(name) || trailers.split(',').some((trailer) => trailer.trim() === name);
}

function algorithmOf(context: RequestContext): ChecksumAlgorithm | null {
  const stated = context.headers.get('x-amz-checksum-algorithm');
  if (stated === undefined) return null;
  const algorithm = parseChecksumAlgorithm(stated);
  if (algorithm === null) {
    throw serviceError('InvalidRequest', {
      message:
        'Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]',
    });
  }
  return algorithm;
}

function checksumTypeOf(context: RequestContext, algorithm: ChecksumAlgorithm | null): ChecksumType | null {
  const stated = context.headers.get('x-amz-checksum-type');
  if (algorithm === null) {
    if (stated === undefined) return null;
    throw serviceError('InvalidRequest', {
      message: 'The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.',
    });
  }
  // CRC-64/NVME supports only FULL_OBJECT, the SHA family only COMPOSITE; the other algorithms support both.
  const fallback = algorithm === 'crc64nvme' ? 'FULL_OBJECT' : 'COMPOSITE';
  const type = stated ?? fallback;
  if (type === 'COMPOSITE' && algorithm !== 'crc64nvme') return type;
  if (type === 'FULL_OBJECT' && algorithm !== 'sha1' && algorithm !== 'sha256') return type;
  throw serviceError('InvalidRequest', {
    message: `The ${type} checksum type cannot be used with the ${algorithm} checksum algorithm.`,
  });
}

import { createHash } from 'node:crypto';
import {
  checksumElements,
  checksumAlgorithms,
  type ChecksumAlgorithm,
  type Checksums,
} from '../checksum-algorithms.ts';
import { sigv4Encode } from '../encoding.ts';
import { serviceError } from '../service-errors.ts';
import type { PartRow, UploadRow } from '../store/model.ts';
import { largestPartNumber } from '../store/model.ts';
import { childText, document, element, parseRoot, requireChildren, type XmlNode } from '../xml.ts';
import { unquoted, writeConditions } from './attribute-operations.ts';
import {
  versionHeader,
  requireBucket,
  requireUpload,
  quoted,
  xmlResponse,
  missingUpload,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';
import { wholeChecksums } from './whole-checksums.ts';

const maxCompletions = 1000;

interface ListedPart {
  readonly number: number;
  readonly etag: string;
  readonly checksums: Checksums;
}

/** Completes a multipart upload (spec §4.3, §3 and §7). Throws `InternalError` for a repeated request if that quirk is set. */
export async function completeMultipartUpload(context: RequestContext): Promise<OperationResponse> {
  const { store, quirks, completions } = context.state;
  const body = await context.body.text('of-object');
  const repeated = completions.get(context.query.get('uploadId') ?? '');
  if (repeated !== undefined && quirks.repeatedCompletion !== 'no-such-upload') {
    if (quirks.repeatedCompletion === 'internal-error') throw serviceError('InternalError');
    return xmlResponse(repeated);
  }
  const upload = requireUpload(context);
  const listed = readParts(body);
  const parts = checkParts(context, upload, listed);
  const etag = `${md5OfParts(parts)}-${parts.length}`;
  const whole = await wholeChecksums(context, upload, parts);
  requirePartChecksums(upload, listed);
  refuseChanged(context, upload, parts);
  const version = store.completeUpload(
    upload,
    parts,
    {
      sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
      etag,
      modifiedMs: context.state.nowMs(),
      storageClass: upload.storageClass,
      attributes: { ...upload.attributes, partSizes: parts.map((part) => part.sizeBytes), ...whole },
    },
    writeConditions(context),
  );
  const response = resultXml(context, etag, whole.checksums ?? {}, whole.checksumType ?? null);
  if (completions.size >= maxCompletions) completions.clear();
  completions.set(upload.id, response);
  return xmlResponse(response, versionHeader(requireBucket(context), version));
}

function resultXml(
  context: RequestContext,
  etag: string,
  checksums: Checksums,
  checksumType: string | null,
): string {
  const path = sigv4Encode(context.key).replaceAll('%2F', '/');
  const location = context.isPathStyle
    ? `${context.origin}/${context.bucket}/${path}`
    : `${context.origin}/${path}`;
  return document(
    'CompleteMultipartUploadResult',
    element('Location', location) +
      element('Bucket', context.bucket) +
      element('Key', context.key) +
      element('ETag', context.state.quirks.completionEtag === 'empty' ? '' : quoted(etag)) +
      checksumXml(checksums) +
      element('ChecksumType', checksumType),
  );
}

export function checksumXml(checksums: Checksums): string {
  return checksumAlgorithms
    .map((algorithm) => element(checksumElements[algorithm], checksums[algorithm]))
    .join('');
}

function readParts(body: string): ListedPart[] {
  const root = parseRoot(body, 'CompleteMultipartUpload');
  requireChildren(root, ['Part']);
  const nodes = root.children;
  if (nodes.length === 0 || nodes.length > largestPartNumber) throw serviceError('MalformedXML');
  return nodes.map(readPart);
}

function readPart(node: XmlNode): ListedPart {
  requireChildren(node, ['PartNumber', 'ETag', ...Object.values(checksumElements)]);
  const number = childText(node, 'PartNumber')?.trim() ?? '';
  const etag = childText(node, 'ETag')?.trim() ?? null;
  if (!/^[0-9]{1,5}$/.test(number) || etag === null) throw serviceError('MalformedXML');
  const checksums: Partial<Record<ChecksumAlgorithm, string>> = {};
  for (const algorithm of checksumAlgorithms) {
    const value = childText(node, checksumElements[algorithm])?.trim();
    if (value !== undefined && value !== '') checksums[algorithm] = value;
  }
  return { number: Number(number), etag: unquoted(etag), checksums };
}

function checkParts(context: RequestContext, upload: UploadRow, listed: readonly ListedPart[]): PartRow[] {
  let before = 0;
  for (const part of listed) {
    if (part.number <= before) throw serviceError('InvalidPartOrder', { elements: { UploadId: upload.id } });
    before = part.number;
  }
  const stored = new Map(
    context.state.store.uploads.parts(upload.id, 0, largestPartNumber).map((part) => [part.number, part]),
  );
  const parts = listed.map((part) => matchingPart(upload, part, stored.get(part.number)));
  const sizes = parts.slice(0, -1).map((part) => part.sizeBytes);
  const tooSmall = parts.slice(0, -1).find((part) => part.sizeBytes < context.state.minPartBytes);
  if (tooSmall !== undefined) {
    throw serviceError('EntityTooSmall', {
      elements: {
        ProposedSize: String(tooSmall.sizeBytes),
        MinSizeAllowed: String(context.state.minPartBytes),
        PartNumber: String(tooSmall.number),
        ETag: tooSmall.etag,
      },
    });
  }
  if (context.state.quirks.equalPartSizes && new Set(sizes).size > 1) {
    throw serviceError('InvalidPart', { message: 'All non-trailing parts must have the same length.' });
  }
  return parts;
}

/** Throws if the request contains no checksums for the parts of a COMPOSITE upload. */
function requirePartChecksums(upload: UploadRow, listed: readonly ListedPart[]): void {
  const algorithm = upload.checksumAlgorithm;
  if (algorithm === null || upload.checksumType !== 'COMPOSITE') return;
  const partWithoutChecksum = listed.find((part) => part.checksums[algorithm] === undefined);
  if (partWithoutChecksum === undefined) return;
  throw serviceError('InvalidRequest', {
    message:
      `The upload was created using a ${algorithm} checksum. The complete request must include the ` +
      `checksum for each part. It was missing for part ${partWithoutChecksum.number} in the request.`,
  });
}

/** Throws if the upload was aborted, or a part was replaced, while the checksums were computed. */
function refuseChanged(context: RequestContext, upload: UploadRow, parts: readonly PartRow[]): void {
  const { store } = context.state;
  if (store.uploads.get(upload.id) === null) throw missingUpload(context, upload.id);
  const stored = new Map(
    store.uploads.parts(upload.id, 0, largestPartNumber).map((part) => [part.number, part.content]),
  );
  const changed = parts.find((part) => stored.get(part.number) !== part.content);
  if (changed === undefined) return;
  throw serviceError('InvalidPart', {
    elements: { UploadId: upload.id, PartNumber: String(changed.number), ETag: changed.etag },
  });
}

function matchingPart(upload: UploadRow, listed: ListedPart, stored: PartRow | undefined): PartRow {
  const agrees =
    stored !== undefined &&
    stored.etag === listed.etag &&
    checksumAlgorithms.every((name) => {
      const [listedChecksum, storedChecksum] = [listed.checksums[name], stored.checksums[name]];
      return (
        listedChecksum === undefined || storedChecksum === undefined || listedChecksum === storedChecksum
      );
    });
  if (agrees) return stored;
  throw serviceError('InvalidPart', {
    elements: { UploadId: upload.id, PartNumber: String(listed.number), ETag: listed.etag },
  });
}

/** Returns the MD5 of the parts' MD5s. S3 uses it as the ETag of multipart objects. */
function md5OfParts(parts: readonly PartRow[]): string {
  const hash = createHash('md5');
  for (const part of parts) hash.update(Buffer.from(part.etag, 'hex'));
  return hash.digest('hex');
}

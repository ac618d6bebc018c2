import { createHash } from 'node:crypto';
import { failure } from '../../../../shared/errors.ts';
import type { CompletedPart } from '../model/multipart-types.ts';
import type { KeyToDelete } from '../model/object-types.ts';
import type { ChecksumAlgorithm } from '../../disk/checksums.ts';

// Char of XML 1.0, section 2.2.
// oxlint-disable-next-line no-control-regex -- these are the characters that XML forbids
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Returns true if XML 1.0 can contain the text. */
export function fitsXml(text: string): boolean {
  return text.isWellFormed() && !notXml.test(text);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Escapes a text for an element. White space other than blanks becomes references, because parsers normalize line ends. Throws
 * `AppError('invalid-argument')` for characters that XML cannot contain.
 */
export function escapeXml(text: string): string {
  if (!fitsXml(text)) {
    throw failure('invalid-argument', 'The text contains characters that XML cannot represent.', {
      reason: 'not-xml',
    });
  }
  return text.replace(
    /[&<>"'\t\n\r\u0085\u2028]/g,
    (character) => entities[character] ?? `&#${character.charCodeAt(0)};`,
  );
}

export const checksumElements: Readonly<Record<ChecksumAlgorithm, string>> = {
  crc32: 'ChecksumCRC32',
  crc32c: 'ChecksumCRC32C',
  crc64nvme: 'ChecksumCRC64NVME',
  sha1: 'ChecksumSHA1',
  sha256: 'ChecksumSHA256',
};

export const checksumAlgorithms = Object.keys(checksumElements) as readonly ChecksumAlgorithm[];

/**
 * Renders the body of CompleteMultipartUpload, with parts sorted by number (specification, section 4.3) and unchanged ETags
 * (aws-sdk-js-v3#3753).
 */
export function renderComplete(parts: readonly CompletedPart[]): Buffer {
  const rendered = parts
    .toSorted((a, b) => a.partNumber - b.partNumber)
    .map((part) => {
      const checksums = checksumAlgorithms
        .flatMap((algorithm) => {
          const value = part.checksums?.[algorithm];
          const element = checksumElements[algorithm];
          return value === undefined ? [] : [`<${element}>${escapeXml(value)}</${element}>`];
        })
        .join('');
      return `<Part><PartNumber>${part.partNumber}</PartNumber><ETag>${escapeXml(part.etag)}</ETag>${checksums}</Part>`;
    })
    .join('');
  return documentOf('CompleteMultipartUpload', rendered);
}

/** Renders the body of DeleteObjects, with its MD5. */
export function renderDelete(keys: readonly KeyToDelete[]): XmlRequest {
  const objects = keys
    .map(({ key, versionId, etag }) => {
      const version = versionId === undefined ? '' : `<VersionId>${escapeXml(versionId)}</VersionId>`;
      const condition = etag === undefined ? '' : `<ETag>${escapeXml(etag)}</ETag>`;
      return `<Object>${condition}<Key>${escapeXml(key)}</Key>${version}</Object>`;
    })
    .join('');
  return xmlRequest('Delete', objects);
}

/** Renders the body of CreateBucket. Throws AppError('invalid-argument') for characters that XML cannot contain. */
export function renderCreateBucket(region: string): Buffer {
  return documentOf(
    'CreateBucketConfiguration',
    `<LocationConstraint>${escapeXml(region)}</LocationConstraint>`,
  );
}

interface XmlRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns an XML body with its MD5. AWS requires a checksum for most bodies; every service supports MD5. */
export function xmlRequest(root: string, content: string): XmlRequest {
  const body = documentOf(root, content);
  const digest = createHash('md5').update(body).digest('base64');
  return { body, headers: { 'content-type': 'application/xml', 'content-md5': digest } };
}

function documentOf(root: string, content: string): Buffer {
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">${content}</${root}>`,
    'utf8',
  );
}

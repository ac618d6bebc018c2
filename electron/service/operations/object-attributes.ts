import { checksumAlgorithms } from '../checksum-algorithms.ts';
import { serviceError } from '../service-errors.ts';
import type { ObjectRow } from '../store/model.ts';
import { document, element } from '../xml.ts';
import { checksumXml } from './complete.ts';
import { largestPage } from './listing-operations.ts';
import {
  requireObject,
  versionHeader,
  versionOf,
  requireBucket,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';

const attributeNames = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const;

type AttributeName = (typeof attributeNames)[number];

/**
 * Returns the attributes named in x-amz-object-attributes. Throws InvalidArgument for an unknown one, and InvalidRequest for an
 * empty list. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectAttributes.html
 */
export function getObjectAttributes(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const requestedNames = readRequestedNames(context);
  const object = requireObject(context, bucket, context.key, versionOf(context));
  const xml: Readonly<Record<AttributeName, () => string>> = {
    ETag: () => element('ETag', object.etag),
    Checksum: () => checksumOf(object),
    ObjectParts: () => partsOf(context, object),
    StorageClass: () => element('StorageClass', object.storageClass),
    ObjectSize: () => element('ObjectSize', object.sizeBytes),
  };
  const content = attributeNames.filter((name) => requestedNames.has(name)).map((name) => xml[name]());
  return xmlResponse(document('GetObjectAttributesResponse', content.join('')), {
    'last-modified': new Date(object.modifiedMs).toUTCString(),
    ...versionHeader(bucket, object.version),
  });
}

function readRequestedNames({ headers }: RequestContext): ReadonlySet<string> {
  const name = 'x-amz-object-attributes';
  const stated = headers.get(name) ?? '';
  if (stated.trim() === '')
    throw serviceError('InvalidRequest', { message: `The header ${name} is missing.` });
  const requestedNames = new Set(stated.split(',').map((text) => text.trim()));
  const unknown = [...requestedNames].find((text) => !attributeNames.some((known) => known === text));
  if (unknown === undefined) return requestedNames;
  throw serviceError('InvalidArgument', {
    message: 'Invalid attribute name specified.',
    elements: { ArgumentName: name, ArgumentValue: unknown },
  });
}

function checksumOf({ attributes: { checksums, checksumType } }: ObjectRow): string {
  if (checksums === undefined) return '';
  const type = element('ChecksumType', checksumType ?? 'FULL_OBJECT');
  return `<Checksum>${checksumXml(checksums)}${type}</Checksum>`;
}

function partsOf(context: RequestContext, { attributes }: ObjectRow): string {
  const { partSizes, partChecksums, checksums } = attributes;
  if (partSizes === undefined) return '';
  const maxParts = integerHeader(context, 'x-amz-max-parts', largestPage);
  const marker = integerHeader(context, 'x-amz-part-number-marker', 0);
  const algorithm = checksumAlgorithms.find((name) => checksums?.[name] !== undefined);
  const end = Math.min(marker + Math.min(maxParts, largestPage), partSizes.length);
  const isTruncated = maxParts > 0 && end < partSizes.length;
  const parts = partSizes.slice(marker, end).map((sizeBytes, index) => {
    const checksum = partChecksums?.[marker + index] ?? '';
    const checksumElement =
      algorithm === undefined || checksum === '' ? '' : checksumXml({ [algorithm]: checksum });
    return `<Part>${element('PartNumber', marker + index + 1)}${element('Size', sizeBytes)}${checksumElement}</Part>`;
  });
  return (
    `<ObjectParts>${element('PartsCount', partSizes.length)}${element('PartNumberMarker', marker)}` +
    `${element('NextPartNumberMarker', isTruncated ? end : null)}${element('MaxParts', maxParts)}` +
    `${element('IsTruncated', String(isTruncated))}${parts.join('')}</ObjectParts>`
  );
}

function integerHeader({ headers }: RequestContext, name: string, fallback: number): number {
  const text = headers.get(name);
  if (text === undefined) return fallback;
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw serviceError('InvalidArgument', { elements: { ArgumentName: name, ArgumentValue: text } });
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { integerParameter, requireBucket, xmlAnswer, type Answer, type RequestContext } from '../context.ts';
import { listingEncode } from '../encoding.ts';
import { serviceError } from '../service-errors.ts';
import type { ListedObject, ListPage } from '../store/model.ts';
import { document, element } from '../xml.ts';
import { isoTime } from './attribute-operations.ts';
import { owner } from './bucket-operations.ts';
import { assertNever } from '../../../shared/assert-never.ts';

/** Spec §8: the default and the upper bound of max-keys. */
export const largestPage = 1000;
const macBytes = 12;

/** Spec §4.2. */
export function listObjects(context: RequestContext): Answer {
  if (context.state.quirks.listing === 'html') return htmlAnswer();
  const marker = context.query.get('marker') ?? '';
  const { page, encode, head, limit } = readPage(context, marker === '' ? null : marker);
  const next = page.isTruncated && sendsNextMarker(context) ? lastEntry(page) : null;
  return xmlAnswer(
    document(
      'ListBucketResult',
      head +
        element('Marker', encode(marker)) +
        element('NextMarker', next === null ? null : encode(next)) +
        element('MaxKeys', limit) +
        element('IsTruncated', String(page.isTruncated)) +
        entries(page, encode, owner),
    ),
  );
}

/** Spec §4.1. */
export function listObjectsV2(context: RequestContext): Answer {
  const { quirks, tokenKey } = context.state;
  if (quirks.listV2 === 'not-implemented') throw serviceError('NotImplemented');
  if (quirks.listV2 === 'treated-as-v1') return listObjects(context);
  if (quirks.listing === 'html') return htmlAnswer();
  const token = context.query.get('continuation-token');
  const startAfter = context.query.get('start-after');
  // A token knows better than start-after where the page begins.
  const after = token === undefined ? startAfter : readToken(token, context.bucket, tokenKey);
  const { page, encode, head, limit } = readPage(context, after === undefined || after === '' ? null : after);
  const last = page.isTruncated && quirks.nextContinuationToken === 'always' ? lastEntry(page) : null;
  const fetchOwner = context.query.get('fetch-owner') === 'true';
  return xmlAnswer(
    document(
      'ListBucketResult',
      head +
        element('MaxKeys', limit) +
        element('KeyCount', page.rows.length + page.commonPrefixes.length) +
        element('IsTruncated', String(page.isTruncated)) +
        element('ContinuationToken', token) +
        element('NextContinuationToken', last === null ? null : makeToken(last, context.bucket, tokenKey)) +
        element('StartAfter', startAfter === undefined ? null : encode(startAfter)) +
        entries(page, encode, fetchOwner ? owner : ''),
    ),
  );
}

interface ReadPage {
  readonly page: ListPage<ListedObject>;
  readonly encode: (text: string) => string;
  /** The elements that both versions share. */
  readonly head: string;
  readonly limit: number;
}

function readPage(context: RequestContext, after: string | null): ReadPage {
  const bucket = requireBucket(context);
  const prefix = context.query.get('prefix') ?? '';
  const delimiter = context.query.get('delimiter') ?? '';
  const limit = integerParameter(context, 'max-keys', largestPage, largestPage);
  const encoding = keyEncoding(context);
  const page = context.state.store.list(bucket.id, { prefix, delimiter, after, limit });
  const head =
    element('Name', context.bucket) +
    element('Prefix', encoding.encode(prefix)) +
    (delimiter === '' ? '' : element('Delimiter', encoding.encode(delimiter))) +
    encoding.element;
  return { page, encode: encoding.encode, head, limit };
}

export interface KeyEncoding {
  readonly encode: (text: string) => string;
  readonly element: string;
}

/** How keys are written: EncodingType is there only if encoding-type was passed (spec §2). */
export function keyEncoding(context: RequestContext): KeyEncoding {
  const stated = context.query.get('encoding-type');
  if (stated !== undefined && stated !== '' && stated !== 'url') {
    throw serviceError('InvalidArgument', {
      message: 'Invalid Encoding Method specified in Request',
      elements: { ArgumentName: 'encoding-type', ArgumentValue: stated },
    });
  }
  const { encodingType, spaceEncoding } = context.state.quirks;
  if (stated !== 'url' || encodingType === 'ignored') return { encode: (text) => text, element: '' };
  return { encode: (text) => listingEncode(text, spaceEncoding), element: element('EncodingType', 'url') };
}

function entries(page: ListPage<ListedObject>, encode: (text: string) => string, ownerXml: string): string {
  let xml = '';
  for (const row of page.rows) {
    xml +=
      `<Contents>${element('Key', encode(row.key))}<LastModified>${isoTime(row.modifiedMs)}</LastModified>` +
      `<ETag>&quot;${row.etag}&quot;</ETag><Size>${row.sizeBytes}</Size>${ownerXml}` +
      `<StorageClass>${row.storageClass}</StorageClass></Contents>`;
  }
  for (const prefix of page.commonPrefixes) {
    xml += `<CommonPrefixes>${element('Prefix', encode(prefix))}</CommonPrefixes>`;
  }
  return xml;
}

/** The entry that sorts last: pages are in byte order, keys and common prefixes together. */
export function lastEntry(page: {
  readonly rows: readonly { readonly key: string }[];
  readonly commonPrefixes: readonly string[];
}): string | null {
  const key = page.rows.at(-1)?.key ?? null;
  const prefix = page.commonPrefixes.at(-1) ?? null;
  if (key === null || prefix === null) return key ?? prefix;
  return Buffer.compare(Buffer.from(key), Buffer.from(prefix)) > 0 ? key : prefix;
}

function sendsNextMarker(context: RequestContext): boolean {
  switch (context.state.quirks.nextMarker) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'with-delimiter':
      return (context.query.get('delimiter') ?? '') !== '';
    default:
      return assertNever(context.state.quirks.nextMarker);
  }
}

/** A token is the last entry of the page, with a code that only this service can make. */
function makeToken(last: string, bucket: string, key: Buffer): string {
  return Buffer.concat([mac(last, bucket, key), Buffer.from(last)]).toString('base64url');
}

function readToken(token: string, bucket: string, key: Buffer): string {
  const bytes = Buffer.from(token, 'base64url');
  const last = bytes.subarray(macBytes).toString('utf8');
  const isOurs =
    bytes.byteLength > macBytes &&
    bytes.toString('base64url') === token &&
    timingSafeEqual(bytes.subarray(0, macBytes), mac(last, bucket, key));
  if (isOurs) return last;
  throw serviceError('InvalidArgument', {
    message: 'The continuation token provided is incorrect',
    elements: { ArgumentName: 'continuation-token' },
  });
}

function mac(last: string, bucket: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`${bucket}\0${last}`).digest().subarray(0, macBytes);
}

function htmlAnswer(): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>',
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  integerParameter,
  requireBucket,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';
import { escapeXml, escapeXmlLoosely, isXmlText, listingEncode } from '../encoding.ts';
import { serviceError } from '../service-errors.ts';
import type { ListedObject, ListPage } from '../store/model.ts';
import { document, element } from '../xml.ts';
import { isoTime } from './attribute-operations.ts';
import { owner } from './bucket-operations.ts';
import { assertNever } from '../../../shared/assert-never.ts';

/** The default and maximum value of max-keys (spec §8). */
export const largestPage = 1000;
const macBytes = 12;

/** Lists objects, version 1 (spec §4.2). Throws `InvalidArgument` for an unknown encoding. */
export function listObjects(context: RequestContext): OperationResponse {
  if (context.state.quirks.listing === 'html') return htmlResponse();
  const marker = context.query.get('marker') ?? '';
  const { page, keys, head } = readPage(context, marker === '' ? null : marker);
  const next = page.isTruncated && sendsNextMarker(context) ? lastEntry(page) : null;
  return xmlResponse(
    document(
      'ListBucketResult',
      head +
        keys.element('Marker', marker) +
        keys.element('NextMarker', next) +
        element('IsTruncated', String(page.isTruncated)) +
        entries(context, page, keys),
    ),
  );
}

/** Lists objects, version 2 (spec §4.1). Throws `NotImplemented` if that quirk is set. */
export function listObjectsV2(context: RequestContext): OperationResponse {
  const { quirks, tokenKey } = context.state;
  if (quirks.listV2 === 'not-implemented') throw serviceError('NotImplemented');
  if (quirks.listV2 === 'treated-as-v1') return listObjects(context);
  if (quirks.listing === 'html') return htmlResponse();
  const token = context.query.get('continuation-token');
  const startAfter = context.query.get('start-after');
  // A token takes precedence over start-after.
  const after = token === undefined ? startAfter : readToken(token, context.bucket, tokenKey);
  const { page, keys, head } = readPage(context, after === undefined || after === '' ? null : after);
  const last = page.isTruncated && quirks.nextContinuationToken === 'always' ? lastEntry(page) : null;
  return xmlResponse(
    document(
      'ListBucketResult',
      head +
        element('KeyCount', page.rows.length + page.commonPrefixes.length) +
        element('IsTruncated', String(page.isTruncated)) +
        element('ContinuationToken', token) +
        element('NextContinuationToken', last === null ? null : makeToken(last, context.bucket, tokenKey)) +
        keys.element('StartAfter', startAfter ?? null) +
        entries(context, page, keys),
    ),
  );
}

interface ReadPage {
  readonly page: ListPage<ListedObject>;
  readonly keys: KeyEncoding;
  /** The elements that listings of both versions have. */
  readonly head: string;
}

function readPage(context: RequestContext, after: string | null): ReadPage {
  const bucket = requireBucket(context);
  const prefix = context.query.get('prefix') ?? '';
  const delimiter = context.query.get('delimiter') ?? '';
  const maxKeys = integerParameter(context, 'max-keys', largestPage, Number.MAX_SAFE_INTEGER);
  const keys = keyEncoding(context);
  const limit = Math.min(maxKeys, largestPage);
  const page = context.state.store.list(bucket.id, { prefix, delimiter, after, limit });
  // MaxKeys repeats the parameter, even if the page is limited to fewer keys (spec §2).
  const head =
    element('Name', context.bucket) +
    keys.element('Prefix', prefix) +
    keys.element('Delimiter', delimiter === '' ? null : delimiter) +
    keys.encodingType +
    element('MaxKeys', maxKeys);
  return { page, keys, head };
}

export interface KeyEncoding {
  /** Returns an element with a key, a prefix or a marker; '' for null. */
  readonly element: (name: string, text: string | null) => string;
  /** The element EncodingType; '' if encoding-type was not requested (spec §2). */
  readonly encodingType: string;
}

/**
 * Returns how a listing encodes keys. Throws InvalidArgument for an encoding-type other than `url`. Without an encoding,
 * `element` throws InvalidRequest for text that XML 1.0 cannot contain.
 */
export function keyEncoding(context: RequestContext): KeyEncoding {
  const stated = context.query.get('encoding-type');
  if (stated !== undefined && stated !== 'url') {
    throw serviceError('InvalidArgument', {
      message: 'Invalid Encoding Method specified in Request',
      elements: { ArgumentName: 'encoding-type', ArgumentValue: stated },
    });
  }
  const { encodingType, spaceEncoding } = context.state.quirks;
  const isEncoded = stated === 'url' && encodingType === 'honoured';
  const write = isEncoded
    ? (text: string) => listingEncode(text, spaceEncoding)
    : stated === 'url'
      ? escapeXmlLoosely
      : escapeKey;
  return {
    element: (name, text) => (text === null ? '' : `<${name}>${write(text)}</${name}>`),
    encodingType: isEncoded ? element('EncodingType', 'url') : '',
  };
}

function escapeKey(text: string): string {
  if (isXmlText(text)) return escapeXml(text);
  throw serviceError('InvalidRequest', {
    message: `XML 1.0 cannot carry ${JSON.stringify(text)}. Request the listing with encoding-type=url.`,
  });
}

function entries(context: RequestContext, page: ListPage<ListedObject>, keys: KeyEncoding): string {
  const ownerXml = context.query.get('fetch-owner') === 'true' ? owner : '';
  let xml = '';
  for (const row of page.rows) {
    xml +=
      `<Contents>${keys.element('Key', row.key)}<LastModified>${isoTime(row.modifiedMs)}</LastModified>` +
      `<ETag>&quot;${row.etag}&quot;</ETag><Size>${row.sizeBytes}</Size>${ownerXml}` +
      `<StorageClass>${row.storageClass}</StorageClass></Contents>`;
  }
  for (const prefix of page.commonPrefixes) {
    xml += prefixXml(prefix, keys);
  }
  return xml;
}

export function prefixXml(prefix: string, keys: KeyEncoding): string {
  return `<CommonPrefixes>${keys.element('Prefix', prefix)}</CommonPrefixes>`;
}

/** Returns the last entry of a page in byte order: its last key or last common prefix. */
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

/** Returns a token that contains the last entry of the page and a MAC that only this service can compute. */
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

function htmlResponse(): OperationResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>',
  };
}

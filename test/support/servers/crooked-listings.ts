import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { objectPages, pagesOf, versionPages } from '../../../electron/core/s3/listing/pages.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { escapeXml } from '../../../electron/core/s3/xml/render.ts';

/** A page as the server sends it: entries in XML, and the number of the next page. */
export interface CrookedPage {
  readonly entries: readonly string[];
  /** The index of the next page. If absent, the following page, if any. */
  readonly next?: number;
}

/** Changes a correct listing: pages of entries in XML, in order. */
export interface CrookedPlan {
  readonly pages: (pages: readonly CrookedPage[]) => readonly CrookedPage[];
  /** The handling of `start-after`; directory buckets refuse it. */
  readonly startAfter?: 'honoured' | 'ignored' | 'refused';
}

export interface CrookedListings {
  readonly endpoint: string;
  /** The number of requested pages. */
  readonly asked: number;
  plan: CrookedPlan;
  close(): Promise<void>;
}

/**
 * Starts a service on 127.0.0.1 whose listings of objects, versions and uploads follow a plan. Forwards all other requests to
 * the service behind it. Every token is new, so that a repeated page can only be detected by its entries.
 */
export async function startCrookedListings(
  behind: string,
  client: S3Client,
  options: { readonly pageSize: number },
): Promise<CrookedListings> {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(behind);
  const remembered = new Map<string, readonly string[]>();
  const state = { asked: 0, plan: { pages: (pages) => pages } as CrookedPlan };

  const listed = async (bucket: string, query: URLSearchParams): Promise<string | null> => {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? undefined;
    const { startAfter = 'honoured' } = state.plan;
    const after = query.get('start-after') ?? '';
    if (after !== '' && startAfter === 'refused') return null;
    const from = startAfter === 'ignored' || query.has('versions') || query.has('uploads') ? '' : after;
    const kind = ['versions', 'uploads'].find((name) => query.has(name)) ?? 'objects';
    const listing = JSON.stringify([kind, bucket, prefix, delimiter, from]);
    // A listing stays valid until a write through this client, or the next listing.
    if (tokenOf(query) === '') remembered.delete(listing);
    const entries =
      remembered.get(listing) ??
      (await entriesOf(client, query, {
        bucket,
        prefix,
        ...(delimiter === undefined ? {} : { delimiter }),
        ...(from === '' ? {} : { startAfter: from }),
      }));
    remembered.set(listing, entries);
    const pages = state.plan.pages(inPages(entries, options.pageSize));
    const at = Number(/^(\d+)-/.exec(tokenOf(query))?.[1] ?? 0);
    const page = pages[at] ?? { entries: [] };
    const next = page.next ?? (at + 1 < pages.length ? at + 1 : null);
    return answerOf(query, page.entries, next === null ? null : `${next}-${state.asked}`);
  };

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', behind);
    const [, bucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/s.exec(decodeURIComponent(url.pathname)) ?? [];
    // Directory buckets support only ListObjectsV2.
    const isV1 =
      request.method === 'GET' &&
      key === '' &&
      !/[?&](?!(?:prefix|delimiter|max-keys|marker|encoding-type|x-id)=)/.test(url.search);
    if (isV1 && bucket !== '' && state.plan.startAfter === 'refused') {
      state.asked += 1;
      response.statusCode = 501;
      response.end('<Error><Code>NotImplemented</Code><Message>No ListObjects here.</Message></Error>');
      return;
    }
    const isListing =
      request.method === 'GET' &&
      bucket !== '' &&
      key === '' &&
      ['list-type', 'versions', 'uploads'].some((name) => url.searchParams.has(name));
    if (!isListing) {
      if (request.method !== 'GET' && request.method !== 'HEAD') remembered.clear();
      const onward = ask(
        {
          agent,
          hostname,
          port,
          method: request.method,
          path: request.url,
          headers: request.rawHeaders,
          setDefaultHeaders: false,
        },
        (got) => {
          response.writeHead(got.statusCode ?? 502, got.rawHeaders);
          got.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      request.pipe(onward);
      return;
    }
    state.asked += 1;
    const body = await listed(bucket, url.searchParams);
    response.setHeader('content-type', 'application/xml');
    if (body === null) {
      response.statusCode = 501;
      response.end('<Error><Code>NotImplemented</Code><Message>No start-after here.</Message></Error>');
    } else response.end(body);
  };
  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return state.asked;
    },
    get plan() {
      return state.plan;
    },
    set plan(plan) {
      state.plan = plan;
      state.asked = 0;
    },
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

interface Place {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter?: string;
  readonly startAfter?: string;
}

/** Returns all entries of the correct listing, in order. */
async function entriesOf(client: S3Client, query: URLSearchParams, place: Place): Promise<readonly string[]> {
  const entries: { readonly name: string; readonly xml: string }[] = [];
  if (query.has('uploads')) {
    const pages = pagesOf(
      async (next: Awaited<ReturnType<S3Client['listMultipartUploads']>>['next']) =>
        await client.listMultipartUploads({ ...place, ...next }),
      (page) => page.next,
    );
    for await (const { uploads } of pages)
      for (const { key, uploadId } of uploads)
        entries.push({
          name: key,
          xml: `<Upload><Key>${escapeXml(key)}</Key><UploadId>${escapeXml(uploadId)}</UploadId></Upload>`,
        });
    return entries.map(({ xml }) => xml);
  }
  if (query.has('versions')) {
    for await (const { versions } of versionPages(client, place))
      for (const { key, versionId, isLatest, isDeleteMarker, sizeBytes, lastModified } of versions)
        entries.push({
          name: key,
          xml: element(isDeleteMarker ? 'DeleteMarker' : 'Version', {
            Key: key,
            VersionId: versionId,
            IsLatest: String(isLatest),
            LastModified: lastModified ?? '',
            ...(sizeBytes === null ? {} : { Size: String(sizeBytes) }),
          }),
        });
    return entries.map(({ xml }) => xml);
  }
  for await (const { objects, commonPrefixes } of objectPages(client, place)) {
    for (const { key, sizeBytes, etag, lastModified } of objects)
      entries.push({ name: key, xml: objectXml(key, String(sizeBytes), etag ?? '', lastModified ?? '') });
    for (const prefix of commonPrefixes)
      entries.push({ name: prefix, xml: `<CommonPrefixes>${element('Prefix', prefix)}</CommonPrefixes>` });
  }
  return entries
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
    .map(({ xml }) => xml);
}

/** Returns an entry of an object listing, for plans that add one. */
export function objectXml(
  key: string,
  size = '1',
  etag = '"e"',
  modified = '2026-01-01T00:00:00.000Z',
): string {
  return element('Contents', {
    Key: key,
    LastModified: modified,
    ETag: etag,
    Size: size,
    StorageClass: 'STANDARD',
  });
}

function element(name: string, content: string | Readonly<Record<string, string>>): string {
  const inside =
    typeof content === 'string'
      ? escapeXml(content)
      : Object.entries(content)
          .map(([child, text]) => element(child, text))
          .join('');
  return `<${name}>${inside}</${name}>`;
}

function inPages(entries: readonly string[], size: number): readonly CrookedPage[] {
  const pages: CrookedPage[] = [];
  for (let at = 0; at < entries.length || at === 0; at += size)
    pages.push({ entries: entries.slice(at, at + size) });
  return pages;
}

function tokenOf(query: URLSearchParams): string {
  return (
    query.get('continuation-token') ?? query.get('version-id-marker') ?? query.get('upload-id-marker') ?? ''
  );
}

/** Builds the response. The token, or the equally opaque id marker, contains the number of the next page. */
function answerOf(query: URLSearchParams, entries: readonly string[], token: string | null): string {
  const [root, next] = query.has('versions')
    ? [
        'ListVersionsResult',
        `<NextKeyMarker>m</NextKeyMarker><NextVersionIdMarker>${token ?? ''}</NextVersionIdMarker>`,
      ]
    : query.has('uploads')
      ? [
          'ListMultipartUploadsResult',
          `<NextKeyMarker>m</NextKeyMarker><NextUploadIdMarker>${token ?? ''}</NextUploadIdMarker>`,
        ]
      : ['ListBucketResult', `<NextContinuationToken>${token ?? ''}</NextContinuationToken>`];
  return (
    `<?xml version="1.0" encoding="UTF-8"?><${root}><IsTruncated>${String(token !== null)}</IsTruncated>` +
    `${token === null ? '' : next}${entries.join('')}</${root}>`
  );
}

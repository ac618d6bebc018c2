import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hash, pad, sizeOf, teamDigitsOf, timeOf, treeKey } from './walk-keys.ts';

/**
 * The message that configures the server process. Its bucket exists only as rendered listing entries, and a page is a slice of
 * them, so that a walk's cost is the client's alone. Keys are ASCII, so that JavaScript's string order is the service's.
 */
export interface WalkServerOptions {
  readonly shape: 'flat' | 'tree';
  readonly keyCount: number;
  readonly latencyMs: number;
  /** The number of files in each folder of a tree, 1000 by default. */
  readonly filesPerFolder?: number;
}

/** The server's work since the previous request for it. */
export interface WalkServerWork {
  readonly requests: number;
  readonly cpuMs: number;
}

const pageSize = 1000;
/** With more entries than this, pages are rendered on request, because the entries would fill the memory. */
const maxRendered = 2_000_000;
const header =
  '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';

class Keys {
  readonly #options: WalkServerOptions;
  /** The rendered entries, or null if they are rendered on request. */
  readonly #entries: Buffer | null;
  readonly #offsets: Float64Array;
  readonly #filesPerFolder: number;
  readonly #teamDigits: number;

  constructor(options: WalkServerOptions) {
    this.#options = options;
    this.#filesPerFolder = options.filesPerFolder ?? 1000;
    this.#teamDigits = teamDigitsOf(options.keyCount, this.#filesPerFolder);
    if (options.keyCount > maxRendered) {
      this.#entries = null;
      this.#offsets = new Float64Array(0);
      return;
    }
    this.#offsets = new Float64Array(options.keyCount + 1);
    const blocks: Buffer[] = [];
    let offset = 0;
    for (let first = 0; first < options.keyCount; first += pageSize) {
      let text = '';
      for (let index = first; index < Math.min(options.keyCount, first + pageSize); index += 1) {
        this.#offsets[index] = offset + text.length;
        text += this.#render(index);
      }
      offset += text.length;
      blocks.push(Buffer.from(text, 'latin1'));
    }
    this.#offsets[options.keyCount] = offset;
    this.#entries = Buffer.concat(blocks);
  }

  get count(): number {
    return this.#options.keyCount;
  }

  key(index: number): string {
    if (this.#options.shape === 'flat') return `events/event-${pad(index, 8)}-${hash(index)}.json`;
    return treeKey(index, this.#filesPerFolder, this.#teamDigits);
  }

  /** Returns the index of the first key after this text. */
  behind(text: string): number {
    let low = 0;
    let high = this.#options.keyCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.key(middle) <= text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  slice(first: number, last: number): Buffer {
    if (this.#entries !== null) return this.#entries.subarray(this.#offsets[first], this.#offsets[last]);
    let text = '';
    for (let index = first; index < last; index += 1) text += this.#render(index);
    return Buffer.from(text, 'latin1');
  }

  #render(index: number): string {
    const etag = hash(index).repeat(4);
    return (
      `<Contents><Key>${this.key(index)}</Key><LastModified>${timeOf(index)}</LastModified>` +
      `<ETag>&quot;${etag}&quot;</ETag><Size>${String(sizeOf(index))}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    );
  }
}

interface Page {
  readonly body: readonly Buffer[];
}

const bucketList: Page = {
  body: [
    Buffer.from(
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListAllMyBucketsResult><Owner><ID>bench</ID></Owner><Buckets><Bucket>' +
        '<Name>bench</Name><CreationDate>2026-01-01T00:00:00.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>',
    ),
  ],
};

/** Caches listings with a delimiter, so that they cost the server next to nothing too. */
const folders = new Map<string, Page>();

function pageOf(keys: Keys, query: URLSearchParams): Page {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const isV2 = query.get('list-type') === '2';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? query.get('marker') ?? '';
  const limit = Math.min(pageSize, Number(query.get('max-keys') ?? pageSize));
  const first = after > prefix ? keys.behind(after) : firstOf(keys, prefix);
  if (delimiter === '') {
    const end = Math.min(endOf(keys, prefix), first + limit);
    return rendered(keys, first, Math.max(first, end), '', end < endOf(keys, prefix), isV2);
  }
  const name = JSON.stringify([prefix, after, limit, isV2]);
  const known = folders.get(name);
  if (known !== undefined) return known;
  const made = folderPage(keys, prefix, first, limit, isV2);
  folders.set(name, made);
  return made;
}

function folderPage(keys: Keys, prefix: string, first: number, limit: number, isV2: boolean): Page {
  const end = endOf(keys, prefix);
  let prefixes = '';
  let count = 0;
  let at = first;
  while (at < end && count < limit) {
    const slash = keys.key(at).indexOf('/', prefix.length);
    // A folder of this tree contains either folders or files.
    if (slash === -1) return rendered(keys, at, Math.min(end, at + limit), '', at + limit < end, isV2);
    const folder = keys.key(at).slice(0, slash + 1);
    prefixes += `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`;
    count += 1;
    at = keys.behind(`${folder}\u{7f}`);
  }
  return rendered(keys, at, at, prefixes, at < end, isV2);
}

function firstOf(keys: Keys, prefix: string): number {
  return prefix === ''
    ? 0
    : keys.behind(
        `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) - 1)}\u{7f}`,
      );
}

function endOf(keys: Keys, prefix: string): number {
  return prefix === '' ? keys.count : keys.behind(`${prefix}\u{7f}`);
}

function rendered(
  keys: Keys,
  first: number,
  last: number,
  prefixes: string,
  isTruncated: boolean,
  isV2: boolean,
): Page {
  const token = isTruncated && last > 0 ? keys.key(last - 1) : '';
  const next = token === '' || !isV2 ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`;
  const before = `${header}<Name>bench</Name><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType><IsTruncated>${String(isTruncated)}</IsTruncated>${next}`;
  return {
    body: [Buffer.from(before), keys.slice(first, last), Buffer.from(`${prefixes}</ListBucketResult>`)],
  };
}

function send(response: ServerResponse, { body }: Page): void {
  const sizeBytes = body.reduce((sum, part) => sum + part.byteLength, 0);
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': sizeBytes });
  response.cork();
  for (const part of body) response.write(part);
  response.end();
  response.uncork();
}

process.once('message', (options: WalkServerOptions) => {
  const keys = new Keys(options);
  let { latencyMs } = options;
  let requests = 0;
  let cpu = process.cpuUsage();
  const server = createServer((request, response) => {
    requests += 1;
    const [pathname, query] = (request.url ?? '').split('?');
    const page = pathname === '/' ? bucketList : pageOf(keys, new URLSearchParams(query));
    if (latencyMs === 0) send(response, page);
    else setTimeout(() => send(response, page), latencyMs);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  );
  process.on('message', (next: { readonly latencyMs: number }) => {
    ({ latencyMs } = next);
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({ requests, cpuMs: (user + system) / 1000 } satisfies WalkServerWork);
    requests = 0;
    cpu = process.cpuUsage();
  });
});
process.once('disconnect', () => process.exit(0));

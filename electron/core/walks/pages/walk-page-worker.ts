import { parentPort } from 'node:worker_threads';
import { compileQuery, type Matcher } from './matcher.ts';
import type { PageResponse, PageContent, PageSum, PageTask, PageOptions } from './page-messages.ts';
import { tallyFolder, tallyFolderQuickly } from './folder-tally.ts';
import { tallyObjects, tallyQuickly, type TallyOptions } from './page-tally.ts';

/** The port of this thread, which parses listing pages and tests each key against the query. */
const port = parentPort;
if (port === null) throw new Error('walk-page-worker runs as a worker thread only.');

const maxMatchers = 16;
const memories = new Map<number, SharedArrayBuffer>();
const matchers = new Map<string, Matcher>();

port.on('message', (task: PageTask) => {
  const sum = tallyWithFastParser(task);
  if (sum === null) void tallyWithSlowParser(task).then(answer);
  else answer({ id: task.id, kind: 'sum', sum });
});

function answer(message: PageResponse): void {
  const sums = message.kind === 'sum' ? [message.sum.rows, message.sum.keyPage] : [];
  port?.postMessage(
    message,
    sums.flatMap((bytes) => (bytes === null ? [] : [bytes.buffer])),
  );
}

/** Parses the page with the fast parser. Returns null for an unusual or invalid page, which the slow parser handles. */
function tallyWithFastParser({ content, ...task }: PageTask): PageSum | null {
  try {
    return content.kind === 'objects'
      ? tallyObjects(content.objects, true, optionsFor(task))
      : task.pageOptions.delimiter === undefined
        ? tallyQuickly(bytesOf(content), optionsFor(task))
        : tallyFolderQuickly(bytesOf(content), optionsFor(task));
  } catch {
    // The slow parser will fail on it too and report the error.
    return null;
  }
}

async function tallyWithSlowParser({ content, ...task }: PageTask): Promise<PageResponse> {
  const { id } = task;
  const { toAppError } = await import('../../../../shared/errors.ts');
  try {
    const sum =
      content.kind === 'objects'
        ? tallyObjects(content.objects, true, optionsFor(task))
        : await tallySlowly(bytesOf(content), optionsFor(task), task.pageOptions.delimiter !== undefined);
    return sum === null ? { id, kind: 'foreign' } : { id, kind: 'sum', sum };
  } catch (thrown) {
    return { id, kind: 'failed', error: toAppError(thrown) };
  }
}

/**
 * Parses a page that the fast parser rejected, with the client's XML parser, which is loaded only here because it takes 15 MB in
 * each thread. Returns null if the body is not a listing. Throws `AppError('protocol')` for a damaged listing.
 */
async function tallySlowly(bytes: Buffer, options: TallyOptions, isFolder: boolean): Promise<PageSum | null> {
  const { readListing, requireReadable } = await import('../../s3/xml/listing-response.ts');
  const { parseXml } = await import('../../s3/xml/parse.ts');
  const root = parseXml(bytes);
  if (root.name !== 'ListBucketResult') return null;
  const listing = readListing(root);
  requireReadable(listing.unreadable);
  if (isFolder) return tallyFolder(listing, options);
  return tallyObjects(listing.objects, listing.isTruncated, options);
}

function optionsFor({ pageOptions, after, through }: Omit<PageTask, 'content'>): TallyOptions {
  return {
    prefix: pageOptions.prefix,
    matcher: matcherFor(pageOptions),
    isForMap: pageOptions.isForMap === true,
    after,
    through,
  };
}

function bytesOf(content: PageContent & { kind: 'body' }): Buffer {
  return Buffer.from(memoryOf(content), 0, content.sizeBytes);
}

/**
 * Returns the shared memory of a page. Reused memory is sent once and kept, because sending it costs more than the rest of a
 * message.
 */
function memoryOf(content: PageContent & { kind: 'body' }): SharedArrayBuffer {
  const buffer = content.buffer ?? memories.get(content.memory);
  if (buffer === undefined) throw new Error('This memory was never sent.');
  if (content.isReusable) memories.set(content.memory, buffer);
  return buffer;
}

function matcherFor(pageOptions: PageOptions): Matcher | null {
  if (pageOptions.query === null) return null;
  const known = matchers.get(pageOptions.walkId);
  if (known !== undefined) return known;
  const matcher = compileQuery(pageOptions.query, pageOptions.patternPrefix ?? pageOptions.prefix);
  if (matchers.size >= maxMatchers) matchers.clear();
  matchers.set(pageOptions.walkId, matcher);
  return matcher;
}

import { readZip } from '../../renderer/features/viewers/archive/zip.ts';
import { isHeader } from '../../renderer/features/viewers/archive/tar-header.ts';
import { tarReader } from '../../renderer/features/viewers/archive/tar.ts';
import type { ArchiveEntry } from '../../renderer/features/viewers/archive/archive.ts';
import { detectEncoding } from '../../renderer/features/viewers/encoding/detect-encoding.ts';
import { decodeText } from '../../renderer/features/viewers/encoding/text-encoding.ts';
import { memorySource } from '../../renderer/features/viewers/frame/range-source.ts';
import { imageTypeOf } from '../../renderer/features/viewers/image/parts/image-type.ts';
import { maxSvgWork } from '../../renderer/features/viewers/image/worker/image-messages.ts';
import { decodeTiff } from '../../renderer/features/viewers/image/worker/tiff.ts';
import { xmlText, svgWork } from '../../renderer/features/viewers/image/worker/svg-work.ts';
import { markedCompression } from '../../renderer/features/viewers/packed/compression.ts';
import { unpack } from '../../renderer/features/viewers/packed/unpack.ts';
import { validJsonTree } from '../../renderer/features/viewers/tree/json-tree.ts';
import { xmlTree } from '../../renderer/features/viewers/tree/xml-tree.ts';
import { yamlTrees } from '../../renderer/features/viewers/tree/yaml-tree.ts';
import { readArrow, readParquet } from './table-readers.ts';

export interface CorpusOutcome {
  readonly kind: string;
  /** `remark`: shown, with a note that something is wrong with it. */
  readonly outcome: 'shown' | 'remark' | 'refused' | 'skipped';
  readonly detail: string;
}

type Reader = (bytes: Uint8Array<ArrayBuffer>, file: string) => Promise<Omit<CorpusOutcome, 'kind'>>;

const { signal } = new AbortController();
const maxUnpackedBytes = 32_000_000;
const maxEntryBytes = 64_000_000;

/** Reads one file as its viewer does. Decodes a uuencoded file first. */
export async function readCorpusFile(file: string, stored: Uint8Array<ArrayBuffer>): Promise<CorpusOutcome> {
  const bytes = file.endsWith('.uu') ? uudecoded(stored) : stored;
  const [kind, read] = readerOf(file.replace(/\.uu$/, ''), bytes);
  try {
    return { kind, ...(await read(bytes, file)) };
  } catch (thrown) {
    return { kind, outcome: 'refused', detail: String(thrown) };
  }
}

function readerOf(name: string, bytes: Uint8Array<ArrayBuffer>): readonly [string, Reader] {
  if (startsWith(bytes, 'PAR1'))
    return ['parquet', async (all, file) => tableOutcome(await readParquet(file, all))];
  if (startsWith(bytes, 'ARROW1') || /\.(?:arrow_file|stream|arrow)$/.test(name))
    return ['arrow', async (all) => tableOutcome(await readArrow(all))];
  const compression = markedCompression(bytes);
  if (compression !== null) return [compression, packed];
  const image = imageTypeOf(bytes);
  if (image === 'image/tiff') return ['tiff', tiff];
  if (image === 'image/svg+xml') return ['svg', svg];
  if (isHeader(bytes.subarray(0, 512))) return ['tar', tar];
  if (startsWith(bytes, 'PK')) return ['zip', zip];
  const extension = /\.(?<extension>[^./]+)$/.exec(name.toLowerCase())?.groups?.['extension'] ?? '';
  return byExtension.get(extension) ?? ['other', async () => await shown('', 'skipped')];
}

const text: Reader = async (bytes) => await shown(encodingOf(bytes));
const yaml: Reader = async (bytes) => await treeOutcome(yamlTrees(textOf(bytes)));

const byExtension = new Map<string, readonly [string, Reader]>([
  ['zip', ['zip', zip]],
  ['tar', ['tar', tar]],
  ['json', ['json', json]],
  ['xml', ['xml', async (bytes) => await treeOutcome(xmlTree(textOf(bytes)))]],
  ['yaml', ['yaml', yaml]],
  ['yml', ['yaml', yaml]],
  ['txt', ['text', text]],
  ['csv', ['text', text]],
  ['md', ['text', text]],
  ['log', ['text', text]],
]);

async function json(bytes: Uint8Array<ArrayBuffer>) {
  const text = textOf(bytes);
  JSON.parse(text);
  validJsonTree(text);
  return await shown(encodingOf(bytes));
}

interface TableOutcome {
  readonly columns: readonly unknown[];
  readonly rowCount: number;
  readonly problems: readonly string[];
  readonly differences: readonly string[];
}

function tableOutcome({
  columns,
  rowCount,
  problems,
  differences,
}: TableOutcome): Omit<CorpusOutcome, 'kind'> {
  const detail = `${String(rowCount)} rows, ${String(columns.length)} columns`;
  const remarks = [...problems, ...differences.map((each) => `DIFFERS ${each}`)];
  return { outcome: remarks.length === 0 ? 'shown' : 'remark', detail: [detail, ...remarks].join('; ') };
}

function startsWith(bytes: Uint8Array, mark: string): boolean {
  return Buffer.from(bytes.subarray(0, mark.length)).toString('latin1') === mark;
}

/** Decodes uuencode. Each line has a length, and then groups of four letters that encode three bytes. */
function uudecoded(stored: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const line of Buffer.from(stored).toString('latin1').split(/\r?\n/)) {
    if (/^(?:begin \d+ .*|end|)$/.test(line)) continue;
    const codes = Array.from(line, (letter) => (letter.charCodeAt(0) - 32) & 63);
    const length = codes[0] ?? 0;
    const from = bytes.length;
    for (let at = 1; at < codes.length; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = codes.slice(at, at + 4);
      bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
    }
    bytes.length = Math.min(bytes.length, from + length);
  }
  return Uint8Array.from(bytes);
}

async function shown(
  detail: string,
  outcome: CorpusOutcome['outcome'] = 'shown',
): Promise<Omit<CorpusOutcome, 'kind'>> {
  return await Promise.resolve({ outcome, detail });
}

async function treeOutcome(tree: readonly unknown[] | null): Promise<Omit<CorpusOutcome, 'kind'>> {
  return tree === null ? await shown('not well-formed', 'refused') : await shown('');
}

function encodingOf(bytes: Uint8Array): string {
  return detectEncoding(bytes).encoding;
}

function textOf(bytes: Uint8Array): string {
  return decodeText(bytes, detectEncoding(bytes));
}

async function packed(bytes: Uint8Array<ArrayBuffer>) {
  const compression = markedCompression(bytes) ?? 'brotli';
  const found = await unpack(memorySource(bytes), compression, maxUnpackedBytes, signal);
  return await shown(
    `${String(found.bytes.length)} bytes${found.remark === null ? '' : `, ${found.remark}`}`,
    found.remark === null ? 'shown' : 'remark',
  );
}

async function tiff(bytes: Uint8Array<ArrayBuffer>) {
  const response = decodeTiff(bytes, 0);
  if (response.kind !== 'picture') return await shown(response.kind, 'refused');
  return await shown(`${String(response.picture.width)} × ${String(response.picture.height)}`);
}

async function svg(bytes: Uint8Array<ArrayBuffer>) {
  const work = svgWork(xmlText(bytes));
  return await shown(`work ${String(work)}`, work > maxSvgWork ? 'refused' : 'shown');
}

async function zip(bytes: Uint8Array<ArrayBuffer>) {
  const { entries, state } = await readZip(memorySource(bytes), signal, null, unpack);
  return await entriesOutcome(entries, state === 'cut');
}

async function tar(bytes: Uint8Array<ArrayBuffer>) {
  const reader = tarReader(memorySource(bytes));
  while (reader.state === 'open') await reader.more(signal, 1000);
  return await entriesOutcome(reader.entries, reader.state === 'cut');
}

/** Opens each entry that can be opened, and returns the problems found. */
async function entriesOutcome(entries: readonly ArchiveEntry[], isCut: boolean) {
  const problems: string[] = isCut ? ['cut'] : [];
  for (const entry of entries) {
    if (entry.isFolder || entry.closed !== null || entry.sizeBytes > maxEntryBytes) continue;
    try {
      const { source, isDamaged } = await entry.open(signal);
      await source.read(0, source.sizeBytes, signal);
      if (isDamaged) problems.push(`${entry.name}: checksum`);
    } catch (thrown) {
      problems.push(`${entry.name}: ${String(thrown)}`);
    }
  }
  const detail = [`${String(entries.length)} entries`, ...problems].join('; ');
  return await shown(detail, problems.length === 0 ? 'shown' : 'remark');
}

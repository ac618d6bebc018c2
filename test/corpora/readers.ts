import { readZip } from '../../renderer/features/viewers/archive/zip.ts';
import { isHeader } from '../../renderer/features/viewers/archive/tar-header.ts';
import { tarReader } from '../../renderer/features/viewers/archive/tar.ts';
import type { ArchiveEntry } from '../../renderer/features/viewers/archive/archive.ts';
import { detectEncoding } from '../../renderer/features/viewers/encoding/detect-encoding.ts';
import { decodeText } from '../../renderer/features/viewers/encoding/text-encoding.ts';
import { memorySource } from '../../renderer/features/viewers/frame/range-source.ts';
import { imageTypeOf } from '../../renderer/features/viewers/image/parts/image-type.ts';
import { svgWork } from '../../renderer/features/viewers/image/worker/svg-work.ts';
import { maxSvgWork } from '../../renderer/features/viewers/image/worker/svg-limits.ts';
import { decodeTiff } from '../../renderer/features/viewers/image/worker/tiff.ts';
import { xmlText } from '../../renderer/features/viewers/image/worker/xml-text.ts';
import { markedPacking } from '../../renderer/features/viewers/packed/packing.ts';
import { unpack } from '../../renderer/features/viewers/packed/unpack.ts';
import { xmlTree } from '../../renderer/features/viewers/tree/xml-tree.ts';
import { yamlTrees } from '../../renderer/features/viewers/tree/yaml-tree.ts';

export interface CorpusOutcome {
  readonly kind: string;
  /** `remark`: shown, with a note that something is wrong with it. */
  readonly outcome: 'shown' | 'remark' | 'refused' | 'skipped';
  readonly detail: string;
}

type Reader = (bytes: Uint8Array<ArrayBuffer>) => Promise<Omit<CorpusOutcome, 'kind'>>;

const { signal } = new AbortController();
const maxUnpackedBytes = 32_000_000;
const maxEntryBytes = 64_000_000;

/** Reads one file as its viewer does. */
export async function readCorpusFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<CorpusOutcome> {
  const [kind, read] = readerOf(name, bytes);
  try {
    return { kind, ...(await read(bytes)) };
  } catch (thrown) {
    return { kind, outcome: 'refused', detail: String(thrown) };
  }
}

function readerOf(name: string, bytes: Uint8Array<ArrayBuffer>): readonly [string, Reader] {
  const packing = markedPacking(bytes);
  if (packing !== null) return [packing, packed];
  const image = imageTypeOf(bytes);
  if (image === 'image/tiff') return ['tiff', tiff];
  if (image === 'image/svg+xml') return ['svg', svg];
  if (isHeader(bytes.subarray(0, 512))) return ['tar', tar];
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return ['zip', zip];
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
  JSON.parse(textOf(bytes));
  return await shown(encodingOf(bytes));
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
  const packing = markedPacking(bytes) ?? 'brotli';
  const found = await unpack(memorySource(bytes), packing, maxUnpackedBytes, signal);
  return await shown(
    `${String(found.bytes.length)} bytes${found.remark === null ? '' : `, ${found.remark}`}`,
    found.remark === null ? 'shown' : 'remark',
  );
}

async function tiff(bytes: Uint8Array<ArrayBuffer>) {
  const answer = decodeTiff(bytes, 0);
  if (answer.kind !== 'picture') return await shown(answer.kind, 'refused');
  return await shown(`${String(answer.picture.width)} × ${String(answer.picture.height)}`);
}

async function svg(bytes: Uint8Array<ArrayBuffer>) {
  const work = svgWork(xmlText(bytes));
  return await shown(`work ${String(work)}`, work > maxSvgWork ? 'refused' : 'shown');
}

async function zip(bytes: Uint8Array<ArrayBuffer>) {
  const { entries, isCut } = await readZip(memorySource(bytes), signal);
  return await entriesOutcome(entries, isCut);
}

async function tar(bytes: Uint8Array<ArrayBuffer>) {
  const reader = tarReader(memorySource(bytes));
  while (reader.state === 'open') await reader.more(1000, signal);
  return await entriesOutcome(reader.entries, reader.state === 'cut');
}

/** Opens each entry that can be opened. */
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

import { sampleFormats } from '../../../electron/service/samples/formats.ts';
import { pick, seededRandom } from '../../../electron/service/samples/random.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';

const elsewhere = 'http://127.0.0.1:9/seen';
/** Content that must never run or be requested, to insert into the middle of a file. */
const planted = [
  '<script>MARK()</script>',
  `"><img src="${elsewhere}" onerror="MARK()">`,
  `<image href="${elsewhere}.png"/><foreignObject><iframe src="${elsewhere}"/></foreignObject>`,
  `![a](${elsewhere}.png) <iframe src="javascript:MARK()"></iframe>`,
  `<!DOCTYPE a [<!ENTITY b SYSTEM "${elsewhere}">]>&b;`,
  `*a: !!js/function "MARK()"`,
  '{"__proto__":{"a":'.repeat(2000),
  '&a *a '.repeat(2000),
] as const;

/**
 * Returns two randomly changed files of each kind of sample, such as `1-survey.zip`. Sets lengths to the maximum or a negative
 * value, drops, doubles or swaps pieces, flips bits, and inserts texts that try to run code or send requests.
 */
export function changedSamples(seed: string): Readonly<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const { key, text } of sampleFormats())
    for (const round of [1, 2]) {
      const name = `${String(round)}-${lastSegment(key)}`;
      files[name] = changed(Buffer.from(text as string), seededRandom(`${seed} ${name}`));
    }
  return files;
}

function changed(whole: Buffer, random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(whole);
  const times = 1 + Math.floor(random() * 6);
  for (let change = 0; change < times; change += 1) bytes = changedOnce(bytes, random);
  // Never returns an empty file, which would not be recognised as its kind.
  return bytes.byteLength === 0 ? whole.subarray(0, 16) : bytes;
}

function changedOnce(bytes: Buffer, random: () => number): Buffer {
  // Makes half of the changes near the start or end, where headers and footers have their lengths.
  const size = bytes.byteLength;
  const place = pick(random, ['start', 'end', 'any', 'any']);
  const within = Math.floor(random() * Math.min(size, place === 'any' ? size : 200));
  const at = place === 'end' ? Math.max(0, size - within - 1) : within;
  const length = Math.floor(random() * 64);
  const copy = Buffer.from(bytes);
  switch (pick(random, ['number', 'bits', 'cut', 'lose', 'double', 'plant', 'swap'])) {
    case 'number':
      return Buffer.from(
        copy.fill(
          pick(random, [0x00, 0x7f, 0x80, 0xff]),
          at,
          Math.min(size, at + pick(random, [1, 2, 4, 8])),
        ),
      );
    case 'bits':
      for (let bit = 0; bit < 8; bit += 1) {
        const turned = Math.min(size - 1, at + Math.floor(random() * 32));
        copy[turned] = (copy[turned] ?? 0) ^ (1 << Math.floor(random() * 8));
      }
      return copy;
    case 'cut':
      return copy.subarray(0, Math.max(16, at));
    case 'lose':
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + length)]);
    case 'double':
      return Buffer.concat([
        copy.subarray(0, at),
        ...Array.from({ length: 200 }, () => copy.subarray(at, at + length)),
        copy.subarray(at),
      ]);
    case 'plant':
      return Buffer.concat([copy.subarray(0, at), Buffer.from(pick(random, planted)), copy.subarray(at)]);
    default:
      return Buffer.concat([
        copy.subarray(0, at),
        copy.subarray(at + length, at + 2 * length),
        copy.subarray(at, at + length),
        copy.subarray(at + 2 * length),
      ]);
  }
}

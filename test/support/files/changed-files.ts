import { seededRandom } from '../../../electron/service/samples/random.ts';

export interface Change {
  readonly name: string;
  readonly ending: string;
  /** Number of bytes at the end in which every second file is changed, since columnar formats have their metadata there. */
  readonly endBytes: number;
}

/** Returns copies of a file with more and more random changes. They are the same in every run. */
export function changedFiles(
  plain: Uint8Array,
  count: number,
  { name, ending, endBytes }: Change,
): Readonly<Record<string, Uint8Array>> {
  const random = seededRandom(`hostile ${name}`);
  const files: Record<string, Uint8Array> = {};
  for (let file = 0; file < count; file += 1) {
    const bytes = plain.slice();
    const [from, span] =
      file % 2 === 0 ? [4, bytes.length - endBytes - 4] : [bytes.length - endBytes, endBytes - 10];
    for (let change = 0; change < 1 + file * 2; change += 1)
      bytes[from + Math.floor(random() * span)] = random() < 0.5 ? 255 : Math.floor(random() * 256);
    files[`${name}-${String(file)}.${ending}`] = bytes;
  }
  return files;
}

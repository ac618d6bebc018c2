import type { Plugin } from 'vite';

/** Patches that limit counts from a file, which the decoder would otherwise trust (hyparquet 1.31.5). */
const bounds: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'encoding.js': [
    ['const count = header >>> 1', 'const count = Math.min(header >>> 1, output.length - seen)'],
    [
      'let count = header >> 1 << 3',
      'let count = Math.max(0, Math.min(header >> 1 << 3, output.length - seen + 7))',
    ],
  ],
  // Shows a time of unknown unit as the stored number, so that the other columns stay readable.
  'metadata.js': [["throw new Error('parquet time unit required')", 'return undefined']],
  // Limits the total length, since each value may repeat the whole previous value.
  'delta.js': [
    // The first value of an unsigned column may need 33 bits, as differences do.
    [
      'let value = readZigZag(reader)\n  let outputIndex',
      'let value = readZigZagInt33(reader)\n  let outputIndex',
    ],
    [
      '// copy from previous value',
      "reader.copied = (reader.copied ?? 0) + prefixData[i]; if (reader.copied > 256e6) throw new Error('parquet page too large')",
    ],
  ],
};

/** Patches the Parquet decoder so that a hostile file can neither declare a run longer than its page nor use up all memory. */
export function boundedDecoder(): Plugin {
  return {
    name: 'cooper:bounded-decoder',
    enforce: 'pre',
    transform: (code, id) => {
      const name = /[\\/]hyparquet[\\/]src[\\/]([a-z]+\.js)(?:\?.*)?$/u.exec(id)?.[1] ?? '';
      const changes = bounds[name];
      if (changes === undefined) return null;
      let bounded = code;
      for (const [run, within] of changes) {
        if (!bounded.includes(run)) throw new Error(`hyparquet reads otherwise than it did: ${run}`);
        bounded = bounded.replace(run, within);
      }
      return { code: bounded, map: null };
    },
  };
}

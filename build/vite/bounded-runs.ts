import type { Plugin } from 'vite';

/** A run of hyparquet's decoder, and what bounds it: a file may claim runs of any length (hyparquet 1.31.5, src/encoding.js). */
const bounds: readonly (readonly [string, string])[] = [
  ['const count = header >>> 1', 'const count = Math.min(header >>> 1, output.length - seen)'],
  [
    'let count = header >> 1 << 3',
    'let count = Math.max(0, Math.min(header >> 1 << 3, output.length - seen + 7))',
  ],
];

/** No run of a Parquet page is longer than the page: a hostile file would keep the window busy for minutes. */
export function boundedRuns(): Plugin {
  return {
    name: 'cooper:bounded-runs',
    enforce: 'pre',
    transform: (code, id) => {
      if (!/[\\/]hyparquet[\\/]src[\\/]encoding\.js$/u.test(id.replace(/\?.*$/u, ''))) return null;
      let bounded = code;
      for (const [run, within] of bounds) {
        if (!bounded.includes(run)) throw new Error(`hyparquet reads runs otherwise than it did: ${run}`);
        bounded = bounded.replace(run, within);
      }
      return { code: bounded, map: null };
    },
  };
}

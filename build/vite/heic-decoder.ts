import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const id = 'virtual:heic-decoder';
const decoder = createRequire(import.meta.url).resolve('libheif-js/libheif-wasm/libheif.wasm');

/** Compresses the HEIC decoder: 0.5 MB instead of 1.4. Importing `virtual:heic-decoder` returns its URL. */
export function packedHeicDecoder(): Plugin {
  const source = gzipSync(readFileSync(decoder), { level: 9 });
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  const fileName = `assets/libheif-${hash}.wasm.gz`;
  return {
    name: 'cooper:heic-decoder',
    resolveId: (asked) => (asked === id ? `\0${id}` : null),
    load: (asked) => (asked === `\0${id}` ? `export default ${JSON.stringify(`/${fileName}`)};` : null),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

const nothing = '\0cooper:nothing';

/** Replaces the decoder's imports of Node modules with empty ones, since a worker of the window has no Node. */
export function heicDecoderWithoutNode(): Plugin {
  return {
    name: 'cooper:heic-decoder-without-node',
    enforce: 'pre',
    resolveId: (asked, importer) =>
      importer?.includes('libheif-js') === true && ['fs', 'path', 'crypto'].includes(asked) ? nothing : null,
    load: (asked) => (asked === nothing ? 'export default {};' : null),
  };
}

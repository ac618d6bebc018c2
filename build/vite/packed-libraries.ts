import { createHash } from 'node:crypto';
import { readFileSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import path from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** WebAssembly modules that the window fetches compressed, by the name under which code imports them. */
const modules: Readonly<Record<string, string>> = {
  /** Compression reduces the module from 1.4 MB to 0.5 MB. */
  'virtual:heic-decoder': resolve('libheif-js/libheif-wasm/libheif.wasm'),
  /** Compression reduces the module from 0.7 MB to 0.3 MB. */
  'virtual:sqlite-engine': resolve('sql.js/dist/sql-wasm-browser.wasm'),
};

/** Compresses the modules. Importing one of their names returns its URL. */
export function packedWasm(): Plugin {
  const files = new Map<string, { readonly source: Buffer; readonly fileName: string }>(
    Object.entries(modules).map(([id, file]) => {
      const source = gzipSync(readFileSync(file), { level: 9 });
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
      const name = /(?<name>[\w-]+)\.wasm$/.exec(file)?.groups?.['name'] ?? 'module';
      return [`\0${id}`, { source, fileName: `assets/${name}-${hash}.wasm.gz` }] as const;
    }),
  );
  return {
    name: 'cooper:packed-wasm',
    resolveId: (moduleId) => (moduleId in modules ? `\0${moduleId}` : null),
    load: (moduleId) => {
      const file = files.get(moduleId);
      return file === undefined ? null : `export default ${JSON.stringify(`/${file.fileName}`)};`;
    },
    generateBundle() {
      for (const { source, fileName } of files.values()) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

const emptyModuleId = '\0cooper:nothing';

/** Replaces the HEIC decoder's imports of Node modules with empty ones, since a worker of the window has no Node. */
export function heicDecoderWithoutNode(): Plugin {
  return {
    name: 'cooper:heic-decoder-without-node',
    enforce: 'pre',
    resolveId: (moduleId, importer) =>
      importer?.includes('libheif-js') === true && ['fs', 'path', 'crypto'].includes(moduleId)
        ? emptyModuleId
        : null,
    load: (moduleId) => (moduleId === emptyModuleId ? 'export default {};' : null),
  };
}

const pdfPartsId = 'virtual:pdf-parts';
const pdfjsFolder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Adds the files that pdf.js loads on demand: character maps of Asian fonts, standard fonts, decoders of JPEG 2000 and JBIG2,
 * colour profiles and icons of notes, with their licences. Leaves out the JavaScript interpreter, since scripts in documents never run. Modules
 * import the folder's address from `virtual:pdf-parts`.
 */
export function pdfParts(): Plugin {
  const names = globSync(['{cmaps,standard_fonts,wasm,iccs}/*', 'web/images/annotation-*.svg'], {
    cwd: pdfjsFolder,
  })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/quickjs|_nowasm_fallback/i.test(name))
    .toSorted();
  const parts = names.map((name) => ({ name, source: readFileSync(path.join(pdfjsFolder, name)) }));
  const hash = createHash('sha256');
  for (const { name, source } of parts) hash.update(name).update(source);
  const address = `assets/pdf-${hash.digest('base64url').slice(0, 8)}`;
  return {
    name: 'cooper:pdf-parts',
    resolveId: (moduleId) => (moduleId === pdfPartsId ? `\0${pdfPartsId}` : null),
    load: (moduleId) =>
      moduleId === `\0${pdfPartsId}` ? `export default ${JSON.stringify(`/${address}/`)};` : null,
    generateBundle() {
      for (const { name, source } of parts)
        this.emitFile({ type: 'asset', fileName: `${address}/${name}`, source });
    },
  };
}

/** Patches that limit counts from a file, which the decoder would otherwise trust (hyparquet 1.31.5). */
const patches: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
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
      const filePatches = patches[name];
      if (filePatches === undefined) return null;
      let patched = code;
      for (const [original, replacement] of filePatches) {
        if (!patched.includes(original))
          throw new Error(`hyparquet reads differently than before: ${original}`);
        patched = patched.replace(original, replacement);
      }
      return { code: patched, map: null };
    },
  };
}

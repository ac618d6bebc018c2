import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const id = 'virtual:pdf-parts';
const folder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Adds the files that pdf.js loads on demand: character maps of Asian fonts, standard fonts, decoders of JPEG 2000 and JBIG2,
 * colour profiles and icons of notes, with their licences. Leaves out the JavaScript interpreter, since scripts in documents never run. Modules
 * import the folder's address from `virtual:pdf-parts`.
 */
export function pdfParts(): Plugin {
  const names = globSync(['{cmaps,standard_fonts,wasm,iccs}/*', 'web/images/annotation-*.svg'], {
    cwd: folder,
  })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/quickjs|_nowasm_fallback/i.test(name))
    .toSorted();
  const parts = names.map((name) => ({ name, source: readFileSync(path.join(folder, name)) }));
  const hash = createHash('sha256');
  for (const { name, source } of parts) hash.update(name).update(source);
  const address = `assets/pdf-${hash.digest('base64url').slice(0, 8)}`;
  return {
    name: 'cooper:pdf-parts',
    resolveId: (asked) => (asked === id ? `\0${id}` : null),
    load: (asked) => (asked === `\0${id}` ? `export default ${JSON.stringify(`/${address}/`)};` : null),
    generateBundle() {
      for (const { name, source } of parts)
        this.emitFile({ type: 'asset', fileName: `${address}/${name}`, source });
    },
  };
}

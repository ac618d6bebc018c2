import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { noncePlaceholder } from '../../electron/host/csp.ts';
import { boundedDecoder, pdfParts, heicDecoderWithoutNode, packedWasm } from './packed-libraries.ts';
import { pagesOfPdfsAlone, withoutUnusedStyles } from './unused-styles.ts';

const root = fileURLToPath(new URL('../../renderer', import.meta.url));
const outDir = fileURLToPath(new URL('../../dist/window', import.meta.url));

/** The build of the window: no inline scripts (the CSP forbids them), hashed names, a nonce for Mantine's style elements. */
export default defineConfig({
  root,
  base: '/',
  publicDir: 'public',
  logLevel: 'warn',
  html: { cspNonce: noncePlaceholder },
  plugins: [react(), packedWasm(), pdfParts(), pagesOfPdfsAlone(), withoutUnusedStyles()],
  worker: { format: 'es', plugins: () => [boundedDecoder(), heicDecoderWithoutNode()] },
  build: {
    outDir,
    emptyOutDir: true,
    target: ['chrome135', 'firefox132', 'safari18.4'],
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Otherwise, each script that loads a lazy part would list all scripts of this part. The lists were a tenth of the first
      // load, and saved only milliseconds, since the scripts come from the same computer. Style sheets must be listed to be
      // loaded at all.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'html' ? dependencies : dependencies.filter((file) => file.endsWith('.css')),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    sourcemap: false,
    rolldownOptions: {
      output: {
        // One file each for all icons and for all that the first window imports. Split by which lazy parts share them, they were
        // 140 files, and requesting those took as long as the rest of the first load.
        codeSplitting: {
          groups: [
            { name: 'icons', test: /lucide-react[\\/]dist[\\/]esm/u },
            { name: 'window', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});

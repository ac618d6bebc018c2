import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { inflate } from '@sparticuz/chromium';

/** Unpacks Chromium. Run with TMPDIR set to an empty folder, since the package unpacks there and reuses existing files. */
const bin = path.join(path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin');
for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
  await inflate(path.join(bin, name));
}

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The marker that @electron/fuses searches for in the binary. After it come the version, length and states of the fuses. */
export const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** The fuses in a shipped Electron, in their order, with '1' for on and '0' for off. */
export const shippedFuses = '10110001';

/** Creates a folder with the file names of an unpacked Electron for Linux. Its binary contains only the fuses. */
export function makeElectronFolder(dir: string): void {
  mkdirSync(path.join(dir, 'locales'), { recursive: true });
  mkdirSync(path.join(dir, 'resources'));
  const wire = Buffer.concat([
    Buffer.from(`${fuseSentinel}\u0001${String.fromCodePoint(shippedFuses.length)}${shippedFuses}`, 'latin1'),
  ]);
  const binary = path.join(dir, 'electron');
  writeFileSync(binary, Buffer.concat([Buffer.from('#!/bin/false\n'), wire, Buffer.alloc(64)]));
  chmodSync(binary, 0o755);
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'node_modules/electron/package.json'), 'utf8'),
  ) as { version: string };
  writeFileSync(path.join(dir, 'version'), version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'chrome_crashpad_handler']) {
    writeFileSync(path.join(dir, name), `${name}\n`);
  }
  for (const name of ['en-US', 'ru', 'fr']) writeFileSync(path.join(dir, 'locales', `${name}.pak`), name);
}

/** Returns the fuses in a binary, with one character for each. */
export function fusesOf(binary: string): string {
  const bytes = readFileSync(binary);
  const at = bytes.indexOf(fuseSentinel) + fuseSentinel.length;
  const length = bytes[at + 1] ?? 0;
  return bytes.subarray(at + 2, at + 2 + length).toString('latin1');
}

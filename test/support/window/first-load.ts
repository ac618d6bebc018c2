import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Returns the scripts of the window's first load: the entry and its static imports, which index.html names. */
export function firstLoadScripts(windowDir: string): readonly string[] {
  const html = readFileSync(path.join(windowDir, 'index.html'), 'utf8');
  const assets = path.join(windowDir, 'assets');
  return readdirSync(assets)
    .filter((file) => file.endsWith('.js') && html.includes(file))
    .map((file) => path.join(assets, file));
}

/** Returns the gzipped size of the first load's scripts, in bytes. */
export function firstLoadBytes(windowDir: string): number {
  return firstLoadScripts(windowDir).reduce((sum, file) => sum + gzipSync(readFileSync(file)).byteLength, 0);
}

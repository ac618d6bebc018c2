#!/usr/bin/env node
// Plain JavaScript, so that any Node version can parse it. Finds Node 24 (the running one, or one installed next to Cooper) and
// runs the built program with it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const neededMajor = 24;
const built = new URL('../dist/browser/command.js', import.meta.url);
const source = new URL('command.ts', import.meta.url);
// A clone that was not built can still run `cooper service`, since it has no window.
const isFromSource = process.argv[2] === 'service' && !existsSync(built) && existsSync(source);
const command = isFromSource ? source : built;
const secondTry = 'COOPER_ON_BROUGHT_NODE';

const brought = Number(process.versions.node.split('.', 1)[0]) >= neededMajor ? null : broughtNode();
if (brought === null) {
  delete process.env[secondTry];
  await import(command.href);
} else if (brought === '' || process.env[secondTry] !== undefined) {
  console.error(
    `Cooper needs Node ${String(neededMajor)} or later; this is Node ${process.versions.node}, and no newer one was ` +
      'installed with Cooper. Install one from https://nodejs.org, then run cooper again.',
  );
  process.exitCode = 1;
} else {
  const child = spawn(brought, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, [secondTry]: '1' },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`The Node installed with Cooper did not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (status) => {
    process.exitCode = status ?? 1;
  });
}

/** Returns the path of the Node installed as an optional dependency; '' if there is none for this system. */
function broughtNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${system}-${process.arch}/package.json`);
    const file = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : '';
  } catch {
    return ''; // Not installed.
  }
}

// The entry of npm scripts, in plain JavaScript so that any Node can run it. Finds Node 24 (the pinned one, or the machine's own)
// and runs the TypeScript script named by the first argument. `start` uses the built script if it is up to date.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const neededMajor = 24;
const [name, ...args] = process.argv.slice(2);
const script = new URL(`${name ?? 'start'}.ts`, import.meta.url);

if (Number(process.versions.node.split('.', 1)[0]) >= neededMajor) {
  nodeModule.enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)));
  process.argv.splice(1, 2, fileURLToPath(script));
  await import(
    (await isStartBuilt()) ? new URL('../../dist/start/start.js', import.meta.url).href : script.href
  );
} else {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const pinned = fileURLToPath(new URL(`../../node_modules/.bin/node${suffix}`, import.meta.url));
  if (existsSync(pinned)) {
    const child = spawn(pinned, [fileURLToPath(import.meta.url), name ?? 'start', ...args], {
      stdio: 'inherit',
    });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
    child.on('exit', (status) => {
      process.exitCode = status ?? 1;
    });
  } else {
    console.error(
      `Cooper needs Node ${String(neededMajor)} or later; this is Node ${process.versions.node}. ` +
        'Run `npm ci`, which brings it for Linux and Windows; on other systems install it from https://nodejs.org.',
    );
    process.exitCode = 1;
  }
}

async function isStartBuilt() {
  if (name !== undefined && name !== 'start') return false;
  const { isBuilt } = await import('./stamp.ts');
  return isBuilt(fileURLToPath(new URL('../..', import.meta.url)));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import { samplesOpen, waysToNode } from '../e2e/support/flows.ts';
import { environment } from './electron.ts';

/**
 * The packaged program. Its fuses keep out Playwright's launcher, which needs Node's inspector. The test therefore connects to
 * the window as to any Chromium.
 */
const packed = process.env['COOPER_TEST_PACKED'] ?? '';

test.skip(packed === '', 'There is no packaged program: COOPER_TEST_PACKED names its binary.');

interface Packed {
  readonly endpoint: string;
  end(): Promise<void>;
}

async function startPacked(dataDir: string): Promise<Packed> {
  const args = [`--data-dir=${dataDir}`, '--remote-debugging-port=0'];
  const child = spawn(packed, [...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const endpoint = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const found = /^DevTools listening on (ws:\/\/\S+)$/m.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => {
      reject(new Error(`The packaged program ended before its window was there:\n${output}`));
      return undefined;
    });
  });
  return {
    endpoint,
    end: async () => {
      child.kill();
      await exited;
    },
  };
}

test('the packaged program starts from its archive, and its samples open', async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-packed-'));
  const running = await startPacked(dataDir);
  try {
    const browser = await chromium.connectOverCDP(running.endpoint);
    const context = browser.contexts()[0];
    if (context === undefined) throw new Error('The packaged program has no window.');
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    await expect.poll(() => page.url()).toMatch(/^cooper:\/\/app\//);
    await samplesOpen(page);
    expect(await waysToNode(page)).toEqual([]);
    await browser.close();
  } finally {
    await running.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test.describe('the packaged program', () => {
  test('does not run as plain Node', async () => {
    const child = spawn(packed, ['--version'], {
      env: { ...environment(), ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    await once(child, 'close');
    expect(output).toMatch(/^Cooper \d+\.\d+\.\d+$/m);
    expect(output).not.toMatch(/^v\d+/m);
  });

  test('does not let its Node be debugged', async () => {
    const child = spawn(packed, ['--inspect=127.0.0.1:0', '--version'], {
      env: { ...environment(), NODE_OPTIONS: '--inspect=127.0.0.1:0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    await once(child, 'close');
    expect(output).not.toContain('Debugger listening');
  });
});

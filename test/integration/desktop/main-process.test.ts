import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { imageSize } from 'image-size';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesHolding } from '../../support/files/files-holding.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { runDesktop, secret, type Report } from './stand-in.ts';

let dataDir: string;
let report: Report;
let output: string;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-desktop-'));
  const ran = await runDesktop({ dataDir });
  output = ran.output;
  if (ran.report === null) throw new Error(output);
  ({ report } = ran);
}, 90_000);
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

function recorded(call: string): readonly (readonly unknown[])[] {
  return report.record.filter((entry) => entry.call === call).map((entry) => entry.args);
}

describe('the window', () => {
  test.each([
    ['contextIsolation', true],
    ['sandbox', true],
    ['nodeIntegration', false],
    ['nodeIntegrationInWorker', false],
    ['nodeIntegrationInSubFrames', false],
    ['webSecurity', true],
    ['allowRunningInsecureContent', false],
    ['experimentalFeatures', false],
    ['webviewTag', false],
    ['navigateOnDragDrop', false],
    ['enableBlinkFeatures', undefined],
  ])('has %s: %s', (name, value) => {
    for (const [options] of recorded('new BrowserWindow') as [{ webPreferences: Record<string, unknown> }][])
      expect(options.webPreferences[name]).toBe(value);
  });

  test("has only the program's preload script", () => {
    const [[options]] = recorded('new BrowserWindow') as [[{ webPreferences: Record<string, unknown> }]];
    expect(options.webPreferences['preload']).toMatch(/dist[/\\]desktop[/\\]preload\.cjs$/);
  });

  test.skipIf(process.platform !== 'linux')(
    "has the program's icon, which Linux takes from no other file",
    () => {
      const [[options]] = recorded('new BrowserWindow') as [[{ icon: string }]];
      expect(imageSize(readFileSync(options.icon))).toMatchObject({ type: 'png', width: 64, height: 64 });
    },
  );

  test("is the only one, and shows only the program's own page", () => {
    expect(recorded('new BrowserWindow')).toHaveLength(1);
    expect(recorded('window.loadURL')).toEqual([['cooper://app/']]);
  });

  test('is created after the app is sandboxed and the scheme registered', () => {
    const order = report.record.map(({ call }) => call);
    const ready = order.indexOf('app.whenReady');
    expect(order.slice(0, ready)).toEqual(
      expect.arrayContaining(['app.enableSandbox', 'protocol.registerSchemesAsPrivileged']),
    );
    const [[schemes]] = recorded('protocol.registerSchemesAsPrivileged') as [[{ privileges: object }[]]];
    expect(schemes).toEqual([
      {
        scheme: 'cooper',
        privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
      },
    ]);
    expect(JSON.stringify(schemes)).not.toMatch(/bypassCSP|corsEnabled|allowServiceWorkers/);
  });
});

describe('a window whose page misbehaves', () => {
  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
    'cannot leave its page by %s',
    (name) => {
      expect(report.navigation[name]).toEqual({
        'cooper://app/': 'let',
        'cooper://app/bytes/ticket': 'refused',
        'cooper://other/': 'refused',
        'https://example.com/': 'refused',
        'file:///etc/passwd': 'refused',
        'data:text/html,x': 'refused',
      });
    },
  );

  test('cannot navigate a frame, not even to its own page', () => {
    expect(new Set(Object.values(report.navigation['a frame'] ?? {}))).toEqual(new Set(['refused']));
  });

  test('cannot make the engine save a file', () => {
    expect(report.download).toEqual({ state: 'cancelled', exists: false });
  });

  test('saves through the core into the file that the user chose', () => {
    expect(report.saved).toEqual({ isSaved: true, text: 'from the core' });
    expect(recorded('dialog.showSaveDialog')).toEqual([[{ title: 'saved.txt', defaultPath: 'saved.txt' }]]);
  });

  test('cannot attach a webview', () => {
    expect(new Set(Object.values(report.navigation['will-attach-webview'] ?? {}))).toEqual(
      new Set(['refused']),
    );
  });

  test("opens no other window, and passes only https links to the system's browser", () => {
    expect(new Set(Object.values(report.windowOpen))).toEqual(new Set(['deny']));
    expect(recorded('shell.openExternal')).toEqual([['https://example.com/']]);
  });

  test("is denied every permission except the window's clipboard writes and full screen", () => {
    expect(report.permissions).toEqual({
      granted: ['fullscreen'],
      copyByWindow: true,
      copyByOther: false,
      checkByWindow: true,
      checkByOther: false,
      device: false,
    });
  });

  test('has no spell checker, which would download dictionaries', () => {
    expect(recorded('session.setSpellCheckerEnabled')).toEqual([[false]]);
  });

  test("loads nothing but the program's own files", () => {
    expect(report.requests).toEqual(['cooper://app/x.js', 'blob:cooper://app/1', 'data:,x']);
  });

  test('can use four channels, and gets a port only from the main frame on its own page', () => {
    expect(report.channels).toEqual([
      'cooper:connect',
      'cooper:listening',
      'cooper:edit-text',
      'cooper:dropped-file',
    ]);
    expect(Object.keys(report.refused)).toEqual(['frame', 'gone', 'otherWindow', 'strayedPage']);
    for (const response of Object.values(report.refused))
      expect(response).toMatchObject({ code: 'access-denied' });
  });
});

describe('the app scheme', () => {
  test('serves the page with the policy of the browser host', () => {
    const { status, headers, body } = report.scheme['page'] ?? { status: 0, headers: {}, body: '' };
    expect(status).toBe(200);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/unsafe-eval|https?:|ws:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body).toContain('<div id="root">');
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });

  test('refuses other hosts, paths outside the folder, writes and unknown tickets', () => {
    const statuses = ['other', 'outside', 'posted', 'bytes'].map((name) => report.scheme[name]?.status);
    expect(statuses).toEqual([404, 404, 405, 404]);
    expect(report.scheme['bytes']?.headers['content-security-policy']).toContain('sandbox');
  });
});

describe('the bridge to the core', () => {
  test('gives the page three functions, and its preload requires only Electron', () => {
    expect(report.preload.surface).toEqual({ cooper: ['connect', 'onCommand', 'droppedFile'] });
    expect(new Set(report.preload.required)).toEqual(new Set(['electron']));
    expect(report.preload.sent).toEqual([
      ['cooper:connect', null],
      ['window', 'cooper:port', 'cooper://app'],
    ]);
  });

  test('turns a dropped file into a handle without its path', () => {
    const { dropped } = report.preload;
    expect(dropped['file']).toMatchObject({ kind: 'file', file: { name: 'run-desktop.ts', kind: 'file' } });
    expect(JSON.stringify(dropped)).not.toMatch(/electron-stand-in|passwd/);
    expect(dropped['made']).toEqual({ kind: 'no-path' });
    expect(dropped['noFile']).toMatchObject({ kind: 'refused', error: { code: 'invalid-argument' } });
  });

  test('a dropped file without a path reaches the core by its bytes', () => {
    expect(report.sentCopy).toEqual({ status: 204, text: 'an attachment' });
  });

  test('refuses a path from another sender or of something that is not a file', () => {
    const codes = Object.entries(report.droppedByOthers).map(([name, response]) => [
      name,
      (response as { error?: { code: string } }).error?.code,
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      frame: 'access-denied',
      gone: 'access-denied',
      otherWindow: 'access-denied',
      noText: 'invalid-argument',
      relative: 'invalid-argument',
      folder: undefined,
      missing: 'invalid-argument',
    });
    expect(JSON.stringify(report.droppedByOthers)).not.toContain('support/electron-stand-in');
  });

  test('lists a sample bucket over the port', () => {
    expect(report.preload.info).toMatchObject({
      host: 'desktop',
      hasNativeDialogs: true,
      secretProtection: 'system',
    });
    expect(report.preload.connections[0]?.builtIn).toBe(true);
    expect(report.preload.buckets.length).toBeGreaterThan(0);
    const { commonPrefixes, objects } = report.preload.page;
    expect(commonPrefixes.length + objects.length).toBeGreaterThan(0);
  });
});

describe('stored secrets', () => {
  test('never reach the window, and are encrypted in a file readable only by its owner', () => {
    expect(report.preload.made.auth).toMatchObject({ hasSecret: true });
    expect(filesHolding(dataDir, secret)).toEqual([]);
    const file = path.join(dataDir, 'secrets.encrypted.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(output).not.toContain(secret);
  });

  test('are kept in memory if the user declines a file without a password store', async () => {
    const dir = tempDir();
    const ran = await runDesktop({ dataDir: dir, storageBackend: 'basic_text', messageBoxAnswer: 1 });
    expect(ran.report?.record.filter(({ call }) => call === 'dialog.showMessageBox')).toHaveLength(1);
    expect(ran.report?.preload.made.auth).toMatchObject({ hasSecret: true });
    expect(ran.report?.preload.info).toMatchObject({ secretProtection: 'memory' });
    expect(filesHolding(dir, secret)).toEqual([]);
  });

  test('are kept in a private file if the user agrees without a password store', async () => {
    const dir = tempDir();
    const ran = await runDesktop({ dataDir: dir, storageBackend: 'basic_text', messageBoxAnswer: 0 });
    expect(ran.report?.preload.info).toMatchObject({ secretProtection: 'plain-text' });
    const holding = filesHolding(dir, secret);
    expect(holding).toHaveLength(1);
    expect(statSync(holding[0] ?? '').mode & 0o777).toBe(0o600);
  });
});

describe('a configured keyring that does not respond', () => {
  test('does not count as protection', async () => {
    const dir = tempDir();
    const ran = await runDesktop({ dataDir: dir, keyring: 'refused', messageBoxAnswer: 1 });
    expect(ran.report?.preload.info).toMatchObject({ secretProtection: 'memory' });
    expect(filesHolding(dir, secret.split('').toReversed().join(''))).toEqual([]);
  });
});

describe('the desktop program', () => {
  test('prints where it is ready as its last line', () => {
    expect(output).toContain('Cooper is ready at cooper://app/');
  });

  test('is brought to the front by a later start', () => {
    expect(report.control).toEqual({ kind: 'focused' });
    expect(recorded('window.focus').length).toBeGreaterThan(0);
  });

  test('waits for the core when quitting, then ends with status 0', () => {
    expect(report.exitStatus).toBe(0);
    expect(readFileSync(path.join(dataDir, 'cooper.log'), 'utf8')).toContain('Cooper ended.');
    expect(readdirSync(dataDir)).not.toContain('control.json');
  });

  test("keeps Electron's own files below the data folder", () => {
    expect(report.userData).toBe(path.join(dataDir, 'electron'));
  });

  test.each([
    ['--version', /^Cooper \d+\.\d+\.\d+$/m],
    ['--help', /^Usage: cooper \[flags\] \[s3:\/\/BUCKET\/PREFIX\]$/m],
  ])('answers %s without a window or a data folder', async (flag, response) => {
    const unmade = path.join(tempDir(), 'unmade');
    const ran = await runDesktop({ dataDir: unmade, args: [flag] });
    expect(ran.output).toMatch(response);
    expect(ran.report?.record).toEqual([{ call: 'app.exit', args: [0] }]);
    expect(existsSync(unmade)).toBe(false);
  });

  test('reports an unusable data folder in a message box with status 2', async () => {
    const file = path.join(tempDir(), 'file');
    writeFileSync(file, '');
    const ran = await runDesktop({ dataDir: file });
    const boxes = ran.report?.record.filter(({ call }) => call === 'dialog.showErrorBox');
    expect(boxes?.[0]?.args[1]).toContain('it is not a folder');
    expect(ran.report?.record.find(({ call }) => call === 'app.exit')?.args).toEqual([2]);
  });

  test('starts no second core if the browser host has the data folder', async () => {
    const cooper = await startCooper({ dataDir: tempDir(), sampleLogs: 10 });
    const ran = await runDesktop({ dataDir: cooper.dataDir });
    await cooper.end();
    expect(ran.output).toMatch(/Cooper is ready at http:\/\/c[0-9a-f]{20}\.localhost:\d+\/#code=/);
    expect(ran.report?.record.some(({ call }) => call === 'new BrowserWindow')).toBe(false);
  });
});

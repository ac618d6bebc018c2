import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

/** Returns the files of a folder whose text matches the pattern. */
function filesWith(folder: string, pattern: RegExp, kinds = /\.tsx?$/): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => kinds.test(name))
    .map((name) => path.posix.join(folder, ...name.split(path.sep)))
    .filter((name) => pattern.test(read(name)));
}

test.each([
  [
    'a window is created',
    /new (?:BrowserWindow|BrowserView|WebContentsView|BaseWindow)\(/,
    ['windows/window.ts'],
  ],
  ["an address is passed to the system's browser", /openExternal\(/, ['page/guards.ts']],
  ['messages from the window are received', /\bipcMain\./, ['page/ipc.ts']],
  ['anything is exposed to the page', /exposeInMainWorld|exposeInIsolatedWorld/, ['page/preload.ts']],
  ['a scheme is given rights', /registerSchemesAsPrivileged/, ['page/guards.ts']],
  ['an address is loaded into a window', /\.loadURL\(|\.loadFile\(/, ['windows/window.ts']],
])('only one file has code where %s', (_what, pattern, files) => {
  expect(filesWith('electron/desktop', pattern)).toEqual(files.map((name) => `electron/desktop/${name}`));
});

test.each([
  ['Chromium switches', /appendSwitch|appendArgument|enableBlinkFeatures/],
  ['scripts run in the page by the main process', /executeJavaScript|insertCSS/],
  ['file:// addresses', /['"`]file:|\.loadFile\(|pathToFileURL/],
  ['bypassed certificate checks', /certificate-error|setCertificateVerifyProc|rejectUnauthorized: false/],
  ['a remote module', /@electron\/remote|enableRemoteModule/],
])('no source of the desktop host has %s', (_what, pattern) => {
  expect(filesWith('electron/desktop', pattern)).toEqual([]);
});

/** Matches an embedding element, on one line or several, or created by name. Does not match `Promise<object>`. */
const embedded =
  /(?<!\w)<(?:webview|iframe|frame|object|embed)\b|createElement(?:NS)?\((?:[^,)]*,)?\s*['"`](?:webview|iframe|frame|object|embed)['"`]|allowpopups/i;

test('the window contains no webview, frame or object element', () => {
  expect(filesWith('renderer', embedded, /\.(?:tsx?|html)$/)).toEqual([]);
});

test.each([
  ['    <webview src={address} />', true],
  ['const Frame = () => <iframe srcDoc={text} />;', true],
  ["document.createElement('webview')", true],
  ["document.createElementNS(html, 'object')", true],
  ["createElement('embed', { src })", true],
  ['<Viewer allowpopups />', true],
  ['let found: Promise<object>;', false],
  ["createElement('canvas')", false],
])('the search for embedded elements in %s finds one: %s', (text, isOne) => {
  expect(embedded.test(text)).toBe(isOne);
});

interface Row {
  readonly number: number;
  readonly proofs: readonly { readonly file: string; readonly name: string }[];
}

/** Returns the table in SECURITY.md: number and item, how it is met, and its tests as `file`: “name”. */
function checklist(): readonly Row[] {
  return read('SECURITY.md')
    .split('\n')
    .flatMap((line) => {
      const [, first = '', , proof = ''] = line.split('|').map((cell) => cell.trim());
      const number = /^(\d+)\. /.exec(first)?.[1];
      if (number === undefined) return [];
      const proofs = [...proof.matchAll(/`([^`]+)`: “([^”]+)”/g)].map(([, file = '', name = '']) => ({
        file,
        name,
      }));
      return [{ number: Number(number), proofs }];
    });
}

test("each of the twenty items of Electron's checklist names an existing test", () => {
  const rows = checklist();
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  for (const { number, proofs } of rows) {
    expect(proofs, `item ${String(number)}`).not.toHaveLength(0);
    for (const { file, name } of proofs)
      expect(read(`test/${file}`), `item ${String(number)}`).toContain(name);
  }
});

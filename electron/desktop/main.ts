import { app, dialog } from 'electron';
import { prepareChosenDataDir, startFailureOf } from '../host/data-dir.ts';
import { text } from '../host/text.ts';
import { version } from '../host/version.ts';
import { dataDirIn, hasFlag, linkIn } from './arguments.ts';
import { electronDir, runDesktop, type LaterLinks } from './app.ts';
import { registerScheme } from './page/guards.ts';
import { appUserModelIdOf, hiddenFlag } from './system/program-entries.ts';
import { wasOpenedAtLogin } from './system/registrations.ts';
import { takeLoginPath } from './system/mac-start.ts';

/** Makes all settings that Electron requires before it is ready. Returns the data folder. */
function prepare(): string {
  const dataDir = prepareChosenDataDir(dataDirIn(process.argv));
  app.setName('Cooper');
  if (process.platform === 'win32') app.setAppUserModelId(appUserModelIdOf(app.isPackaged, process.execPath));
  app.setPath('userData', electronDir(dataDir));
  app.enableSandbox();
  registerScheme();
  return dataDir;
}

async function run(): Promise<void> {
  const reply = answerTo(process.argv);
  if (reply !== null) {
    print(reply);
    app.exit(0);
    return;
  }
  try {
    const dataDir = prepare();
    // Not awaited, because the shell may take seconds, and PATH is not needed before a window is open.
    if (process.platform === 'darwin' && app.isPackaged) void takeLoginPath(process.env);
    await app.whenReady();
    const isHidden = hasFlag(process.argv, hiddenFlag) || wasOpenedAtLogin();
    await runDesktop({ dataDir, link: linkIn(process.argv), isHidden, laterLinks, print });
  } catch (thrown) {
    const { sentence, exitStatus } = startFailureOf(thrown);
    print(sentence);
    // Shows a dialog, because a program started from a menu has no terminal.
    dialog.showErrorBox(text('dialogStartFailedTitle'), sentence);
    app.exit(exitStatus);
  }
}

/** Links that macOS passes as events, possibly before the app is ready. Other systems pass them as arguments. */
const laterLinks: LaterLinks = { waiting: [], receive: null };
app.on('open-url', (event, url) => {
  event.preventDefault();
  if (laterLinks.receive === null) laterLinks.waiting.push(url);
  else laterLinks.receive(url);
});

/** Returns the text to print for `--version` or `--help`; null for an ordinary start. */
function answerTo(args: readonly string[]): string | null {
  if (hasFlag(args, '--version')) return `Cooper ${version}`;
  return hasFlag(args, '--help') ? text('usageDesktop') : null;
}

function print(line: string): void {
  console.log(line);
}

// Not awaited, because Electron becomes ready only after this module has been evaluated (electron/electron#40719).
void run();

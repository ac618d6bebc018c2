import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, nativeTheme, powerMonitor, session } from 'electron';
import type { Core } from '../core/core.ts';
import type { Logger } from '../core/ports.ts';
import { serveMessagePort } from '../core/rpc/message-port.ts';
import { answerBytes } from '../host/bytes-http.ts';
import { serveControl, claimDataDir } from '../host/control.ts';
import { followSettings, startProgram } from '../host/program.ts';
import { nodeClock } from '../host/node-ports.ts';
import { systemProxy } from '../host/system-proxy.ts';
import { setLanguage, text } from '../host/text.ts';
import { loadWindowFiles } from '../host/window-files.ts';
import { followAccent } from './system/accent.ts';
import { offerApplicationsFolder } from './system/mac-start.ts';
import { createBackground } from './system/background.ts';
import { activeJobs } from './system/appearance.ts';
import { serveConnections } from './page/ipc.ts';
import { keepAwake, showOnDock } from './system/follow-jobs.ts';
import { canRegisterLinks, registerLinkHandler, setOpenAtLogin } from './system/registrations.ts';
import { recentPlaces, showPlaces, setMenu } from './system/menu.ts';
import { dialogFolders, nativeDialogs } from './system/dialogs.ts';
import { nativeShell } from './system/native.ts';
import { appAddress } from './page/origin.ts';
import { quitCleanly, type Quitting } from './quit.ts';
import { serveScheme, guardContents, guardSession } from './page/guards.ts';
import { desktopSecrets } from './secrets/secrets.ts';
import { checkDaily, desktopUpdates } from './updates/start-updates.ts';
import type { DesktopUpdates } from './updates/updates.ts';
import { createWindows, type Windows } from './windows/windows.ts';

/** The key in the stored window state which records that the user has seen how transfers continue without a window. */
const explainedKey = 'background-explained';

/** Links that macOS passes as events. They are queued in `waiting` until `receive` is set. */
export interface LaterLinks {
  readonly waiting: string[];
  receive: ((link: string) => void) | null;
}

interface DesktopOptions {
  readonly dataDir: string;
  /** An `s3://` address among the arguments; null if there is none. */
  readonly link: string | null;
  /** True to start without a window. */
  readonly isHidden: boolean;
  readonly laterLinks: LaterLinks;
  readonly print: (line: string) => void;
}

/** Runs the desktop program on a prepared data folder, once Electron is ready. */
export async function runDesktop(options: DesktopOptions): Promise<void> {
  const { dataDir, print } = options;
  // The language of questions that are asked before the language setting can be read.
  setLanguage('system', app.getPreferredSystemLanguages());
  if (await offerApplicationsFolder(path.join(dataDir, 'stays-out-of-applications'))) return;
  // Electron's lock passes the right to come to the front from this instance to the first one. The lock of the data folder
  // decides which instance runs, because the browser host may hold it.
  app.requestSingleInstanceLock();
  const claim = await claimDataDir(dataDir, options.link);
  if (claim.kind === 'second') {
    print(claim.answer.kind === 'focused' ? text('alreadyOpen') : text('alreadyRunning'));
    if (claim.answer.kind === 'address') print(text('ready', { address: claim.answer.address }));
    app.exit(0);
    return;
  }
  // The first instance has ended meanwhile, so this one takes Electron's lock.
  if (!app.hasSingleInstanceLock()) app.requestSingleInstanceLock();

  // Variables, because each object uses others that are created later.
  let windows: Windows | null = null;
  let core: Core | null = null;
  let quitting: Quitting | null = null;
  let updates: DesktopUpdates | null = null;
  let log: Logger | null = null;
  const warn = (message: string, reason: unknown): void => log?.warn(message, { err: reason });
  const current = () => windows?.current() ?? null;
  const program = await startProgram({
    dataDir,
    host: 'desktop',
    secrets: await desktopSecrets(dataDir, current),
    dialogs: nativeDialogs(
      current,
      dialogFolders(path.join(dataDir, 'dialog-folders.json'), (thrown) => {
        warn('The folder of a dialog could not be remembered.', thrown);
      }),
    ),
    shell: nativeShell({
      current,
      showWindow: () => windows?.show(),
      areNoticesEnabled: () => core?.settings.get().notifications ?? true,
      onNoticeFailed: (reason) => warn('The system did not show a notification.', reason),
    }),
    systemProxy: systemProxy((url) => session.defaultSession.resolveProxy(url), nodeClock),
    setAside: claim.lock.setAsideAs === null ? [] : [claim.lock.setAsideAs],
    updates: (logger) =>
      (updates = desktopUpdates({
        dataDir,
        logger,
        channel: () => core?.settings.get().updateChannel ?? 'stable',
        onChange: () => core?.events.emit({ kind: 'updates-changed' }),
        leave: () => quitting?.leave() ?? Promise.resolve(false),
        shutDown: () => quitting?.shutDown() ?? Promise.resolve(),
        undoLeave: (isShutDown) => quitting?.undoLeave(isShutDown),
      })),
  });
  const running = (core = program.core);
  const logger = (log = program.logger);

  guardContents(logger);
  guardSession();
  serveScheme(session.defaultSession, {
    files: loadWindowFiles(fileURLToPath(new URL('../window', import.meta.url))),
    serveBytes: (ticket, request) => answerBytes(running.bytes, ticket, request),
    onError: (thrown) => {
      logger.error('A request from the window failed.', { err: thrown });
    },
  });
  const icon = fileURLToPath(new URL('icon.png', import.meta.url));
  const background = createBackground({
    icon,
    activeJobs: () => activeJobs(running.jobs.counts()),
    isEnabled: () => running.settings.get().runInBackground,
    isExplained: () => running.view.get(explainedKey) === true,
    onExplained: () => running.view.set(explainedKey, true),
    showWindow: () => windows?.show(),
    quit: () => app.quit(),
    quitNow: () => quitting?.quitNow(),
  });
  const open = (windows = createWindows({
    preload: fileURLToPath(new URL('preload.cjs', import.meta.url)),
    icon,
    onOpen: () => background.hide(),
    dataDir,
    onError: (message, thrown) => {
      logger.error(message, { err: thrown });
    },
    onStay: () => quitting?.cancelQuit(),
    onDiscarded: () => quitting?.resumeQuit(),
    onSessionEnd: (event) => quitting?.endSession(event),
    forget: (number) => running.view.set(`tabs-${String(number)}`, null),
  }));
  serveConnections({
    isProgramWindow: (id) => open.isProgramWindow(id),
    serve: (port) => {
      serveMessagePort(running.router, port);
    },
    droppedFile: (filePath) => running.droppedFile(filePath),
    onListening: (id) => open.onPageListening(id),
    logger,
  });
  const drawMenu = (): void =>
    setMenu({
      mac: process.platform === 'darwin',
      packaged: app.isPackaged,
      sendCommand: (command) => open.sendCommand(command),
      openWindow: () => open.open(),
      registerLinkHandler: canRegisterLinks(process.env) ? () => void registerLinkHandler(process.env) : null,
    });
  drawMenu();

  const ending = new AbortController();
  followSystem(running, open, ending.signal, logger.error.bind(logger));
  const stopAccent = followAccent((accent) => running.setAccent(accent));
  void followSettings(running, ending.signal, ({ language }) => {
    if (setLanguage(language, app.getPreferredSystemLanguages())) drawMenu();
  });
  const stopChecks = updates === null ? null : checkDaily(updates, () => running.settings.get().updateChecks);

  const openLink = (link: string): void => {
    open.show();
    running.openLink(link);
  };
  const control = await serveControl(dataDir, (link) => {
    if (link === null) open.show();
    else openLink(link);
    return { kind: 'focused' };
  });
  quitting = quitCleanly({
    activeJobs: () => activeJobs(running.jobs.counts()),
    needsConfirmation: () => running.settings.get().confirmQuit,
    current,
    stay: () => open.show(),
    closeWindows: () => open.closeAll(),
    close: async () => {
      stopChecks?.();
      stopAccent();
      ending.abort();
      background.hide();
      await control.close();
      await program.close();
      claim.lock.release();
    },
  });
  app.on('activate', () => open.show());
  app.on('second-instance', () => open.show());
  app.on('window-all-closed', () => {
    if (process.platform === 'darwin' || (quitting?.isLeaving() ?? false)) return;
    if (!background.stays()) app.quit();
  });
  for (const link of [options.link, ...options.laterLinks.waiting.splice(0)])
    if (link !== null) running.openLink(link);
  options.laterLinks.receive = openLink;
  const updatePlaces = (): void =>
    showPlaces(recentPlaces(running.view.get('recent-places')), { openLink, openWindow: () => open.open() });
  updatePlaces();
  app.on('browser-window-blur', updatePlaces);
  if (!options.isHidden || options.link !== null) open.show();
  // On macOS, the dock icon is enough.
  else if (process.platform !== 'darwin') background.show();
  print(text('ready', { address: appAddress }));
}

/** Follows the system: sleep, theme, dock icon and start at login. */
function followSystem(
  core: Core,
  windows: Windows,
  signal: AbortSignal,
  onError: (message: string, fields: Readonly<Record<string, unknown>>) => void,
): void {
  powerMonitor.on('resume', () => core.wake());
  void showOnDock(core, () => windows.all(), signal);
  void keepAwake(core, signal);
  let wasAtLogin: boolean | null = null;
  void followSettings(core, signal, ({ theme, openAtLogin }) => {
    nativeTheme.themeSource = theme === 'auto' ? 'system' : theme;
    // The login item is not touched until the user first turns it on. Until then, the system's setting applies.
    if (openAtLogin !== (wasAtLogin ?? false)) {
      try {
        setOpenAtLogin(openAtLogin);
      } catch (thrown) {
        onError('Could not change whether Cooper opens at login.', { err: thrown });
      }
    }
    wasAtLogin = openAtLogin;
  });
}

/** Returns the folder for Electron's own files, separate from Cooper's files in the data folder. */
export function electronDir(dataDir: string): string {
  return path.join(dataDir, 'electron');
}

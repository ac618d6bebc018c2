import { app, session, shell, type Session, type WebContents, protocol } from 'electron';
import type { Logger } from '../../core/ports.ts';
import { isOpenableOutside, isAppPage, isAppResource, appScheme } from './origin.ts';
import { bytesPath } from '../../../shared/session.ts';
import { commonHeaders } from '../../host/csp.ts';
import type { WindowFiles } from '../../host/window-files.ts';

/**
 * Blocks navigation, new windows and other actions that content of the page could trigger. The page is untrusted, because it
 * shows names and content from other people.
 */
export function guardContents(logger: Logger): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => {
      if (!isAppPage(event.url)) refuse(event, 'will-navigate', logger);
    });
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame || !isAppPage(event.url)) refuse(event, 'will-frame-navigate', logger);
    });
    contents.on('will-redirect', (event) => {
      if (!isAppPage(event.url)) refuse(event, 'will-redirect', logger);
    });
    contents.on('will-attach-webview', (event) => {
      refuse(event, 'will-attach-webview', logger);
    });
    openOutside(contents, logger);
  });
}

/** Prevents pages from opening windows. Opens https links in the system's browser. */
function openOutside(contents: WebContents, logger: Logger): void {
  contents.setWindowOpenHandler(({ url }) => {
    if (isOpenableOutside(url)) {
      shell.openExternal(url).catch((thrown: unknown) => {
        logger.warn('The system has no browser for a link.', { err: thrown });
      });
    } else {
      logger.warn('Refused to open another window.');
    }
    return { action: 'deny' };
  });
}

/** Denies permissions, and allows only the program's own files to load. */
export function guardSession(target: Session = session.defaultSession): void {
  target.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isHarmless(permission) && isAppPage(details.requestingUrl));
  });
  target.setPermissionCheckHandler((_contents, permission, requestingOrigin) => {
    return isHarmless(permission) && isAppPage(requestingOrigin);
  });
  target.setDevicePermissionHandler(() => false);
  target.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, ({ url }, callback) => {
    callback({ cancel: !isLoadable(url) });
  });
  target.on('will-download', (event) => {
    event.preventDefault();
  });
  // The spell checker would download dictionaries from a server.
  target.setSpellCheckerEnabled(false);
}

/** Returns true for the allowed permissions: writing to the clipboard (not reading it), and full screen for videos. */
function isHarmless(permission: string): boolean {
  return permission === 'clipboard-sanitized-write' || permission === 'fullscreen';
}

const internalProtocols = new Set(['blob:', 'data:', 'devtools:']);

function isLoadable(address: string): boolean {
  if (isAppResource(address)) return true;
  return URL.canParse(address) && internalProtocols.has(new URL(address).protocol);
}

function refuse(event: { preventDefault(): void }, action: string, logger: Logger): void {
  event.preventDefault();
  logger.warn('Stopped the window from leaving its page.', { action });
}

/** Registers the window's scheme. Must run before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
}

interface SchemeOptions {
  readonly files: WindowFiles;
  readonly serveBytes: (ticket: string, request: Request) => Promise<Response>;
  readonly onError: (thrown: unknown) => void;
}

/** Serves the window's files and bytes under cooper://app/. */
export function serveScheme(target: Session, options: SchemeOptions): void {
  target.protocol.handle(appScheme, async (request) => {
    try {
      return await answer(request, options);
    } catch (thrown) {
      options.onError(thrown);
      return plain(500, 'Something went wrong; the log in the data folder has the details.');
    }
  });
}

async function answer(request: Request, options: SchemeOptions): Promise<Response> {
  if (!isAppResource(request.url)) return plain(404, 'Not found.');
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(bytesPath)) return options.serveBytes(pathname.slice(bytesPath.length), request);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'This address is read-only.');
  const found = options.files.answer(pathname, []);
  const body = typeof found.body === 'string' ? found.body : new Uint8Array(found.body);
  return new Response(request.method === 'HEAD' ? null : body, {
    status: found.status,
    headers: found.headers,
  });
}

function plain(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, {
    status,
    headers: { ...commonHeaders, 'content-type': 'text/plain; charset=utf-8' },
  });
}

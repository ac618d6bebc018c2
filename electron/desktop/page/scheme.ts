import { protocol, type Session } from 'electron';
import { bytesPath } from '../../../shared/session.ts';
import { commonHeaders } from '../../host/csp.ts';
import type { WindowFiles } from '../../host/window-files.ts';
import { appScheme, isOwnResource } from './origin.ts';

/** Registers the window's scheme. Must run before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
}

export interface SchemeOptions {
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
      return plain(500, 'Something went wrong; the log in the data folder has more.');
    }
  });
}

async function answer(request: Request, options: SchemeOptions): Promise<Response> {
  if (!isOwnResource(request.url)) return plain(404, 'Not found.');
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(bytesPath)) return options.serveBytes(pathname.slice(bytesPath.length), request);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain(405, 'This address can only be read.');
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

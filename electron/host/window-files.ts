import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commonHeaders, noncePlaceholder, textHeaders, windowPolicy } from './csp.ts';

export interface FileResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

export interface WindowFiles {
  /** Returns the response for a path. Adds `connectTo` to the page's policy. */
  answer(pathname: string, connectTo: readonly string[]): FileResponse;
}

/**
 * Loads the built window into memory. Serves only names that were in the folder, so no path leads out of it. An open window keeps
 * its files if a later build replaces them.
 */
export function loadWindowFiles(dir: string): WindowFiles {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(`/${path.relative(dir, file).split(path.sep).join('/')}`, readFileSync(file));
  }
  const page = files.get('/index.html');
  if (page === undefined) throw new Error('The built window has no index.html.');
  const html = page.toString('utf8');

  return {
    answer: (pathname, connectTo) => {
      if (pathname === '/' || pathname === '/index.html') return pageResponse(html, connectTo);
      const body = files.get(pathname);
      if (body === undefined) return notFound;
      return { status: 200, headers: fileHeaders(pathname), body };
    },
  };
}

function pageResponse(html: string, connectTo: readonly string[]): FileResponse {
  const nonce = randomBytes(18).toString('base64url');
  return {
    status: 200,
    headers: {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': windowPolicy(nonce, connectTo),
      'cache-control': 'no-store',
    },
    body: html.replaceAll(noncePlaceholder, nonce),
  };
}

/** The policy for scripts. A worker obeys the policy in its script's response, not the page's. */
const scriptPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'";
/**
 * The policy for workers that decode HEIC, xz, SQLite, and JPEG 2000 and JBIG2 in PDFs. Only they may compile WebAssembly; they
 * may not start workers.
 */
const decoderPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

function policyOf(pathname: string): string {
  if (/^\/assets\/(?:(?:heic|sqlite|unpack)-worker-[\w-]+\.js|pdf\.worker\.min-[\w-]+\.mjs)$/u.test(pathname))
    return decoderPolicy;
  return /\.m?js$/.test(pathname) ? scriptPolicy : "default-src 'none'; sandbox";
}

function fileHeaders(pathname: string): Record<string, string> {
  // vite adds a content hash to each name below assets/.
  const hashed = pathname.startsWith('/assets/');
  return {
    ...commonHeaders,
    'content-type': contentTypes[path.posix.extname(pathname)] ?? 'application/octet-stream',
    'content-security-policy': policyOf(pathname),
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

const notFound: FileResponse = { status: 404, headers: textHeaders, body: 'Not found.\n' };

/** The placeholder for the nonce in index.html, written by vite. Each response replaces it by a new nonce. */
export const noncePlaceholder = '__COOPER_NONCE__';

/**
 * Returns the Content-Security-Policy of the window for both hosts. Only scripts of the program may run. Mantine needs <style>
 * elements, which carry the nonce, and style attributes.
 */
export function windowPolicy(nonce: string, connectTo: readonly string[]): string {
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'blob:', 'data:'],
    'media-src': ["'self'", 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...connectTo],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'object-src': ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}

/** The headers that both hosts send with every response. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=(), display-capture=()',
};

/** The headers of a text that is not part of the window. Nothing in it may run, and it is not cached. */
export const textHeaders: Readonly<Record<string, string>> = {
  ...commonHeaders,
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-store',
};

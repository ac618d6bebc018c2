/** The window's own scheme: a standard, secure origin that no server on any network can take. */
export const appScheme = 'cooper';
export const appHost = 'app';
export const appOrigin = `${appScheme}://${appHost}`;
export const appAddress = `${appOrigin}/`;

/** Returns true if the address is the window's own page. No other page is ever shown, least of all the bytes of an object. */
export function isOwnAddress(address: string): boolean {
  return isOwnResource(address) && ['', '/'].includes(new URL(address).pathname);
}

/**
 * Returns true if the address is below the program's own scheme. Node gives custom schemes an opaque `origin`, so the parts are
 * compared.
 */
export function isOwnResource(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === `${appScheme}:` && url.host === appHost && url.username === '' && url.port === '';
}

/** URLs that may open in the system's browser: only https. */
export function isOpenableOutside(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}

/** The window's own scheme: a standard, secure origin that no server on any network can take. */
export const appScheme = 'cooper';
export const appHost = 'app';
export const appOrigin = `${appScheme}://${appHost}`;
export const appAddress = `${appOrigin}/`;

/** Whether an address is a page of the program. Custom schemes have an opaque `origin` in Node, so the parts are compared. */
export function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === `${appScheme}:` && url.host === appHost && url.username === '' && url.port === '';
}

/** What may be handed to the system's browser: https alone. */
export function isOpenableOutside(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}

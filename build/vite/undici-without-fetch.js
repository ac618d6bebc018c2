/** Replaces undici's `fetch`, of which the client needs nothing, because it sends bytes and streams but no forms or blobs. */
export const FormData = null;
export const webidl = { is: { FormData: () => false } };
export function extractBody() {
  throw new TypeError('Forms are not sent by this program.');
}

/** In the place of undici's `fetch`: the client sends bytes and streams, never forms or blobs, so nothing of it is wanted. */
export const FormData = null;
export const webidl = { is: { FormData: () => false } };
export function extractBody() {
  throw new TypeError('Forms are not sent by this program.');
}

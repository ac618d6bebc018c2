/** Returns the content of a blob in base64. */
export async function base64Of(content: Blob): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The content cannot be read.')));
    reader.readAsDataURL(content);
  });
  return address.slice(address.indexOf(',') + 1);
}

/** A built-in since Chrome 140, Firefox 133 and Safari 18.2, ten times as fast as a loop. */
interface WithBase64 {
  readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
}

/** Returns the bytes of a text in base64. Throws if it is none. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const builtIn: typeof Uint8Array & WithBase64 = Uint8Array;
  if (builtIn.fromBase64 !== undefined) return builtIn.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

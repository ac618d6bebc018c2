/** The parts that are used here of the codecs that Node and browsers share, which are not part of the language. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };
declare const TextDecoder: new (
  encoding: 'utf-8',
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** Returns the text, with U+FEFF where it begins with it. */
export function textOfUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

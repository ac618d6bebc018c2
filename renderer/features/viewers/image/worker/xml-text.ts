/** Decodes an XML document as browsers do: by its byte order mark, else by its declaration, else as UTF-8. */
export function xmlText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // The declaration itself is in ASCII (XML 1.0, appendix F).
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const declaration = /<\?xml[^>]*?\sencoding\s*=\s*["'](?<label>[\w.:-]+)["']/.exec(start);
  return decoderOf(declaration?.groups?.['label'] ?? 'utf-8').decode(bytes);
}

function decoderOf(label: string): TextDecoder {
  try {
    const decoder = new TextDecoder(label);
    // A declaration in ASCII cannot name a two-byte encoding.
    return decoder.encoding.startsWith('utf-16') ? new TextDecoder() : decoder;
  } catch {
    // Browsers do not know this encoding.
    return new TextDecoder();
  }
}

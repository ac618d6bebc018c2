/** Returns a box of a HEIC or AVIF (ISO/IEC 14496-12, section 4.2). */
export function isoBox(kind: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.byteLength + 8);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, content]);
}

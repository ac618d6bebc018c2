/** Header fields that `tarOf` cannot set. */
interface TarFields {
  readonly type?: string;
  /** The size as a number, which is written in octal, or as the 12 bytes of the field. */
  readonly size?: Buffer | number;
  /** Bytes at other offsets of the header. */
  readonly at?: readonly (readonly [offset: number, bytes: string | Buffer])[];
}

/** Builds one header block of a tar archive. */
export function tarHeader(name: string, { type = '0', size = 0, at = [] }: TarFields = {}): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'latin1');
  header.write('0000644\0', 100, 'latin1');
  (typeof size === 'number' ? Buffer.from(tarOctal(size)) : size).copy(header, 124);
  header.write(`00000000000\0        ${type}`, 136, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  for (const [offset, bytes] of at)
    (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes).copy(header, offset);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** Formats a number in 12 bytes: octal digits and a terminating zero. */
export function tarOctal(number: number): string {
  return `${number.toString(8).padStart(11, '0')}\0`;
}

/** Pads content with zeros to whole blocks. */
export function padded(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** Builds a pax header and its content with these records. */
export function paxHeader(records: readonly (readonly [key: string, value: string])[], type = 'x'): Buffer {
  const content = Buffer.concat(
    records.map(([key, value]) => {
      const rest = Buffer.byteLength(` ${key}=${value}\n`);
      let length = rest + String(rest).length;
      while (String(length).length + rest !== length) length = rest + String(length).length;
      return Buffer.from(`${String(length)} ${key}=${value}\n`);
    }),
  );
  return Buffer.concat([tarHeader('pax', { type, size: content.length }), padded(content)]);
}

import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { padded, tarHeader } from '../files/tar-files.ts';
import {
  zipDirectory,
  zipLocalHeader,
  zipOf,
  type ZipHeader,
  tarOf,
} from '../../../electron/service/samples/sample-files.ts';

const modifiedMs = 1e12;

/** Returns archives with false sizes and offsets, with paths that lead outside, or with more content than declared. */
export function hostileArchives(): Readonly<Record<string, Uint8Array>> {
  const plain = zipOf([{ name: 'a.txt', bytes: Buffer.from('plain '.repeat(50)) }], modifiedMs);
  return {
    'bomb.zip': zipOf([{ name: 'zeros.txt', bytes: Buffer.alloc(200_000_000) }], modifiedMs),
    'cut.zip': plain.subarray(0, -30),
    'encrypted.zip': changed(plain, plain.indexOf('PK\u0001\u0002', 'latin1') + 8, 1),
    'inside-itself.zip': insideItself(),
    'many-ends.zip': Buffer.concat([plain, Buffer.from('PK\u0005\u0006'.repeat(10_000), 'latin1')]),
    'names.zip': zipOf(
      [
        '../../.profile',
        String.raw`..\..\windows\system.ini`,
        '/etc/passwd',
        'C:\\autoexec.bat',
        'nul',
        '\u202Egnp.exe',
        'a\0b',
        '<img src=x onerror=MARK()>.html',
        `${'d/'.repeat(20_000)}deep.txt`,
      ].map((name) => ({ name, bytes: Buffer.from('<script>MARK()</script>') })),
      modifiedMs,
    ),
    'overlapping.zip': overlapping(),
    'says-small.zip': saysSmall(),
    'zip64-lies.zip': zip64Lies(),
    'cut.tar': tarOf([{ name: 'a.txt', bytes: Buffer.alloc(2000) }], modifiedMs).subarray(0, 900),
    'huge.tar': tarHeader('huge.bin', { size: Buffer.from('80000000ffffffffffffffff', 'hex') }),
    'negative.tar': Buffer.concat([
      tarHeader('negative.bin', { size: Buffer.from('ffffffffffffffffffffffff', 'hex') }),
      tarHeader('after.txt'),
    ]),
    'long-name.tar': tarHeader('././@LongLink', { type: 'L', size: Buffer.from('77777777777\0') }),
    'many.tar': Buffer.concat(Array.from({ length: 40_000 }, () => tarHeader('../../same.txt'))),
    'only-extras.tar': tarOfExtras(),
    'pax.tar': Buffer.concat([
      tarHeader('pax', { type: 'x', size: Buffer.from('00000000076\0') }),
      padded('21 size=99999999999999\n41 path=../../../../../../../root/.ssh/id\n'),
      tarHeader('short.txt'),
    ]),
    'sparse.tar': Buffer.concat([tarHeader('sparse.bin', { type: 'S' }), tarHeader('link', { type: '2' })]),
    'wrong-sum.tar': changed(tarOf([{ name: 'a.txt', bytes: Buffer.from('a') }], modifiedMs), 148, 0x37),
    'members.log.gz': manyMembers(),
    'nested.gz': nested(300),
    'cut.txt.gz': gzipSync(Buffer.alloc(1_000_000, 'abc')).subarray(0, 400),
    'noise.txt.br': Buffer.from('a sentence that Brotli did not write, and that it takes for a block'),
    'runs.txt.zst': longRuns(10_000_000_000),
    'window.txt.zst': Buffer.from('28b52ffd00f8ffffff', 'hex'),
    'wrong-name.zip': gzipSync('not a zip'),
  };
}

/** Builds a zip with one file of zeros, which the directory lists 5,000 times (CVE-2019-13232). */
function overlapping(): Buffer {
  const content = deflateRawSync(Buffer.alloc(50_000_000));
  const header: ZipHeader = {
    name: 'zeros.bin',
    crc: 0,
    packedBytes: content.byteLength,
    sizeBytes: 50_000_000,
    offset: 0,
    method: 8,
  };
  const local = zipLocalHeader(header, modifiedMs);
  const headers = Array.from({ length: 5000 }, (_, at) => ({ ...header, name: `zeros-${String(at)}.bin` }));
  return Buffer.concat([
    local,
    content,
    zipDirectory(headers, local.byteLength + content.byteLength, modifiedMs),
  ]);
}

/** Builds a zip whose entry declares 10 bytes and decompresses to 100 MB. */
function saysSmall(): Buffer {
  const content = deflateRawSync(Buffer.alloc(100_000_000, 'a'));
  const header: ZipHeader = {
    name: 'small.txt',
    crc: crc32('aaaaaaaaaa'),
    packedBytes: content.byteLength,
    sizeBytes: 10,
    offset: 0,
    method: 8,
  };
  const local = zipLocalHeader(header, modifiedMs);
  return Buffer.concat([
    local,
    content,
    zipDirectory([header], local.byteLength + content.byteLength, modifiedMs),
  ]);
}

/** Builds a zip with a stored entry whose content is the zip itself. */
function insideItself(): Buffer {
  return holding(holding(0).byteLength);
}

function holding(sizeBytes: number): Buffer {
  const header: ZipHeader = {
    name: 'again.zip',
    crc: 0,
    packedBytes: sizeBytes,
    sizeBytes,
    offset: 0,
    method: 0,
  };
  const local = zipLocalHeader(header, modifiedMs);
  return Buffer.concat([local, zipDirectory([header], local.byteLength, modifiedMs)]);
}

/** Builds a zip whose zip64 end record declares 2^60 entries from offset 2^62. */
function zip64Lies(): Buffer {
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(2n ** 60n, 32);
  end64.writeBigUInt64LE(2n ** 62n, 40);
  end64.writeBigUInt64LE(2n ** 62n, 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  const end = Buffer.alloc(22, 0xff);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(0, 20);
  return Buffer.concat([end64, locator, end]);
}

/** Builds a tar of 20 MB of extension headers without the entries that should follow them. */
export function tarOfExtras(): Buffer {
  return Buffer.concat(Array.from({ length: 40_000 }, () => tarHeader('x', { type: 'K' })));
}

/** Builds a gzip file of 10 GB of zeros, in members of 100 MB. */
function manyMembers(): Buffer {
  const member = gzipSync(Buffer.alloc(100_000_000));
  return Buffer.concat(Array.from({ length: 100 }, () => member));
}

/** Compresses a small file with gzip this many times. */
function nested(times: number): Buffer {
  let bytes: Buffer = Buffer.from('the kernel');
  for (let at = 0; at < times; at += 1) bytes = gzipSync(bytes);
  return bytes;
}

/** Builds a Zstandard frame that repeats one byte, in RLE blocks of 128 KiB (RFC 8878, section 3.1.1.2). */
function longRuns(sizeBytes: number): Buffer {
  const blockBytes = 128 * 1024;
  const count = Math.ceil(sizeBytes / blockBytes);
  const blocks = Buffer.alloc(count * 4);
  for (let at = 0; at < count; at += 1) {
    blocks.writeUIntLE((blockBytes << 3) | 2 | (at === count - 1 ? 1 : 0), at * 4, 3);
    blocks[at * 4 + 3] = 0x61;
  }
  // No content size, no checksum; a window of 1 MiB.
  return Buffer.concat([Buffer.from('28b52ffd0050', 'hex'), blocks]);
}

function changed(bytes: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = byte;
  return copy;
}

import {
  Z_BUF_ERROR,
  Z_DATA_ERROR,
  Z_NEED_DICT,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateInit2,
  zlibInflateReset,
} from 'pako';
import type { ByteSink, Remark, Unpacker } from './unpacker.ts';

const outBytes = 64 * 1024;
/** The parameter of inflateInit2 (zlib.h): the window has 15 bits. 16 more mean gzip, and a negative number means no header. */
const windowBits = { gzip: 31, zlib: 15, deflate: -15 } as const;
const firstMagicByte = 0x1f;

/**
 * Decompresses one stream of raw deflate or of zlib, or all members of gzip: concatenated logs have several, and bgzip always
 * writes several. The browser's DecompressionStream rejects a second member (whatwg/compression#39). Verifies the checksum of
 * zlib, and the checksum and length of each member.
 */
export function inflateUnpacker(wrapper: keyof typeof windowBits): (out: ByteSink) => Unpacker {
  return (out) => inflater(out, wrapper);
}

function inflater(out: ByteSink, wrapper: keyof typeof windowBits): Unpacker {
  const stream = new ZStream();
  zlibInflateInit2(stream, windowBits[wrapper]);
  let members = 0;
  let isBetween = false;
  return {
    push: (bytes) => {
      stream.input = bytes;
      stream.next_in = 0;
      stream.avail_in = bytes.length;
      for (;;) {
        if (
          isBetween &&
          stream.avail_in > 0 &&
          (wrapper !== 'gzip' || bytes[stream.next_in] !== firstMagicByte)
        )
          return 'trailing';
        stream.output = new Uint8Array(outBytes);
        stream.next_out = 0;
        stream.avail_out = outBytes;
        const status = zlibInflate(stream, Z_NO_FLUSH);
        if (stream.next_out > 0) out(stream.output.subarray(0, stream.next_out));
        if (status === Z_STREAM_END) {
          members += 1;
          isBetween = true;
          zlibInflateReset(stream);
        } else if (status === Z_DATA_ERROR) return remarkOf(stream.msg, members);
        else if (status === Z_OK) isBetween &&= stream.avail_in === 0;
        // Any other status means no progress, so the loop would never end.
        else if (status !== Z_BUF_ERROR || stream.avail_in > 0) throw new Error(stoppedBy(status));
        // A full output buffer may mean that more output follows.
        if (stream.avail_in === 0 && stream.avail_out > 0) return null;
      }
    },
    end: () => (isBetween ? null : 'ends-early'),
  };
}

function stoppedBy(status: number): string {
  return status === Z_NEED_DICT
    ? 'the stream needs a preset dictionary'
    : `decompression stopped with status ${String(status)}`;
}

/** Maps a message of zlib to a remark. Throws if the beginning is damaged. */
function remarkOf(message: string, members: number): Remark {
  if (/incorrect (?:data|length) check/.test(message)) return 'checksum';
  if (members > 0 && /header|method/.test(message)) return 'trailing';
  throw new Error(message);
}

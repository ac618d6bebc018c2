/// <reference lib="dom" />
// Draws the small film of the sample buckets, encodes it in Chromium (WebCodecs, VP8), and writes it as WebM with an index,
// so that it is seekable: `node build/scripts/sample-video.ts`. The result is checked in, since the service has no Chromium.
import { chromium } from '@playwright/test';
import { findChromium } from '../../test/support/window/chromium.ts';
import { keepSamples } from './keep-sample.ts';

interface Frame {
  readonly ms: number;
  readonly isKey: boolean;
  readonly base64: string;
}

const size = { width: 192, height: 108, seconds: 4, framesPerSecond: 10 };
const { width, height, seconds } = size;
const found = await findChromium();
const browser = await chromium.launch({ executablePath: found.file, chromiumSandbox: false });
const page = await browser.newPage();
// Video encoders are available on secure origins only.
await page.route('https://film.test/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
await page.goto('https://film.test/');
const frames = await page.evaluate(encode, size);
await browser.close();

const webm = webmOf(frames);
keepSamples({ film: webm });
console.log(`${String(webm.byteLength)} bytes`);

/** Draws and encodes a red buoy on a wave and a turning light. Runs in the page. */
async function encode({ width, height, seconds, framesPerSecond }: typeof size): Promise<Frame[]> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas.');
  const made: Frame[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      made.push({ ms: Math.round(chunk.timestamp / 1000), isKey: chunk.type === 'key', base64 });
    },
    error: (failed) => {
      throw failed;
    },
  });
  encoder.configure({ codec: 'vp8', width, height, bitrate: 60_000, framerate: framesPerSecond });
  for (let at = 0; at < seconds * framesPerSecond; at += 1) {
    const turn = (at / framesPerSecond) * Math.PI;
    const sea = height * 0.62;
    context.fillStyle = '#f3d9b1';
    context.fillRect(0, 0, width, sea);
    context.fillStyle = '#2f6f8f';
    context.fillRect(0, sea, width, height);
    const lift = Math.sin(turn) * 5;
    context.fillStyle = '#c0392b';
    context.fillRect(width * 0.45, sea - 26 + lift, 18, 30);
    context.fillStyle = Math.sin(turn * 2) > 0 ? '#fffbe0' : '#7a6a4a';
    context.fillRect(width * 0.45 + 5, sea - 34 + lift, 8, 8);
    const frame = new VideoFrame(canvas, { timestamp: (at * 1_000_000) / framesPerSecond });
    encoder.encode(frame, { keyFrame: at % framesPerSecond === 0 });
    frame.close();
  }
  await encoder.flush();
  return made;
}

/** Returns a Matroska file: Segment with Info, Tracks, Cues and one cluster per second. https://www.rfc-editor.org/rfc/rfc9559 */
function webmOf(all: readonly Frame[]): Buffer {
  const header = element('1a45dfa3', [
    element('4286', number(1)),
    element('42f7', number(1)),
    element('42f2', number(4)),
    element('42f3', number(8)),
    element('4282', Buffer.from('webm')),
    element('4287', number(2)),
    element('4285', number(2)),
  ]);
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  const info = element('1549a966', [
    element('2ad7b1', number(1_000_000)),
    element('4489', duration),
    element('4d80', Buffer.from('Cooper')),
    element('5741', Buffer.from('Cooper')),
  ]);
  const tracks = element('1654ae6b', [
    element('ae', [
      element('d7', number(1)),
      element('73c5', number(1)),
      element('83', number(1)),
      element('86', Buffer.from('V_VP8')),
      element('e0', [element('b0', number(width)), element('ba', number(height))]),
    ]),
  ]);
  const clusters = Array.from({ length: seconds }, (_, second) => {
    const within = all.filter(({ ms }) => Math.floor(ms / 1000) === second);
    const blocks = within.map(({ ms, isKey, base64 }) => {
      const start = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0]);
      start.writeInt16BE(ms - second * 1000, 1);
      return element('a3', [start, Buffer.from(base64, 'base64')]);
    });
    return element('1f43b675', [element('e7', number(second * 1000)), ...blocks]);
  });
  // Writes positions with a fixed width, so that the length of the index does not depend on them.
  const cuesFor = (base: number): Buffer => {
    let position = base;
    const points = clusters.map((cluster, second) => {
      const at = Buffer.alloc(4);
      at.writeUInt32BE(position);
      position += cluster.byteLength;
      return element('bb', [
        element('b3', number(second * 1000)),
        element('b7', [element('f7', number(1)), element('f1', at)]),
      ]);
    });
    return element('1c53bb6b', points);
  };
  const before = info.byteLength + tracks.byteLength;
  const cues = cuesFor(before + cuesFor(0).byteLength);
  return Buffer.concat([header, element('18538067', [info, tracks, cues, ...clusters])]);
}

function element(id: string, content: Buffer | readonly Buffer[]): Buffer {
  const body = Buffer.isBuffer(content) ? content : Buffer.concat(content);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x1000_0000 + body.byteLength);
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

import { decodeHeic } from './heic.ts';
import type { HeicQuestion, ImageAnswer } from '../worker/image-messages.ts';

// Only the policy of this script's own response allows WebAssembly (electron/host/window-files.ts).

async function answerTo({ bytes, decoder }: HeicQuestion): Promise<ImageAnswer> {
  const { body, ok, status } = await fetch(decoder);
  if (!ok || body === null) throw new Error(`The decoder came with ${String(status)}.`);
  const unpacked = new Response(body.pipeThrough(new DecompressionStream('gzip')));
  return await decodeHeic(bytes, new Uint8Array(await unpacked.arrayBuffer()));
}

function say(answer: ImageAnswer): void {
  self.postMessage(answer, { transfer: answer.kind === 'picture' ? [answer.picture.rgba.buffer] : [] });
}

self.addEventListener('message', (event: MessageEvent<HeicQuestion>) => {
  // The library throws arbitrary errors for damaged files.
  answerTo(event.data).then(say, () => {
    say({ kind: 'damaged' });
  });
});

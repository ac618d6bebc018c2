import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openBody } from '../../../../../electron/core/s3/http/request-body.ts';

const open = async (source: Readable, sizeBytes: number) => {
  const body = await openBody({ sizeBytes, open: () => source }, true);
  if (!(body.content instanceof PassThrough) && !(body.content && 'read' in body.content))
    throw new Error('A stream was expected.');
  return { body, content: body.content };
};

describe('a request body', () => {
  it('counts as sent once its last byte was read, even before the source ends', async () => {
    const source = new PassThrough();
    const { body, content } = await open(source, 6);
    content.resume();
    source.write('abc');
    await once(content, 'data');
    expect(body.allSent()).toBe(false);
    source.write('def');
    await once(content, 'data');
    expect(content.readableEnded).toBe(false);
    expect(body.allSent()).toBe(true);
    body.close();
  });

  it('does not count as sent if the source ended early', async () => {
    const source = new PassThrough();
    const { body, content } = await open(source, 6);
    content.resume();
    source.end('abc');
    await new Promise((resolve) => content.once('close', resolve));
    expect(body.allSent()).toBe(false);
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeKey } from '../../../../electron/core/s3/model/encode.ts';
import { bytesSource, errorOf } from '../../../support/servers/s3-client.ts';
import { bare, md5Hex, quoting } from '../etags.ts';
import { type Suite } from '../suite.ts';
import { inWords, outcomeOf, raw } from '../target.ts';

export function multipartCases({
  target,
  client,
  bucket,
  note,
  begin,
  completeUnder,
  needing,
  refused,
}: Suite): void {
  describe('multipart uploads', () => {
    const size = 5 * 1024 * 1024;
    const first = Buffer.alloc(size, 'a');
    const second = Buffer.from('the end');

    it('are listed with their parts until completed, then exist as an object', async () => {
      const key = 'mp/whole é';
      const upload = await begin(key, [first, second]);
      await needing('ListMultipartUploads', async () => {
        const { uploads } = await client.listMultipartUploads({ bucket, prefix: 'mp/' });
        const { uploadId } = upload;
        expect(uploads.map((listed) => ({ key: listed.key, uploadId: listed.uploadId }))).toContainEqual({
          key,
          uploadId,
        });
        expect(Date.parse(uploads[0]?.initiatedAt ?? '')).toBeGreaterThan(Date.now() - 600_000);
      });
      const { parts } = await client.listParts(upload);
      expect(parts.map(({ partNumber, sizeBytes, etag }) => [partNumber, sizeBytes, bare(etag)])).toEqual([
        [1, size, md5Hex(first)],
        [2, second.byteLength, md5Hex(second)],
      ]);
      const done = await client.completeMultipartUpload(upload);
      note('ETag in the answer of Complete', quoting(done.etag));
      note('Location in the answer of Complete', done.location === null ? 'absent' : 'present');
      const expected = `${md5Hex(Buffer.from(md5Hex(first) + md5Hex(second), 'hex'))}-2`;
      const head = await client.headObject({ bucket, key });
      expect(head.sizeBytes).toBe(size + second.byteLength);
      expect(bare(head.etag)).toBe(expected);
      await needing('ListMultipartUploads', async () => {
        expect((await client.listMultipartUploads({ bucket, prefix: 'mp/' })).uploads).toEqual([]);
      });

      const repeat = await outcomeOf(client.completeMultipartUpload(upload));
      note('Complete repeated after success', repeat);
      expect(repeat).toMatch(/^(?:success|404 |500 )/);
      // Swift keeps the parts of a completed upload and still lists them.
      const partsAfterwards = await outcomeOf(client.listParts(upload));
      note('ListParts after completion', partsAfterwards);
      expect(partsAfterwards).toMatch(target.strict ? /^404 NoSuchUpload$/ : /^(?:404 |success)/);
      expect(bare((await client.headObject({ bucket, key })).etag)).toBe(expected);
      note(
        'UploadPart after completion',
        await outcomeOf(client.uploadPart({ ...upload, partNumber: 3, body: bytesSource('x') })),
      );
    });

    it('are completed if their condition holds, and kept if it does not', async () => {
      const key = 'mp/conditional';
      const create = await begin(key, [second]);
      note(
        'If-None-Match: * in a Complete where nothing is',
        await completeUnder(create, { ifNoneMatch: '*' }),
      );
      const { etag } = await client.headObject({ bucket, key });
      const replace = await begin(key, [first, second]);
      note('If-Match in a Complete over that object', await completeUnder(replace, { ifMatch: etag ?? '' }));
      expect((await client.headObject({ bucket, key })).sizeBytes).toBe(size + second.byteLength);

      for (const [words, condition] of [
        ['If-None-Match: * in a Complete over an object', { ifNoneMatch: '*' }],
        ['If-Match with another ETag in a Complete', { ifMatch: `"${'0'.repeat(32)}"` }],
      ] as const) {
        const upload = await begin(key, [second]);
        const outcome = await outcomeOf(client.completeMultipartUpload({ ...upload, ...condition }));
        note(words, outcome);
        // Swift responds to If-None-Match over an object with a different error: 412 InvalidRequest.
        expect(outcome).toMatch(
          refused.conditions ?? (target.strict ? /^412 PreconditionFailed$/ : /^(?:412 |success)/),
        );
        const isRefused = outcome !== 'success';
        const after = (await client.headObject({ bucket, key })).sizeBytes;
        const left = isRefused ? (await client.listParts(upload)).parts.length : 0;
        expect([after, left]).toEqual(isRefused ? [size + second.byteLength, 1] : [second.byteLength, 0]);
        if (isRefused) await client.abortMultipartUpload(upload);
      }
      note(
        'If-Match in a Complete where nothing is',
        await (async () => {
          const upload = await begin('mp/nothing', [second]);
          const outcome = await outcomeOf(client.completeMultipartUpload({ ...upload, ifMatch: '"e"' }));
          if (outcome !== 'success') await client.abortMultipartUpload(upload);
          return outcome;
        })(),
      );
    });

    it('are paged with both markers, and their parts by number', async () => {
      const key = 'paged/k';
      const uploads = [await begin(key, []), await begin(key, []), await begin('paged/l', [])];
      const seen: string[] = [];
      await needing('ListMultipartUploads', async () => {
        let next: { keyMarker: string; uploadIdMarker: string } | null = null;
        for (let count = 0; count < 10; count += 1) {
          const page = await client.listMultipartUploads({
            bucket,
            prefix: 'paged/',
            maxUploads: 1,
            ...next,
          });
          seen.push(...page.uploads.map(({ uploadId }) => uploadId));
          next = page.next;
          if (next === null) break;
        }
        expect(seen.toSorted()).toEqual(uploads.map(({ uploadId }) => uploadId).toSorted());
      });
      const many = await begin(
        'paged/parts',
        ['1', '2', '3'].map((text) => Buffer.from(text)),
      );
      const numbers: number[] = [];
      let marker: string | null = null;
      for (let count = 0; count < 10; count += 1) {
        const page = await client.listParts({
          ...many,
          maxParts: 2,
          ...(marker ? { partNumberMarker: marker } : {}),
        });
        numbers.push(...page.parts.map(({ partNumber }) => partNumber));
        marker = page.nextPartNumberMarker;
        if (marker === null) break;
      }
      expect(numbers).toEqual([1, 2, 3]);
      for (const upload of [...uploads, many]) await client.abortMultipartUpload(upload);
    });

    it('stay after a missing part, another ETag or a small part is refused', async () => {
      const upload = await begin('mp/refused', [first, second]);
      const [firstPart, two] = upload.parts;
      if (!firstPart || !two) throw new Error('Two parts were sent.');
      const missing = await errorOf(
        client.completeMultipartUpload({ ...upload, parts: [firstPart, { partNumber: 7, etag: two.etag }] }),
      );
      note('Complete with a part that is not there', inWords(missing));
      expect(missing).toMatchObject({ code: 'parts-rejected', reason: 'invalid-part' });
      const other = await errorOf(
        client.completeMultipartUpload({
          ...upload,
          parts: [firstPart, { ...two, etag: `"${'0'.repeat(32)}"` }],
        }),
      );
      note("Complete with another part's ETag", inWords(other));
      expect(other).toMatchObject({ code: 'parts-rejected', reason: 'invalid-part' });
      expect((await client.listParts(upload)).parts).toHaveLength(2);
      await client.abortMultipartUpload(upload);

      const small = await begin('mp/small', [Buffer.from('small'), second]);
      const tooSmall = await outcomeOf(client.completeMultipartUpload(small));
      note('Complete with a small part in front', tooSmall);
      expect(tooSmall).toBe('400 EntityTooSmall');
      await client.abortMultipartUpload(small);
    });

    it('are not completed with parts in the wrong order', async () => {
      const upload = await begin('mp/order', [first, second]);
      // Sends the wrong order without the client, which would sort the parts.
      const response = await raw(target, {
        method: 'POST',
        path: `/${bucket}/${encodeKey(upload.key)}`,
        query: { uploadId: upload.uploadId },
        body: `<CompleteMultipartUpload>${upload.parts
          .toReversed()
          .map(
            ({ partNumber, etag }) =>
              `<Part><PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag></Part>`,
          )
          .join('')}</CompleteMultipartUpload>`,
      });
      const outcome = `${response.status} ${/<Code>(\w+)/.exec(response.text)?.[1] ?? ''}`.trim();
      note('Complete in the wrong order', outcome);
      expect(target.strict ? ['400 InvalidPartOrder'] : ['400 InvalidPartOrder', '200']).toContain(outcome);
      if (response.status !== 200) await client.abortMultipartUpload(upload);
    });

    it('may leave out parts if the service allows it', async () => {
      const upload = await begin('mp/left-out', [first, first, second]);
      const parts = upload.parts.filter(({ partNumber }) => partNumber !== 2);
      const outcome = await outcomeOf(client.completeMultipartUpload({ ...upload, parts }));
      note('Complete with an uploaded part left out', outcome);
      expect(target.strict ? ['success'] : ['success', '400 InvalidPart']).toContain(outcome);
      if (outcome !== 'success') await client.abortMultipartUpload(upload);
    });

    it('accept ETags without quotes', async () => {
      const upload = await begin('mp/bare', [first, second]);
      await client.completeMultipartUpload({
        ...upload,
        parts: upload.parts.map((part) => ({ ...part, etag: bare(part.etag) ?? '' })),
      });
      expect((await client.headObject({ bucket, key: 'mp/bare' })).sizeBytes).toBe(size + second.byteLength);
    });

    it('that are unknown or aborted are reported as gone', async () => {
      const upload = await begin('mp/aborted', [second]);
      await client.abortMultipartUpload(upload);
      for (const [label, uploadId] of [
        ['an aborted upload', upload.uploadId],
        ['an unknown upload', 'no-such-upload-id'],
      ] as const) {
        const ref = { ...upload, uploadId };
        const complete = await errorOf(client.completeMultipartUpload(ref));
        note(`Complete of ${label}`, inWords(complete));
        expect(['upload-gone', 'server']).toContain(complete.code);
        const list = await errorOf(client.listParts(ref));
        note(`ListParts of ${label}`, inWords(list));
        expect(list.code).toBe('upload-gone');
        note(`Abort of ${label}`, await outcomeOf(client.abortMultipartUpload(ref)));
      }
    });

    it('can be made of copied parts', async () => {
      await client.putObject({ bucket, key: 'mp/source', body: bytesSource(first) });
      const upload = await begin('mp/copied', []);
      const source = { bucket, key: 'mp/source' };
      const copied = await client.uploadPartCopy({ ...upload, partNumber: 1, source });
      const two = await client.uploadPartCopy({
        ...upload,
        partNumber: 2,
        source,
        range: { firstByte: 0, lastByte: 9 },
      });
      await client.completeMultipartUpload({
        ...upload,
        parts: [
          { partNumber: 1, etag: copied.etag },
          { partNumber: 2, etag: two.etag },
        ],
      });
      expect((await client.headObject({ bucket, key: 'mp/copied' })).sizeBytes).toBe(size + 10);
    });

    it('with checksums are completed with them, if supported', async () => {
      const ref = { bucket, key: 'mp/checksums' };
      const { uploadId } = await client.createMultipartUpload({ ...ref, checksumAlgorithm: 'sha256' });
      const sha256 = createHash('sha256').update(second).digest('base64');
      const part = await client.uploadPart({
        ...ref,
        uploadId,
        partNumber: 1,
        body: bytesSource(second),
        checksums: { sha256 },
      });
      const [listed] = (await client.listParts({ ...ref, uploadId })).parts;
      note('checksums of parts are kept', listed?.checksums.sha256 === sha256);
      const withChecksum = { partNumber: 1, etag: part.etag, checksums: listed?.checksums ?? {} };
      await client.completeMultipartUpload({ ...ref, uploadId, parts: [withChecksum] });
      expect((await client.headObject(ref)).sizeBytes).toBe(second.byteLength);
    });
  });
}

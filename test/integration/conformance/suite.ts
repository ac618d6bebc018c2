import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { ListObjectsInput } from '../../../electron/core/s3/model/listing-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { PlannedFeature, ServicePlan } from '../../support/lab-service/service-plans.ts';
import { bytesSource } from '../../support/servers/s3-client.ts';
import { bare, md5Hex } from './etags.ts';
import type { Notebook } from './observations.ts';
import { connect, outcomeOf, raw, type RawResponse, type Target } from './target.ts';

/** An upload with its parts, as input for CompleteMultipartUpload. */
export interface BegunUpload {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
  readonly parts: readonly { readonly partNumber: number; readonly etag: string }[];
}

/** The context of the cases: a client of the service, a bucket, and short forms of frequent requests. */
export interface Suite {
  readonly target: Target;
  /** The expected outcomes of features that the service does not support. Empty for a service without a plan. */
  readonly refused: NonNullable<ServicePlan['refused']>;
  readonly client: S3Client;
  readonly bucket: string;
  readonly note: Notebook['note'];
  readonly put: (key: string, content?: string) => Promise<void>;
  /** Returns the keys and common prefixes of all pages. */
  readonly all: (input: Omit<ListObjectsInput, 'bucket'>) => Promise<readonly string[]>;
  /** Lists the keys of the listing cases with a raw request, without the client. */
  readonly ask: (query: Record<string, string>) => Promise<RawResponse>;
  readonly begin: (key: string, parts: readonly Uint8Array[]) => Promise<BegunUpload>;
  /**
   * Completes with a condition that holds. A service that refuses it anyway, as Swift does, must keep the upload, so that the
   * program can complete it without the condition.
   */
  readonly completeUnder: (
    upload: BegunUpload,
    condition: { readonly ifNoneMatch: '*' } | { readonly ifMatch: string },
  ) => Promise<string>;
  /** Runs a case that needs a feature. If the service's plan refuses the feature, the case has to end with that refusal. */
  readonly needing: (feature: PlannedFeature | null, run: () => Promise<void>) => Promise<void>;
}

/** A page token of this client that asks for ListObjects V1 from the beginning. */
export const inV1 = JSON.stringify({ v: 1, marker: '' });

export const listed = (names: readonly string[]) => names.map((name) => `list/${name}`);

export function createSuite(target: Target, notebook: Notebook, refused: Suite['refused']): Suite {
  const client = connect(target);
  const bucket = `conformance-${randomBytes(6).toString('hex')}`;
  return {
    target,
    refused,
    client,
    bucket,
    note: notebook.note.bind(notebook),

    async put(key, content = 'x') {
      await client.putObject({ bucket, key, body: bytesSource(content) });
    },

    async all(input) {
      const found: string[] = [];
      let pageToken: string | undefined = input.pageToken;
      for (let count = 0; count < 200; count += 1) {
        const page = await client.listObjects({ bucket, ...input, ...(pageToken ? { pageToken } : {}) });
        found.push(...page.objects.map(({ key }) => key), ...page.commonPrefixes);
        if (page.nextPageToken === null) return found;
        pageToken = page.nextPageToken;
      }
      throw new Error('The listing does not end.');
    },

    async ask(query) {
      return await raw(target, { path: `/${bucket}`, query: { prefix: 'list/', ...query } });
    },

    async begin(key, parts) {
      const { uploadId } = await client.createMultipartUpload({ bucket, key });
      const sent: { partNumber: number; etag: string }[] = [];
      for (const [index, bytes] of parts.entries()) {
        const partNumber = index + 1;
        const body = bytesSource(bytes);
        const { etag } = await client.uploadPart({ bucket, key, uploadId, partNumber, body });
        expect(bare(etag)).toBe(md5Hex(bytes));
        sent.push({ partNumber, etag });
      }
      return { bucket, key, uploadId, parts: sent };
    },

    async completeUnder(upload, condition) {
      const outcome = await outcomeOf(client.completeMultipartUpload({ ...upload, ...condition }));
      const expected =
        refused.conditions ?? (target.strict ? /^success$/ : /^success$|^412 PreconditionFailed$/);
      expect(outcome).toMatch(expected);
      if (outcome === 'success') return outcome;
      expect((await client.listParts(upload)).parts).toHaveLength(upload.parts.length);
      await client.completeMultipartUpload(upload);
      return `${outcome}, without it success`;
    },

    async needing(feature, run) {
      const refusal = feature === null ? undefined : refused[feature];
      if (refusal === undefined) await run();
      else expect(await outcomeOf(run())).toBe(refusal);
    },
  };
}

import { createHash } from 'node:crypto';
import { failure } from '../../../shared/errors.ts';
import type { ObjectAttributes, ObjectRef } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';

/** How an object is encrypted, as the headers of a HEAD tell it. */
export type ToldEncryption = Readonly<Record<string, string>>;

export function underKey(keyId: string): ToldEncryption {
  return {
    'x-amz-server-side-encryption': 'aws:kms',
    [kmsKey]: keyId,
  };
}

const kmsKey = 'x-amz-server-side-encryption-aws-kms-key-id';
const customerAlgorithm = 'x-amz-server-side-encryption-customer-algorithm';

export function nameOf({ bucket, key }: ObjectRef): string {
  return `${bucket}/${key}`;
}

/** By a key of the user's own, by its digest. */
export function underCustomerKey(md5: string): ToldEncryption {
  return {
    [customerAlgorithm]: 'AES256',
    'x-amz-server-side-encryption-customer-key-md5': md5,
  };
}

function isAboutIt([name]: readonly [string, string]): boolean {
  return name.startsWith('x-amz-server-side-encryption');
}

/** Returns the requested attributes that the embedded service does not handle. */
function taken({ headers, customerKeyMd5 }: ObjectAttributes) {
  const entries = Object.entries(headers ?? {});
  const ofCustomer = customerKeyMd5 === undefined ? {} : underCustomerKey(customerKeyMd5);
  return {
    about: { ...Object.fromEntries(entries.filter(isAboutIt)), ...ofCustomer },
    headers: Object.fromEntries(entries.filter((entry) => !isAboutIt(entry))),
  };
}

/** Adds encryption around the embedded service, which has none: as the request asks, or by the bucket's default. */
export class KmsService {
  /** By bucket and key. */
  readonly encrypted = new Map<string, ToldEncryption>();
  /** By bucket: its default encryption. */
  readonly defaults = new Map<string, ToldEncryption>();
  /** Ignores requested encryption, as a service that does not know it. */
  isDeaf = false;
  /** CopyObject is refused for an object encrypted with a key, as on Ceph 16.2.15 (ceph#63794 fixes it). */
  copiesNoKeyed = false;
  /** Each HEAD, by bucket and key. */
  readonly looks: string[] = [];
  readonly #hidesEtags: boolean;
  /** By upload. */
  readonly #begun = new Map<string, ToldEncryption>();
  /** The true ETag of each that was shown. */
  readonly #shown = new Map<string, string>();

  /** `hidesEtags`: as on S3, where they look like an MD5 under KMS, and are none. */
  constructor({ hidesEtags }: { readonly hidesEtags: boolean }) {
    this.#hidesEtags = hidesEtags;
  }

  around(client: S3Client): S3Client {
    return {
      ...client,
      putObject: async (input, options) => {
        const { about, headers } = taken(input);
        const answer = await client.putObject({ ...input, ...this.#conditions(input), headers }, options);
        this.#wrote(input, about);
        return this.#saysHidden(this.#hideEtag(answer));
      },
      createMultipartUpload: async (input, options) => {
        const { about, headers } = taken(input);
        const { customerKeyMd5: _named, ...plain } = input;
        const answer = await client.createMultipartUpload({ ...plain, headers }, options);
        this.#begun.set(answer.uploadId, about);
        return answer;
      },
      uploadPart: async (input, options) =>
        this.#saysHidden(this.#hideEtag(await client.uploadPart(input, options))),
      uploadPartCopy: async (input, options) =>
        this.#hideEtag(await client.uploadPartCopy({ ...input, ...this.#conditions(input) }, options)),
      listParts: async (input, options) => {
        const page = await client.listParts(input, options);
        return { ...page, parts: page.parts.map((part) => this.#hideEtag(part)) };
      },
      completeMultipartUpload: async (input, options) => {
        const parts = input.parts.map((part) => ({ ...part, etag: this.#trueEtag(part.etag) }));
        const answer = await client.completeMultipartUpload({ ...input, parts }, options);
        this.#wrote(input, this.#begun.get(input.uploadId) ?? {});
        return this.#hideEtag(answer);
      },
      copyObject: async (input, options) => {
        const { about, headers } = taken(input.attributes ?? {});
        const before = this.encrypted.get(nameOf(input.source)) ?? {};
        if (this.copiesNoKeyed && (kmsKey in before || customerAlgorithm in before))
          throw failure('unsupported', 'Not implemented.', { reason: 'not-implemented' });
        const attributes = { ...input.attributes, headers };
        const answer = await client.copyObject({ ...input, ...this.#conditions(input), attributes }, options);
        // The client itself copies what a customer key has encrypted with the same one.
        this.#wrote(input, customerAlgorithm in before ? before : about);
        return this.#hideEtag(answer);
      },
      headObject: async (ref, options) => {
        this.looks.push(nameOf(ref));
        return this.#told(ref, this.#hideEtag(await client.headObject(ref, options)));
      },
      getObject: async (input, options) => {
        const answer = await client.getObject({ ...input, ...this.#conditions(input) }, options);
        // Its body is opened when it is first asked for: no copy of the answer would have it.
        const { etag, headers } = this.#told(input, this.#hideEtag({ ...answer }));
        return Object.assign(answer, { etag, headers });
      },
      listObjects: async (input, options) => {
        const page = await client.listObjects(input, options);
        return { ...page, objects: page.objects.map((object) => this.#hideEtag(object)) };
      },
      deleteObject: async (input, options) =>
        await client.deleteObject({ ...input, ...this.#conditions(input) }, options),
      deleteObjects: async (input, options) => {
        const keys = input.keys.map((one) =>
          one.etag === undefined ? one : { ...one, etag: this.#trueEtag(one.etag) },
        );
        return await client.deleteObjects({ ...input, keys }, options);
      },
    };
  }

  #wrote(ref: ObjectRef, asked: ToldEncryption): void {
    const isAsked = !this.isDeaf && Object.keys(asked).length > 0;
    this.encrypted.set(nameOf(ref), isAsked ? asked : (this.defaults.get(ref.bucket) ?? {}));
  }

  #hideEtag<T extends { readonly etag: string | null }>(answer: T): T {
    if (answer.etag === null || !this.#hidesEtags) return answer;
    const bare = answer.etag.replaceAll('"', '');
    const parts = /-\d+$/u.exec(bare)?.[0] ?? '';
    const made = `"${createHash('sha256').update(bare).digest('hex').slice(0, 32)}${parts}"`;
    this.#shown.set(made, answer.etag);
    return { ...answer, etag: made };
  }

  /** Each answer to a PUT or a part names the encryption (API_PutObject, API_UploadPart). */
  #saysHidden<T extends { readonly etag: string | null }>(answer: T): T {
    return this.#hidesEtags ? { ...answer, etagHidesMd5: true } : answer;
  }

  #trueEtag(etag: string): string {
    return this.#shown.get(etag) ?? etag;
  }

  #conditions(input: { readonly ifMatch?: string | undefined; readonly sourceIfMatch?: string | undefined }) {
    return {
      ...(input.ifMatch === undefined ? {} : { ifMatch: this.#trueEtag(input.ifMatch) }),
      ...(input.sourceIfMatch === undefined ? {} : { sourceIfMatch: this.#trueEtag(input.sourceIfMatch) }),
    };
  }

  /** An answer about an object, as the service gives it. */
  #told<T extends { readonly headers: ToldEncryption }>(ref: ObjectRef, answer: T): T {
    return { ...answer, headers: { ...answer.headers, ...this.encrypted.get(nameOf(ref)) } };
  }
}

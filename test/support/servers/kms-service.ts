import { createHash } from 'node:crypto';
import { failure } from '../../../shared/errors.ts';
import type { ObjectAttributes, ObjectRef } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';

/** The encryption of an object, as headers of a HeadObject response. */
export type EncryptionHeaders = Readonly<Record<string, string>>;

export function underKey(keyId: string): EncryptionHeaders {
  return { 'x-amz-server-side-encryption': 'aws:kms', [kmsKey]: keyId };
}

const kmsKey = 'x-amz-server-side-encryption-aws-kms-key-id';
const customerAlgorithm = 'x-amz-server-side-encryption-customer-algorithm';

export function nameOf({ bucket, key }: ObjectRef): string {
  return `${bucket}/${key}`;
}

/** Returns the headers for an object that is encrypted with a customer key (SSE-C). They name the key by its MD5. */
export function underCustomerKey(md5: string): EncryptionHeaders {
  return { [customerAlgorithm]: 'AES256', 'x-amz-server-side-encryption-customer-key-md5': md5 };
}

function isAboutIt([name]: readonly [string, string]): boolean {
  return name.startsWith('x-amz-server-side-encryption');
}

/** Splits requested attributes into the encryption and the rest, since the embedded service supports no encryption. */
function splitEncryption({ headers, customerKeyMd5 }: ObjectAttributes) {
  const entries = Object.entries(headers ?? {});
  const ofCustomer = customerKeyMd5 === undefined ? {} : underCustomerKey(customerKeyMd5);
  return {
    about: { ...Object.fromEntries(entries.filter(isAboutIt)), ...ofCustomer },
    headers: Object.fromEntries(entries.filter((entry) => !isAboutIt(entry))),
  };
}

/** Wraps a client to simulate encryption, which the embedded service lacks. Encrypts as requested, or by the bucket's default. */
export class KmsService {
  /** The encryption of each object, by bucket and key. */
  readonly encrypted = new Map<string, EncryptionHeaders>();
  /** The default encryption of each bucket. */
  readonly defaults = new Map<string, EncryptionHeaders>();
  /** True to ignore requested encryption, like a service that does not support it. */
  isDeaf = false;
  /** True to refuse CopyObject for objects encrypted with a key, as Ceph 16.2.15 does (ceph#63794 fixes it). */
  copiesNoKeyed = false;
  /** The bucket and key of each HeadObject request. */
  readonly looks: string[] = [];
  readonly #hidesEtags: boolean;
  /** The encryption of each multipart upload, by its id. */
  readonly #begun = new Map<string, EncryptionHeaders>();
  /** Maps each false ETag returned so far to the real ETag. */
  readonly #shown = new Map<string, string>();

  /** With `hidesEtags`, returns false ETags, like S3 with KMS, whose ETags look like an MD5 but are none. */
  constructor({ hidesEtags }: { readonly hidesEtags: boolean }) {
    this.#hidesEtags = hidesEtags;
  }

  around(client: S3Client): S3Client {
    return {
      ...client,
      putObject: async (input, options) => {
        const { about, headers } = splitEncryption(input);
        const reply = await client.putObject({ ...input, ...this.#conditions(input), headers }, options);
        this.#wrote(input, about);
        return this.#saysHidden(this.#hideEtag(reply));
      },
      createMultipartUpload: async (input, options) => {
        const { about, headers } = splitEncryption(input);
        const { customerKeyMd5: _named, ...plain } = input;
        const reply = await client.createMultipartUpload({ ...plain, headers }, options);
        this.#begun.set(reply.uploadId, about);
        return reply;
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
        const reply = await client.completeMultipartUpload({ ...input, parts }, options);
        this.#wrote(input, this.#begun.get(input.uploadId) ?? {});
        return this.#hideEtag(reply);
      },
      copyObject: async (input, options) => {
        const { about, headers } = splitEncryption(input.attributes ?? {});
        const before = this.encrypted.get(nameOf(input.source)) ?? {};
        if (this.copiesNoKeyed && (kmsKey in before || customerAlgorithm in before))
          throw failure('unsupported', 'Not implemented.', { reason: 'not-implemented' });
        const attributes = { ...input.attributes, headers };
        const reply = await client.copyObject({ ...input, ...this.#conditions(input), attributes }, options);
        // The client copies an object encrypted with a customer key using the same key.
        this.#wrote(input, customerAlgorithm in before ? before : about);
        return this.#hideEtag(reply);
      },
      headObject: async (ref, options) => {
        this.looks.push(nameOf(ref));
        return this.#withHeaders(ref, this.#hideEtag(await client.headObject(ref, options)));
      },
      getObject: async (input, options) => {
        const reply = await client.getObject({ ...input, ...this.#conditions(input) }, options);
        // Changes the response in place, because a copy would lose its lazily opened body.
        const { etag, headers } = this.#withHeaders(input, this.#hideEtag({ ...reply }));
        return Object.assign(reply, { etag, headers });
      },
      listObjects: async (input, options) => {
        const page = await client.listObjects(input, options);
        return { ...page, objects: page.objects.map((object) => this.#hideEtag(object)) };
      },
      deleteObject: async (input, options) =>
        await client.deleteObject({ ...input, ...this.#conditions(input) }, options),
      deleteObjects: async (input, options) => {
        const keys = input.keys.map((target) =>
          target.etag === undefined ? target : { ...target, etag: this.#trueEtag(target.etag) },
        );
        return await client.deleteObjects({ ...input, keys }, options);
      },
    };
  }

  #wrote(ref: ObjectRef, asked: EncryptionHeaders): void {
    const isAsked = !this.isDeaf && Object.keys(asked).length > 0;
    this.encrypted.set(nameOf(ref), isAsked ? asked : (this.defaults.get(ref.bucket) ?? {}));
  }

  #hideEtag<T extends { readonly etag: string | null }>(reply: T): T {
    if (reply.etag === null || !this.#hidesEtags) return reply;
    const bare = reply.etag.replaceAll('"', '');
    const parts = /-\d+$/u.exec(bare)?.[0] ?? '';
    const made = `"${createHash('sha256').update(bare).digest('hex').slice(0, 32)}${parts}"`;
    this.#shown.set(made, reply.etag);
    return { ...reply, etag: made };
  }

  /** Sets `etagHidesMd5`, which the client sets if a response's headers name KMS (API_PutObject, API_UploadPart). */
  #saysHidden<T extends { readonly etag: string | null }>(reply: T): T {
    return this.#hidesEtags ? { ...reply, etagHidesMd5: true } : reply;
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

  /** Adds an object's encryption headers to a response. */
  #withHeaders<T extends { readonly headers: EncryptionHeaders }>(ref: ObjectRef, reply: T): T {
    return { ...reply, headers: { ...reply.headers, ...this.encrypted.get(nameOf(ref)) } };
  }
}

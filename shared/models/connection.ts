import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

export const addressingSchema = z.enum(['auto', 'path', 'virtual-host']);

const proxySchema = z.discriminatedUnion('kind', [
  /** Uses the system's settings: environment variables such as HTTPS_PROXY, or the desktop's proxy settings. */
  z.object({ kind: z.literal('system') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('url'), url: z.string() }),
]);

/** The location that a connection opens at. Required if the access key may not list buckets. */
const startPlaceSchema = z.object({ bucket: z.string(), prefix: z.string() });

const shared = {
  name: z.string().trim().min(1).max(100),
  /** Id of a preset (shared/providers/providers.ts). */
  provider: z.string(),
  endpoint: z.string(),
  region: z.string().nullable(),
  addressing: addressingSchema,
  caPem: z.string().nullable(),
  proxy: proxySchema,
  start: startPlaceSchema.nullable(),
  /** True if this connection's account pays for requests and transfers. If absent, the bucket's owner pays. */
  requesterPays: z.boolean().optional(),
};

export const connectionSchema = z.object({
  id: z.string(),
  ...shared,
  auth: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('keys'),
      accessKeyId: z.string(),
      hasSecret: z.boolean(),
      hasSessionToken: z.boolean(),
    }),
    z.object({ kind: z.literal('anonymous') }),
    z.object({ kind: z.literal('aws-profile'), profile: z.string() }),
  ]),
  /** True for the sample buckets on this computer, which cannot be edited but can be hidden. */
  builtIn: z.boolean(),
});

/** The input of the form. A null secret keeps the stored secret when editing, and means no secret in a new connection. */
export const connectionInputSchema = z.object({
  ...shared,
  auth: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('keys'),
      accessKeyId: z.string().trim().min(1),
      secretAccessKey: z.string().min(1).nullable(),
      /** The session token. Null keeps the stored token, '' removes it. */
      sessionToken: z.string().nullable(),
    }),
    z.object({ kind: z.literal('anonymous') }),
    z.object({ kind: z.literal('aws-profile'), profile: z.string().min(1) }),
  ]),
});

/** A profile found in the files of ~/.aws. Secrets stay there. */
export const awsProfileSchema = z.object({
  name: z.string(),
  region: z.string().nullable(),
  endpointUrl: z.string().nullable(),
  kind: z.enum(['keys', 'process', 'sso', 'role', 'web-identity', 'unknown']),
});

/** The object storage service on this computer, for other programs. Its keys stay in their file. */
export const sampleServiceSchema = z.object({
  /** The address http://127.0.0.1:port, whose port changes at each start. */
  endpoint: z.string(),
  region: z.string(),
  keysFile: z.string(),
});

export type Addressing = z.infer<typeof addressingSchema>;
export type Proxy = Readonly<z.infer<typeof proxySchema>>;
export type StartPlace = Readonly<z.infer<typeof startPlaceSchema>>;
export type Connection = Readonly<z.infer<typeof connectionSchema>>;
export type ConnectionInput = Readonly<z.infer<typeof connectionInputSchema>>;
export type SampleService = Readonly<z.infer<typeof sampleServiceSchema>>;
export type AwsProfile = Readonly<z.infer<typeof awsProfileSchema>>;

/** The steps of "Test connection", in their order. */
export const testStepIds = [
  'settings',
  'name-resolves',
  'port-answers',
  'tls-holds',
  'speaks-s3',
  'clock-agrees',
  'key-accepted',
  'region-right',
  'buckets-listed',
  'first-page',
] as const;

export const testStepSchema = z.object({
  id: z.enum(testStepIds),
  state: z.enum(['running', 'ok', 'warning', 'failed', 'skipped']),
  /** A fact worth showing: the address found, the clock's difference, the number of buckets. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  error: z.nullable(appErrorSchema),
  durationMs: z.number().nullable(),
});

export type TestStepId = (typeof testStepIds)[number];
export type TestStep = Readonly<z.infer<typeof testStepSchema>>;

/** A connection in a file: everything except its secrets. */
export const filedConnectionSchema = connectionSchema
  .omit({ id: true, builtIn: true, auth: true })
  .extend({
    auth: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('keys'), accessKeyId: z.string().trim().min(1) }),
      z.object({ kind: z.literal('anonymous') }),
      z.object({ kind: z.literal('aws-profile'), profile: z.string().min(1) }),
    ]),
  });

/** The contents of a file, before importing. */
export const filedEntrySchema = z.object({
  /** The entry's index in the file. */
  index: z.int(),
  name: z.string(),
  endpoint: z.string(),
  /** The user has to type the secret key before the connection can be used. */
  needsKeys: z.boolean(),
  /** The id of an existing connection with the same settings, or null. */
  duplicateOf: z.string().nullable(),
  /** The reason why the entry cannot be imported, as the schema's English message. Null if it can be. */
  problem: z.string().nullable(),
});

export const connectionFileSchema = z.object({ fileName: z.string(), text: z.string(), count: z.int() });

export type FiledConnection = Readonly<z.infer<typeof filedConnectionSchema>>;
export type FiledEntry = Readonly<z.infer<typeof filedEntrySchema>>;
export type ConnectionFile = Readonly<z.infer<typeof connectionFileSchema>>;

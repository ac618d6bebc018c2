import { startScriptedServer, type ScriptedResponse, type SeenRequest } from './scripted-server.ts';

/** A service that only keeps the configurations of one bucket in memory. */
export interface DocumentsService {
  readonly endpoint: string;
  /** By query: `lifecycle`, `cors`, `policy` … */
  readonly documents: Map<string, string>;
  /** Maps a query to a function that changes the text which the service stores. */
  readonly stores: Map<string, (text: string) => string>;
  /** Queries that are refused, with the code of the refusal. */
  readonly refusals: Map<string, readonly [status: number, code: string]>;
  /** Queries that the service does not know. It handles such a request as if it had no query. */
  readonly ignored: Set<string>;
  /** The writes so far: `PUT lifecycle`, `DELETE cors`, `PUT /name`. */
  readonly written: string[];
  close(): Promise<void>;
}

const absent: Readonly<Record<string, string>> = {
  lifecycle: 'NoSuchLifecycleConfiguration',
  cors: 'NoSuchCORSConfiguration',
  policy: 'NoSuchBucketPolicy',
  tagging: 'NoSuchTagSet',
  publicAccessBlock: 'NoSuchPublicAccessBlockConfiguration',
  ownershipControls: 'OwnershipControlsNotFoundError',
  encryption: 'ServerSideEncryptionConfigurationNotFoundError',
  'object-lock': 'ObjectLockConfigurationNotFoundError',
  website: 'NoSuchWebsiteConfiguration',
  replication: 'ReplicationConfigurationNotFoundError',
};
const always: Readonly<Record<string, string>> = {
  versioning: '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>',
  inventory: '<ListInventoryConfigurationsResult/>',
  'intelligent-tiering': '<ListBucketIntelligentTieringConfigurationsOutput/>',
  logging: '<BucketLoggingStatus/>',
  notification: '<NotificationConfiguration/>',
  requestPayment: '<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>',
  acl: '<AccessControlPolicy><Owner><ID>1</ID><DisplayName>owner</DisplayName></Owner><AccessControlList><Grant><Grantee><ID>1</ID><DisplayName>owner</DisplayName></Grantee><Permission>FULL_CONTROL</Permission></Grant></AccessControlList></AccessControlPolicy>',
};

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const xml = (body: string, status = 200): ScriptedResponse => ({
  status,
  headers: { 'content-type': 'application/xml', 'x-amz-request-id': 'REQUEST-7' },
  body: body.startsWith('{') ? body : `${head}${body}`,
});
const refusal = (status: number, code: string): ScriptedResponse =>
  xml(`<Error><Code>${code}</Code><Message>No.</Message></Error>`, status);

export async function startDocumentsService(bucket: string): Promise<DocumentsService> {
  const server = await startScriptedServer();
  const service: Omit<DocumentsService, 'close'> = {
    endpoint: server.endpoint,
    documents: new Map(),
    stores: new Map(),
    refusals: new Map(),
    ignored: new Set(),
    written: [],
  };
  server.answer((request) => answerTo(request, bucket, service));
  return { ...service, close: async () => await server.close() };
}

function answerTo(
  request: SeenRequest,
  bucket: string,
  { documents, stores, refusals, ignored, written }: Omit<DocumentsService, 'close'>,
): ScriptedResponse {
  const [path = '', queryText = ''] = request.path.split('?');
  const query =
    queryNames(queryText).find((name) => name in absent || name in always) ?? queryNames(queryText)[0] ?? '';
  if (path === '/')
    return xml(
      `<ListAllMyBucketsResult><Buckets><Bucket><Name>${bucket}</Name><CreationDate>2024-01-01T00:00:00.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>`,
    );
  const isDocument = query in absent || query in always;
  if (request.method !== 'GET') {
    written.push(`${request.method} ${isDocument && !ignored.has(query) ? query : path}`);
    if (request.method === 'PUT' && isDocument)
      documents.set(
        nameOf(queryText),
        (stores.get(query) ?? ((text) => text))(request.body.toString('utf8')),
      );
    if (request.method === 'DELETE') documents.delete(nameOf(queryText));
    return { status: request.method === 'DELETE' ? 204 : 200 };
  }
  if (!isDocument || ignored.has(query)) {
    if (query === 'versions')
      return xml('<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>');
    if (query === 'uploads')
      return xml('<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>');
    return xml(
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount></ListBucketResult>`,
    );
  }
  const refused = refusals.get(query);
  if (refused !== undefined) return refusal(...refused);
  if (query === 'inventory') return xml(listOf(documents, query, 'ListInventoryConfigurationsResult'));
  // The list of all configurations has a different root element than a single one.
  if (query === 'intelligent-tiering')
    return xml(listOf(documents, query, 'ListBucketIntelligentTieringConfigurationsResult'));
  const stored = documents.get(query) ?? always[query];
  return stored === undefined ? refusal(404, absent[query] ?? 'NoSuchKey') : xml(stored.replace(head, ''));
}

const queryNames = (queryText: string): string[] =>
  queryText.split('&').map((pair) => pair.split('=')[0] ?? '');

/**
 * Returns the name for the document of a query, such as `lifecycle`. Queries with several documents add an id: `inventory:daily`.
 */
function nameOf(queryText: string): string {
  const [first = '', ...others] = queryNames(queryText).toSorted();
  const id = new URLSearchParams(queryText).get('id');
  return id === null ? first : `${[first, ...others].find((name) => name !== 'id') ?? ''}:${id}`;
}

function listOf(documents: ReadonlyMap<string, string>, query: string, root: string): string {
  const stored = [...documents].filter(([name]) => name.startsWith(`${query}:`)).map(([, text]) => text);
  return `<${root}>${stored.join('').replaceAll(head, '')}<IsTruncated>false</IsTruncated></${root}>`;
}

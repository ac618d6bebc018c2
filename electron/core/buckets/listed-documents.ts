import { failure } from '../../../shared/errors.ts';
import { maxIdlePages, stuck, pagesOf } from '../s3/listing/pages.ts';
import type { RequestOptions } from '../s3/model/request-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import {
  childrenNamed,
  childText,
  localName,
  printDocument,
  rootElement,
  rootOf,
  type XmlNode,
} from '../s3/xml/document.ts';
import { documentRef, sectionRequests, type ListedSection } from './sections.ts';

/** Matches the root of a list of configurations, which services name `…Result` or `…Output`. */
const listName = /^List\w+Configurations(?:Result|Output)$/u;

type Documents = Pick<S3Client, 'getBucketDocument' | 'putBucketDocument' | 'deleteBucketDocument'>;

/**
 * Returns all configurations of a section that can have several, as one document. (The service lists a hundred at a time.)
 * Returns any other response unchanged. Throws `AppError('protocol')` if the pages do not end.
 */
export async function readListedDocuments(
  s3: Documents,
  bucket: string,
  section: ListedSection,
  options: RequestOptions | undefined,
): Promise<string> {
  const { root: rootName, item } = sectionRequests[section];
  const found: XmlNode[] = [];
  let pages = 0;
  const listing = pagesOf(
    async (token: string | null) => {
      const ref = { ...documentRef(bucket, section), continuationToken: token ?? '' };
      const { text } = await s3.getBucketDocument(ref, options);
      return { text, root: rootOf(text) };
    },
    ({ root }) => childText(root, 'NextContinuationToken') || null,
  );
  for await (const { text, root } of listing) {
    if (root === null || !listName.test(localName(root))) return text;
    found.push(...childrenNamed(root, item));
    pages += 1;
    // AWS allows a thousand per bucket, which is ten pages.
    if (pages > maxIdlePages) throw stuck();
  }
  return printDocument(rootElement(rootName, found));
}

/**
 * Puts changed configurations, then deletes removed ones, with one request for each. Throws `AppError('invalid-argument')` for
 * malformed XML.
 */
export async function writeListedDocuments(
  s3: Documents,
  bucket: string,
  section: ListedSection,
  before: string,
  after: string,
): Promise<void> {
  const oldConfigurations = configurationsOf(section, before);
  const newConfigurations = configurationsOf(section, after);
  for (const [id, text] of newConfigurations)
    if (oldConfigurations.get(id) !== text)
      await s3.putBucketDocument({ ...documentRef(bucket, section), id, text });
  for (const id of oldConfigurations.keys())
    if (!newConfigurations.has(id)) await s3.deleteBucketDocument({ ...documentRef(bucket, section), id });
}

function configurationsOf(section: ListedSection, text: string): ReadonlyMap<string, string> {
  const { item } = sectionRequests[section];
  if (text.trim() === '') return new Map();
  const root = rootOf(text);
  if (root === null)
    throw failure('invalid-argument', 'The configurations are not well-formed XML.', {
      reason: 'malformed-xml',
      retry: 'after-fix',
    });
  return new Map(
    childrenNamed(root, item).map((node) => [
      childText(node, 'Id') ?? '',
      printDocument(rootElement(item, node.children)),
    ]),
  );
}

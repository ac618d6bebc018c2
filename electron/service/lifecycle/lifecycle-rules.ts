import { serviceError } from '../service-errors.ts';
import { readTag, childText, element, onlyChild, requireChildren, type XmlNode } from '../xml.ts';

/** The conditions for the objects of a rule. */
export interface LifecycleFilter {
  readonly prefix: string;
  readonly tags: readonly (readonly [key: string, value: string])[];
  /** Objects larger than this match; null for any size. In bytes. */
  readonly largerThan: number | null;
  /** Objects smaller than this match; null for any size. In bytes. */
  readonly smallerThan: number | null;
}

export interface LifecycleRule {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly filter: LifecycleFilter;
  readonly expiration: Expiration | null;
  readonly noncurrent: { readonly days: number; readonly keptVersions: number } | null;
  /** The number of days after which an incomplete upload is aborted; null if never. */
  readonly abortDays: number | null;
}

export type Expiration =
  | { readonly kind: 'days'; readonly days: number }
  /** In milliseconds since 1970. */
  | { readonly kind: 'date'; readonly dateMs: number }
  | { readonly kind: 'delete-markers' };

const maxRules = 1000;
const maxIdLength = 255;
const maxKeptVersions = 100;
const actions = ['Expiration', 'NoncurrentVersionExpiration', 'AbortIncompleteMultipartUpload'];
const absentActions = new Set(['Transition', 'NoncurrentVersionTransition']);
const filterNames = ['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan'];

/**
 * Parses the rules of a LifecycleConfiguration. Throws S3's errors for invalid rules, and NotImplemented for actions that this
 * service does not support (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html).
 */
export function readLifecycle(root: XmlNode): LifecycleRule[] {
  if (root.name !== 'LifecycleConfiguration') throw serviceError('MalformedXML');
  requireChildren(root, ['Rule']);
  if (root.children.length === 0 || root.children.length > maxRules) throw serviceError('MalformedXML');
  const rules = root.children.map(readRule);
  const ids = rules.map(({ id }) => id).filter((id) => id !== '');
  if (new Set(ids).size < ids.length)
    throw invalid('Rule ID must be unique. Found same ID for more than one rule.');
  return rules;
}

/** Returns the document's rules as text for storing. A rule without an ID gets one from `newId`. */
export function printLifecycle(root: XmlNode, newId: () => string): string {
  return root.children
    .map((rule) => {
      const hasId = (childText(rule, 'ID') ?? '') !== '';
      const children = rule.children.filter(({ name }) => hasId || name !== 'ID').map(printNode);
      return `<Rule>${hasId ? '' : element('ID', newId())}${children.join('')}</Rule>`;
    })
    .join('');
}

function printNode({ name, text, children }: XmlNode): string {
  return children.length === 0
    ? element(name, text)
    : `<${name}>${children.map(printNode).join('')}</${name}>`;
}

function readRule(rule: XmlNode): LifecycleRule {
  const absent = rule.children.find(({ name }) => absentActions.has(name));
  if (absent !== undefined) {
    throw serviceError('NotImplemented', { message: `This service does not carry out "${absent.name}".` });
  }
  requireChildren(rule, ['ID', 'Status', 'Prefix', 'Filter', ...actions]);
  const id = childText(rule, 'ID') ?? '';
  if (id.length > maxIdLength) throw invalid(`ID length should not exceed allowed limit of ${maxIdLength}`);
  const status = childText(rule, 'Status')?.trim();
  if (status !== 'Enabled' && status !== 'Disabled') throw serviceError('MalformedXML');
  if (!actions.some((name) => onlyChild(rule, name) !== null)) {
    throw serviceError('InvalidRequest', { message: 'At least one action needs to be specified in a rule' });
  }
  return {
    id,
    isEnabled: status === 'Enabled',
    filter: readFilter(rule),
    expiration: readExpiration(onlyChild(rule, 'Expiration')),
    noncurrent: readNoncurrent(onlyChild(rule, 'NoncurrentVersionExpiration')),
    abortDays: readAbort(onlyChild(rule, 'AbortIncompleteMultipartUpload')),
  };
}

/**
 * Throws InvalidRequest for a rule that contradicts itself: tags on delete markers, tags or sizes on uploads, a repeated tag key,
 * an empty range of sizes. Stored rules are not checked again.
 */
export function refuseContradiction({ filter, expiration, abortDays }: LifecycleRule): void {
  const { largerThan, smallerThan } = filter;
  const hasSize = largerThan !== null || smallerThan !== null;
  if (largerThan !== null && smallerThan !== null && largerThan + 1 >= smallerThan) {
    throw serviceError('InvalidRequest', {
      message: 'ObjectSizeLessThan must leave a size above ObjectSizeGreaterThan.',
    });
  }
  if (new Set(filter.tags.map(([key]) => key)).size < filter.tags.length) {
    throw serviceError('InvalidRequest', { message: 'Duplicate Tag Keys are not allowed.' });
  }
  if (filter.tags.length > 0 && expiration?.kind === 'delete-markers') {
    throw serviceError('InvalidRequest', {
      message: 'ExpiredObjectDeleteMarker cannot be specified with Tags.',
    });
  }
  if (abortDays !== null && (filter.tags.length > 0 || hasSize)) {
    throw serviceError('InvalidRequest', {
      message: 'AbortIncompleteMultipartUpload cannot be specified with Tags or an object size.',
    });
  }
}

function readFilter(rule: XmlNode): LifecycleFilter {
  const legacyPrefix = onlyChild(rule, 'Prefix');
  const filter = onlyChild(rule, 'Filter');
  if ((legacyPrefix === null) === (filter === null)) throw serviceError('MalformedXML');
  if (filter === null) return readTerms(rule.children.filter(({ name }) => name === 'Prefix'));
  requireChildren(filter, [...filterNames, 'And']);
  if (filter.children.length > 1) throw serviceError('MalformedXML');
  const and = onlyChild(filter, 'And');
  if (and !== null) requireChildren(and, filterNames);
  return readTerms((and ?? filter).children);
}

function readTerms(terms: readonly XmlNode[]): LifecycleFilter {
  const all: XmlNode = { name: 'And', text: '', children: terms };
  const tags = terms.filter(({ name }) => name === 'Tag').map(readTag);
  if (tags.some(([key]) => key === '')) throw serviceError('MalformedXML');
  return {
    prefix: childText(all, 'Prefix') ?? '',
    tags,
    largerThan: readCount(all, 'ObjectSizeGreaterThan', 0),
    smallerThan: readCount(all, 'ObjectSizeLessThan', 1),
  };
}

function readExpiration(node: XmlNode | null): Expiration | null {
  if (node === null) return null;
  requireChildren(node, ['Days', 'Date', 'ExpiredObjectDeleteMarker']);
  if (node.children.length !== 1) throw serviceError('MalformedXML');
  const days = readCount(node, 'Days', 1);
  if (days !== null) return { kind: 'days', days };
  const date = childText(node, 'Date')?.trim() ?? null;
  if (date !== null) return { kind: 'date', dateMs: midnightOf(date) };
  const marker = childText(node, 'ExpiredObjectDeleteMarker')?.trim();
  if (marker === 'true') return { kind: 'delete-markers' };
  if (marker === 'false') return null;
  throw serviceError('MalformedXML');
}

function readNoncurrent(node: XmlNode | null): LifecycleRule['noncurrent'] {
  if (node === null) return null;
  requireChildren(node, ['NoncurrentDays', 'NewerNoncurrentVersions']);
  const days = readCount(node, 'NoncurrentDays', 1);
  if (days === null) throw serviceError('MalformedXML');
  const keptVersions = readCount(node, 'NewerNoncurrentVersions', 1) ?? 0;
  if (keptVersions > maxKeptVersions)
    throw invalid(`NewerNoncurrentVersions must be at most ${maxKeptVersions}`);
  return { days, keptVersions };
}

function readAbort(node: XmlNode | null): number | null {
  if (node === null) return null;
  requireChildren(node, ['DaysAfterInitiation']);
  const days = readCount(node, 'DaysAfterInitiation', 1);
  if (days === null) throw serviceError('MalformedXML');
  return days;
}

function midnightOf(date: string): number {
  const isIso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/.test(date);
  const ms = isIso ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(ms)) throw serviceError('MalformedXML');
  if (ms % 86_400_000 !== 0) throw invalid("'Date' must be at midnight GMT");
  return ms;
}

function readCount(node: XmlNode, name: string, minimum: number): number | null {
  const text = childText(node, name)?.trim() ?? null;
  if (text === null) return null;
  if (!/^-?\d{1,15}$/.test(text)) throw serviceError('MalformedXML');
  if (Number(text) < minimum) throw invalid(`'${name}' must be at least ${minimum}`);
  return Number(text);
}

function invalid(message: string): Error {
  return serviceError('InvalidArgument', { message });
}

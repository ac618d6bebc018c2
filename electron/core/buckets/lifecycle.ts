import { isDeepStrictEqual } from 'node:util';
import type { LifecycleRule } from '../../../shared/models/bucket-forms.ts';
import {
  childNamed,
  childrenNamed,
  childText,
  element,
  holdsOnly,
  localName,
  printNode,
  type XmlNode,
  printDocument,
  rootElement,
  rootOf,
} from '../s3/xml/document.ts';
import type { BatchTag } from '../../../shared/models/batches.ts';

const ruleNames = [
  'ID',
  'Prefix',
  'Filter',
  'Status',
  'Expiration',
  'NoncurrentVersionExpiration',
  'AbortIncompleteMultipartUpload',
  'Transition*',
];

/**
 * Returns one rule as the form shows it. If it has more than the form supports (tags, dates, sizes), it is marked `foreign` and
 * kept unchanged. Throws `AppError('invalid-argument')` if a text holds characters that XML cannot contain.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRule.html
 */
export function readLifecycleRule(node: XmlNode): LifecycleRule {
  const expiration = childNamed(node, 'Expiration');
  const noncurrent = childNamed(node, 'NoncurrentVersionExpiration');
  const abort = childNamed(node, 'AbortIncompleteMultipartUpload');
  const filter = childNamed(node, 'Filter');
  const transitions = childrenNamed(node, 'Transition');
  const status = childText(node, 'Status');
  const counts = {
    expireDays: dayCount(expiration, 'Days'),
    noncurrentDays: dayCount(noncurrent, 'NoncurrentDays'),
    abortDays: dayCount(abort, 'DaysAfterInitiation'),
  };
  const marker = childText(expiration, 'ExpiredObjectDeleteMarker');
  const foreign =
    !holdsOnly(node, ruleNames) ||
    Object.keys(node.attributes).length > 0 ||
    !(status === 'Enabled' || status === 'Disabled') ||
    (filter !== null && !holdsOnly(filter, ['Prefix'])) ||
    (filter !== null && childNamed(node, 'Prefix') !== null) ||
    (expiration !== null && !holdsOnly(expiration, ['Days', 'ExpiredObjectDeleteMarker'])) ||
    (noncurrent !== null && !holdsOnly(noncurrent, ['NoncurrentDays'])) ||
    (abort !== null && !holdsOnly(abort, ['DaysAfterInitiation'])) ||
    transitions.some((transition) => !holdsOnly(transition, ['Days', 'StorageClass'])) ||
    Object.values(counts).includes('unreadable') ||
    transitions.some((transition) => typeof dayCount(transition, 'Days') !== 'number');
  return {
    id: childText(node, 'ID') ?? '',
    enabled: status === 'Enabled',
    // Not trimmed, because blanks may be part of a prefix.
    prefix: (childNamed(filter ?? node, 'Prefix') ?? childNamed(node, 'Prefix'))?.text ?? '',
    expireDays: known(counts.expireDays),
    expireDeleteMarkers: marker === 'true',
    noncurrentDays: known(counts.noncurrentDays),
    abortDays: known(counts.abortDays),
    transitions: foreign
      ? []
      : transitions.map((transition) => ({
          days: Number(childText(transition, 'Days')),
          storageClass: childText(transition, 'StorageClass') ?? '',
        })),
    source: printNode(node, ''),
    foreign,
  };
}

type DayCount = number | null | 'unreadable';

function dayCount(node: XmlNode | null, name: string): DayCount {
  const text = childText(node, name);
  if (text === null) return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : 'unreadable';
}

/**
 * Returns a rule for the document. Parts that the form did not change are kept. Throws `AppError('invalid-argument')` if a text
 * holds characters that XML cannot contain.
 */
export function lifecycleRuleNode(rule: LifecycleRule): XmlNode {
  const unchanged = unchangedNode(rule, readLifecycleRule);
  if (unchanged !== null) return unchanged;
  const before = sourceNode(rule.source);
  const expiration = [
    number('Days', rule.expireDays),
    rule.expireDays === null && rule.expireDeleteMarkers
      ? element('ExpiredObjectDeleteMarker', 'true')
      : null,
  ].filter((child) => child !== null);
  return element('Rule', [
    rule.id === '' ? null : element('ID', rule.id),
    // A rule in the older form keeps that form, because some services refuse configurations that mix both.
    before !== null && childNamed(before, 'Filter') === null && childNamed(before, 'Prefix') !== null
      ? element('Prefix', rule.prefix)
      : element('Filter', [element('Prefix', rule.prefix)]),
    element('Status', rule.enabled ? 'Enabled' : 'Disabled'),
    ...rule.transitions.map((transition) =>
      element('Transition', [
        element('Days', String(transition.days)),
        element('StorageClass', transition.storageClass),
      ]),
    ),
    expiration.length === 0 ? null : element('Expiration', expiration),
    rule.noncurrentDays === null
      ? null
      : element('NoncurrentVersionExpiration', [number('NoncurrentDays', rule.noncurrentDays)]),
    rule.abortDays === null
      ? null
      : element('AbortIncompleteMultipartUpload', [number('DaysAfterInitiation', rule.abortDays)]),
  ]);
}

/** A part of a form, with the element from which it was read, or null if it is new. */
interface FormPart {
  readonly source: string | null;
  /** True if the element has more than the form supports, so that it is kept unchanged. */
  readonly foreign: boolean;
}

/** Returns the element from which a part was read by `read`, if the form did not change it; null otherwise. */
export function unchangedNode<T extends FormPart>(part: T, read: (node: XmlNode) => T): XmlNode | null {
  const before = sourceNode(part.source);
  if (before === null || part.foreign) return before;
  const { source, foreign } = part;
  return isDeepStrictEqual({ ...read(before), source, foreign }, part) ? before : null;
}

function sourceNode(source: string | null): XmlNode | null {
  return source === null ? null : rootOf(source);
}

function known(count: DayCount): number | null {
  return count === 'unreadable' ? null : count;
}

function number(name: string, value: number | null): XmlNode | null {
  return value === null ? null : element(name, String(value));
}

const actions = new Set([
  'Expiration',
  'Transition',
  'NoncurrentVersionExpiration',
  'NoncurrentVersionTransition',
  'AbortIncompleteMultipartUpload',
]);

/** Returns true if the rule has an action. */
export function hasLifecycleAction(rule: XmlNode): boolean {
  return rule.children.some((child) => actions.has(localName(child)));
}

/**
 * Returns true if a lifecycle configuration deletes all objects of the bucket that have the tag. The text is '' without a
 * configuration.
 */
export function hasExpiryRule(text: string, tag: BatchTag): boolean {
  const root = rootOf(text);
  return root !== null && childrenNamed(root, 'Rule').some((rule) => expires(rule, tag));
}

/**
 * Returns the configuration with an added rule that deletes objects with the tag after `days` days. Keeps existing rules
 * unchanged (https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRuleFilter.html). Throws `AppError('invalid-argument')`
 * if a text holds characters that XML cannot contain.
 */
export function withExpiryRule(text: string, tag: BatchTag, days: number): string {
  const root = rootOf(text) ?? rootElement('LifecycleConfiguration', []);
  const ids = new Set(childrenNamed(root, 'Rule').map((rule) => childText(rule, 'ID')));
  let id = 'delete-by-tag';
  for (let count = 2; ids.has(id); count += 1) id = `delete-by-tag-${count}`;
  const rule = element('Rule', [
    element('ID', id),
    element('Filter', [element('Tag', [element('Key', tag.key), element('Value', tag.value)])]),
    element('Status', 'Enabled'),
    element('Expiration', [element('Days', String(days))]),
  ]);
  return printDocument({ ...root, children: [...root.children, rule] });
}

function expires(rule: XmlNode, { key, value }: BatchTag): boolean {
  const filter = childNamed(rule, 'Filter');
  const tag = childNamed(filter, 'Tag');
  const expiration = childNamed(rule, 'Expiration');
  return (
    childText(rule, 'Status') === 'Enabled' &&
    filter !== null &&
    tag !== null &&
    holdsOnly(filter, ['Tag']) &&
    childNamed(tag, 'Key')?.text === key &&
    (childNamed(tag, 'Value')?.text ?? '') === value &&
    expiration !== null &&
    childNamed(expiration, 'Days') !== null
  );
}

import type { BatchTag } from '../../../shared/models/batches.ts';
import {
  childNamed,
  childrenNamed,
  childText,
  element,
  holdsOnly,
  printDocument,
  readDocument,
  rootElement,
  type XmlNode,
} from '../s3/xml/document.ts';

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

function rootOf(text: string): XmlNode | null {
  const reading = readDocument(text);
  return reading.ok ? reading.root : null;
}

function expires(rule: XmlNode, { key, value }: BatchTag): boolean {
  const filter = childNamed(rule, 'Filter');
  const tag = filter === null ? null : childNamed(filter, 'Tag');
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

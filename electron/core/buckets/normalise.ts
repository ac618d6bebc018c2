import type { BucketSection } from '../../../shared/models/bucket-settings.ts';
import { childrenNamed, element, localName, type XmlNode } from '../s3/xml/document.ts';

/**
 * Rewrites documents that services return but do not accept. Ceph RGW returns a filter of a prefix and two tags as
 * `<Filter><Prefix/><And><Tag/><Tag/></And></Filter>`. If that is sent back, RGW drops the outer prefix, which widens the rule to
 * the whole bucket. The meaning stays the same, because all conditions of a filter apply together.
 */
export function normaliseDocument(section: BucketSection, root: XmlNode): XmlNode {
  if (section !== 'lifecycle') return root;
  return {
    ...root,
    children: root.children.map((child) => (localName(child) === 'Rule' ? normaliseRule(child) : child)),
  };
}

/**
 * The conditions of a filter. `ArchiveZone` is an extension of Ceph.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_LifecycleRuleFilter.html
 */
const conditionNames = new Set([
  'Prefix',
  'Tag',
  'ObjectSizeGreaterThan',
  'ObjectSizeLessThan',
  'ArchiveZone',
]);

/**
 * Returns a lifecycle rule whose filter has the documented form: one condition, or several inside `And`. Returns a rule with
 * unknown conditions, or with two different prefixes, unchanged.
 */
export function normaliseRule(rule: XmlNode): XmlNode {
  const [filter, ...more] = childrenNamed(rule, 'Filter');
  if (filter === undefined || more.length > 0) return rule;
  const conditions = filter.children.flatMap((child) =>
    localName(child) === 'And' ? child.children : child,
  );
  if (!conditions.every((condition) => conditionNames.has(localName(condition)))) return rule;

  const outer = childrenNamed(rule, 'Prefix');
  const prefixes = [...outer, ...conditions.filter((condition) => localName(condition) === 'Prefix')];
  const narrow = prefixes.filter(({ text }) => text !== '');
  if (new Set(narrow.map(({ text }) => text)).size > 1) return rule;
  const others = conditions.filter(
    (condition) =>
      localName(condition) !== 'Prefix' && (condition.children.length > 0 || condition.text !== ''),
  );
  const prefix = narrow[0] ?? (others.length === 0 ? prefixes[0] : undefined);
  const merged = prefix === undefined ? others : [prefix, ...others];
  const children = merged.length > 1 ? [element(filter.name.replace(/Filter$/, 'And'), merged)] : merged;
  return {
    ...rule,
    children: rule.children
      .filter((child) => !outer.includes(child))
      .map((child) => (child === filter ? { ...filter, text: '', children } : child)),
  };
}

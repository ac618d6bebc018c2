import { sectionFacts, type BucketSection } from '../../../shared/models/bucket-settings.ts';
import {
  childNamed,
  childText,
  localName,
  printNode,
  rootOf,
  type XmlNode,
  childrenNamed,
  element,
} from '../s3/xml/document.ts';

/** An element of a configuration that is stored or lost as a whole: a rule, a statement, a tag, a switch. */
export interface DocumentUnit {
  /** The user-visible name; '' if unnamed. */
  readonly name: string;
  /** A canonical text. Two units with the same meaning have the same one. */
  readonly essence: string;
  /** The essence without the name, because services name rules that were sent without one. */
  readonly unnamedEssence: string;
  readonly text: string;
}

/** A value in a canonical form, for comparisons. */
export type Canonical = string | number | boolean | null | readonly Canonical[];

/** Splits a configuration into its units. '' has none; unreadable text is one unit. */
export function documentUnits(section: BucketSection, text: string): readonly DocumentUnit[] {
  if (text.trim() === '') return [];
  if (sectionFacts[section].format === 'json') return policyUnits(text);
  const root = rootOf(text);
  if (root === null) return [{ name: '', essence: text, unnamedEssence: text, text }];
  const holder = section === 'tags' ? childNamed(root, 'TagSet') : root;
  return (holder?.children ?? []).flatMap((node) => xmlUnit(section, node));
}

const idNames = new Set(['ID', 'Id']);
const ruleSections = new Set<BucketSection>([
  'lifecycle',
  'cors',
  'replication',
  'intelligent-tiering',
  'inventory',
]);

function xmlUnit(section: BucketSection, node: XmlNode): readonly DocumentUnit[] {
  const compared = section === 'lifecycle' && localName(node) === 'Rule' ? withFlatFilter(node) : node;
  const essence = canonicalNode(compared);
  if (essence === null) return [];
  const unnamed = canonicalNode({
    ...compared,
    children: compared.children.filter((child) => !idNames.has(localName(child))),
  });
  const name = ruleSections.has(section)
    ? (childText(node, 'ID') ?? childText(node, 'Id') ?? '')
    : section === 'tags'
      ? (childNamed(node, 'Key')?.text ?? '')
      : localName(node);
  return [
    {
      name,
      essence: JSON.stringify(essence),
      unnamedEssence: JSON.stringify(unnamed),
      text: printNode(node, ''),
    },
  ];
}

/** Returns the rule with all conditions of its filter in one list, including the prefix of the older form. */
function withFlatFilter(rule: XmlNode): XmlNode {
  const normal = normaliseRule(rule);
  const filter = childNamed(normal, 'Filter');
  const prefix = childNamed(normal, 'Prefix');
  if (filter !== null && prefix !== null) return normal;
  const conditions =
    filter === null
      ? prefix === null
        ? []
        : [prefix]
      : filter.children.flatMap((child) => (localName(child) === 'And' ? child.children : child));
  return {
    ...normal,
    children: [
      ...normal.children.filter((child) => child !== filter && child !== prefix),
      element('Filter', conditions),
    ],
  };
}

const countNames = new Set([
  'Days',
  'Years',
  'NoncurrentDays',
  'NewerNoncurrentVersions',
  'DaysAfterInitiation',
  'ObjectSizeGreaterThan',
  'ObjectSizeLessThan',
  'MaxAgeSeconds',
]);
/** White space is significant in these values. */
const exactNames = new Set(['Prefix', 'Key', 'Value']);
/** The default values of elements. Some services write them, others omit them. */
const defaultTexts: ReadonlyMap<string, string> = new Map([
  ['ExpiredObjectDeleteMarker', 'false'],
  ['BucketKeyEnabled', 'false'],
  ['BlockPublicAcls', 'false'],
  ['IgnorePublicAcls', 'false'],
  ['BlockPublicPolicy', 'false'],
  ['RestrictPublicBuckets', 'false'],
  ['MfaDelete', 'disabled'],
  ['MFADelete', 'disabled'],
]);

/** Returns null for an element that is empty or has its default value. */
function canonicalNode(node: XmlNode): Canonical {
  const name = localName(node);
  if (node.children.length > 0) {
    const children = node.children.map(canonicalNode).filter((child) => child !== null);
    return children.length === 0 ? null : [name, ...sorted(children)];
  }
  const text = canonicalText(name, node.text);
  return text === '' || defaultTexts.get(name) === text ? null : [name, text];
}

function canonicalText(name: string, text: string): string {
  if (exactNames.has(name)) return text;
  const trimmed = text.trim();
  if (defaultTexts.has(name)) return trimmed.toLowerCase();
  if (countNames.has(name) && /^\d+$/.test(trimmed)) return String(BigInt(trimmed));
  if (name === 'Date' && !Number.isNaN(Date.parse(trimmed))) return new Date(trimmed).toISOString();
  return trimmed;
}

function sorted(values: readonly Canonical[]): readonly Canonical[] {
  return values
    .map((value) => ({ value, text: JSON.stringify(value) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ value }) => value);
}

function policyUnits(text: string): readonly DocumentUnit[] {
  const policy = parsedObject(text);
  if (policy === null) return [{ name: '', essence: text.trim(), unnamedEssence: text.trim(), text }];
  const { Statement: statements, ...rest } = policy;
  const list: readonly unknown[] = Array.isArray(statements)
    ? statements
    : statements === undefined
      ? []
      : [statements];
  return [
    ...Object.entries(rest).map(([name, value]) => {
      const essence = JSON.stringify([name, canonicalJson(value)]);
      return { name, essence, unnamedEssence: essence, text: JSON.stringify({ [name]: value }, null, 2) };
    }),
    ...list.map((statement) => {
      const { Sid: sid, ...unnamed } = isObject(statement) ? statement : { Sid: '', statement };
      return {
        name: typeof sid === 'string' ? sid : '',
        essence: JSON.stringify(['Statement', canonicalJson(statement)]),
        unnamedEssence: JSON.stringify(['Statement', canonicalJson(unnamed)]),
        text: JSON.stringify(statement, null, 2),
      };
    }),
  ];
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // Compared as text. The service's response shows whether it is valid.
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts a value to its canonical form. Lists in a policy are sets, and a list with one value equals that value. `{"AWS":"*"}`
 * equals `"*"`, and an account's number means its root user:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
 */
function canonicalJson(value: unknown, key = ''): Canonical {
  if (Array.isArray(value)) {
    const items = sorted([
      ...new Map(
        value.map((item) => [JSON.stringify(canonicalJson(item, key)), canonicalJson(item, key)]),
      ).values(),
    ]);
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : items;
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, inner]): Canonical => [
      name,
      canonicalJson(inner, name),
    ]);
    const isPrincipal = key === 'Principal' || key === 'NotPrincipal';
    if (isPrincipal && JSON.stringify(entries) === '[["AWS","*"]]') return '*';
    return ['{}', ...sorted(entries)];
  }
  if (typeof value === 'string')
    return key === 'AWS' && /^\d{12}$/.test(value) ? `arn:aws:iam::${value}:root` : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

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
function normaliseRule(rule: XmlNode): XmlNode {
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

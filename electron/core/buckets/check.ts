import { corsMethods } from '../../../shared/models/bucket-forms.ts';
import {
  sectionFacts,
  type BucketSection,
  type SettingsProblem,
} from '../../../shared/models/bucket-settings.ts';
import {
  childNamed,
  childrenNamed,
  childText,
  localName,
  readDocument,
  type XmlNode,
} from '../s3/xml/document.ts';
import { isRootOf } from './forms.ts';
import { hasLifecycleAction } from './lifecycle.ts';
import { checkPolicy } from './policy.ts';
import { sectionRequests } from './sections.ts';

/** Returns the errors in a configuration's text that every service would refuse, before it is sent. */
export function checkText(section: BucketSection, text: string, bucket: string): readonly SettingsProblem[] {
  if (sectionFacts[section].format === 'json') return checkPolicy(text, bucket);
  const reading = readDocument(text);
  if (!reading.ok) {
    const { line, column, message } = reading.problem;
    return [{ line, column, code: 'xml', detail: message, severity: 'error' }];
  }
  const { root } = reading;
  if (!isRootOf(section, root)) return [problem(root, 'wrong-root', sectionRequests[section].root ?? '')];
  return checkRoot(section, root);
}

function problem(
  node: XmlNode,
  code: SettingsProblem['code'],
  detail: string,
  severity: SettingsProblem['severity'] = 'error',
): SettingsProblem {
  return { line: node.line, column: 1, code, detail, severity };
}

function checkRoot(section: BucketSection, root: XmlNode): readonly SettingsProblem[] {
  switch (section) {
    case 'versioning':
      return requireOneOf(root, 'Status', ['Enabled', 'Suspended']);
    case 'lifecycle':
      return checkEach(root, 'Rule', (rule) => [
        ...requireOneOf(rule, 'Status', ['Enabled', 'Disabled']),
        ...(hasLifecycleAction(rule) ? [] : [problem(rule, 'no-action', 'Rule')]),
        ...(childNamed(rule, 'Prefix') === null ? requireChild(rule, 'Filter') : []),
      ]);
    case 'cors':
      return checkEach(root, 'CORSRule', (rule) => [
        ...requireChild(rule, 'AllowedOrigin'),
        ...requireChild(rule, 'AllowedMethod'),
        ...childrenNamed(rule, 'AllowedMethod')
          .filter((method) => !corsMethods.some((known) => known === method.text.trim()))
          .map((method) => problem(method, 'wrong-value', `AllowedMethod: ${corsMethods.join(', ')}`)),
      ]);
    case 'tags':
      return checkTags(root);
    case 'public-access':
      return root.children
        .filter((child) => !/^(?:true|false)$/i.test(child.text.trim()))
        .map((child) => problem(child, 'wrong-value', `${localName(child)}: true, false`));
    case 'encryption':
      return checkEach(root, 'Rule', () => []);
    case 'payment':
      return requireOneOf(root, 'Payer', ['BucketOwner', 'Requester']);
    case 'intelligent-tiering':
      return checkEach(root, 'IntelligentTieringConfiguration', (tiering) =>
        (childText(tiering, 'Id') ?? '') === '' ? [problem(tiering, 'missing-element', 'Id')] : [],
      );
    case 'inventory':
      return checkInventory(root);
    default:
      return [];
  }
}

/** Matches valid ids of a configuration. https://docs.aws.amazon.com/AmazonS3/latest/API/API_InventoryConfiguration.html */
const inventoryId = /^[A-Za-z0-9._-]{1,64}$/;

function checkInventory(root: XmlNode): readonly SettingsProblem[] {
  const usedIds = new Set<string>();
  return checkEach(root, 'InventoryConfiguration', (inventory) => {
    const id = childText(inventory, 'Id') ?? '';
    const bucket = childNamed(childNamed(inventory, 'Destination'), 'S3BucketDestination');
    const schedule = childNamed(inventory, 'Schedule');
    const isRepeated = usedIds.has(id);
    usedIds.add(id);
    return [
      ...(id === '' ? [problem(inventory, 'missing-element', 'Id')] : []),
      ...(id === '' || inventoryId.test(id)
        ? []
        : [problem(childNamed(inventory, 'Id') ?? inventory, 'wrong-value', 'Id: A-Z a-z 0-9 . _ -')]),
      ...(isRepeated && id !== '' ? [problem(inventory, 'duplicate-key', id)] : []),
      ...requireOneOf(inventory, 'IsEnabled', ['true', 'false']),
      ...requireOneOf(inventory, 'IncludedObjectVersions', ['All', 'Current']),
      ...(schedule === null
        ? [problem(inventory, 'missing-element', 'Schedule')]
        : requireOneOf(schedule, 'Frequency', ['Daily', 'Weekly'])),
      ...(bucket === null
        ? [problem(inventory, 'missing-element', 'S3BucketDestination')]
        : [
            ...requireOneOf(bucket, 'Format', ['CSV', 'ORC', 'Parquet']),
            ...(/^arn:[^:]+:s3:::.+/.test(childText(bucket, 'Bucket') ?? '')
              ? []
              : [problem(childNamed(bucket, 'Bucket') ?? bucket, 'wrong-value', 'Bucket: arn:aws:s3:::…')]),
          ]),
    ];
  });
}

function requireChild(node: XmlNode, name: string): readonly SettingsProblem[] {
  return childNamed(node, name) === null ? [problem(node, 'missing-element', name)] : [];
}

function requireOneOf(node: XmlNode, name: string, values: readonly string[]): readonly SettingsProblem[] {
  const child = childNamed(node, name);
  if (child === null || values.includes(child.text.trim())) return requireChild(node, name);
  return [problem(child, 'wrong-value', `${name}: ${values.join(', ')}`)];
}

function checkEach(
  root: XmlNode,
  name: string,
  check: (rule: XmlNode) => readonly SettingsProblem[],
): readonly SettingsProblem[] {
  const rules = childrenNamed(root, name);
  const unknownChildren = root.children.filter((child) => localName(child) !== name);
  return [
    ...(rules.length === 0 ? [problem(root, 'no-rules', name)] : []),
    ...unknownChildren.map((child) => problem(child, 'unknown-element', localName(child), 'warning')),
    ...rules.flatMap((rule) => check(rule)),
  ];
}

function checkTags(root: XmlNode): readonly SettingsProblem[] {
  const set = childNamed(root, 'TagSet');
  if (set === null) return [problem(root, 'missing-element', 'TagSet')];
  const seen = new Set<string>();
  return checkEach(set, 'Tag', (tag) => {
    const key = childText(tag, 'Key');
    if (key === null || key === '') return [problem(tag, 'missing-element', 'Key')];
    if (seen.has(key)) return [problem(tag, 'duplicate-key', key)];
    seen.add(key);
    return requireChild(tag, 'Value');
  });
}

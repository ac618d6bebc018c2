import type { Publicness, SettingsProblem } from '../../../shared/models/bucket-settings.ts';
import { placeAt, readJson, type JsonEntry, type JsonNode } from './json-document.ts';

/** The largest policy that the S3 API accepts, in bytes. */
const maxPolicyBytes = 20 * 1024;

type Code = SettingsProblem['code'];
type Tell = (at: { readonly offset: number }, code: Code, detail: string, isWarning?: boolean) => void;

/**
 * Returns the errors in a bucket policy, with their lines. An unknown name is only a warning, because services support different
 * names. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function checkPolicy(text: string, bucket: string): readonly SettingsProblem[] {
  const reading = readJson(text);
  if (!reading.ok) {
    const place = placeAt(text, reading.offset);
    return [{ ...place, code: 'json', detail: reading.message, severity: 'error' }];
  }
  const problems: SettingsProblem[] = [];
  const tell: Tell = ({ offset }, code, detail, isWarning = false) => {
    problems.push({ ...placeAt(text, offset), code, detail, severity: isWarning ? 'warning' : 'error' });
  };
  if (Buffer.byteLength(text) > maxPolicyBytes) tell({ offset: 0 }, 'too-large', '20 KiB', true);
  checkRoot(reading.root, bucket, tell);
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function checkRoot(root: JsonNode, bucket: string, tell: Tell): void {
  const entries = entriesOf(root, ['Version', 'Id', 'Statement'], tell);
  if (entries === null) return;
  const version = entries.get('Version');
  if (version !== undefined) {
    const versionText = textOf(version.node);
    if (versionText !== '2012-10-17' && versionText !== '2008-10-17')
      tell(version.node, 'wrong-value', 'Version: 2012-10-17, 2008-10-17');
  }
  const statement = entries.get('Statement');
  if (statement === undefined) {
    tell(root, 'missing-key', 'Statement');
    return;
  }
  const { value } = statement.node;
  if (value.kind === 'array' && value.items.length === 0)
    tell(statement.node, 'empty-statement', 'Statement');
  for (const statementNode of value.kind === 'array' ? value.items : [statement.node])
    checkStatement(statementNode, bucket, tell);
}

const statementKeys = [
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
];

function checkStatement(node: JsonNode, bucket: string, tell: Tell): void {
  const entries = entriesOf(node, statementKeys, tell);
  if (entries === null) return;
  const effect = entries.get('Effect');
  if (effect === undefined) tell(node, 'missing-key', 'Effect');
  else if (!['Allow', 'Deny'].includes(textOf(effect.node) ?? ''))
    tell(effect.node, 'wrong-value', 'Effect: Allow, Deny');
  for (const name of ['Principal', 'Action', 'Resource']) {
    const entry = entries.get(name) ?? entries.get(`Not${name}`);
    if (entry === undefined) tell(node, 'missing-key', name);
    else if (name === 'Principal') checkPrincipal(entry, tell);
    else checkTexts(entry, tell);
  }
  const resource = entries.get('Resource');
  for (const resourceNode of resource === undefined ? [] : listOf(resource.node)) {
    const arn = textOf(resourceNode);
    // Matches arn:aws:s3:::bucket and arn:aws:s3:::bucket/*. The middle fields may be set in other partitions and by Ceph's
    // tenants.
    const named = arn === null ? null : (/^arn:[^:]*:s3:[^:]*:[^:]*:([^/]*)/.exec(arn)?.[1] ?? null);
    if (named !== null && !matches(named, bucket)) tell(resourceNode, 'other-bucket', named, true);
  }
  const condition = entries.get('Condition');
  if (condition !== undefined && condition.node.value.kind !== 'object')
    tell(condition.node, 'wrong-type', 'Condition');
}

function matches(pattern: string, bucket: string): boolean {
  const parts = pattern.split(/([*?])/).map((part) => {
    if (part === '*') return '.*';
    return part === '?' ? '.' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's').test(bucket);
}

function checkPrincipal({ node, key }: JsonEntry, tell: Tell): void {
  const { value } = node;
  if (value.kind === 'string') {
    if (value.text !== '*') tell(node, 'wrong-value', `${key}: "*", {"AWS": …}`);
    return;
  }
  if (value.kind !== 'object') {
    tell(node, 'wrong-type', key);
    return;
  }
  for (const entry of entriesOf(node, ['AWS', 'CanonicalUser', 'Federated', 'Service'], tell)?.values() ?? [])
    checkTexts(entry, tell);
}

/** Reports a value that is neither a text nor a non-empty list of texts. */
function checkTexts({ node, key }: JsonEntry, tell: Tell): void {
  const items = listOf(node);
  if (items.length === 0 || items.some((item) => item.value.kind !== 'string')) tell(node, 'wrong-type', key);
}

function entriesOf(
  node: JsonNode,
  known: readonly string[],
  tell: Tell,
): ReadonlyMap<string, JsonEntry> | null {
  if (node.value.kind !== 'object') {
    tell(node, 'wrong-type', '{ … }');
    return null;
  }
  const entries = new Map<string, JsonEntry>();
  for (const entry of node.value.entries) {
    if (entries.has(entry.key)) tell(entry, 'duplicate-key', entry.key);
    else if (!known.includes(entry.key)) tell(entry, 'unknown-key', entry.key, true);
    entries.set(entry.key, entry);
  }
  return entries;
}

function textOf(node: JsonNode): string | null {
  return node.value.kind === 'string' ? node.value.text : null;
}

function listOf(node: JsonNode): readonly JsonNode[] {
  return node.value.kind === 'array' ? node.value.items : [node];
}

/**
 * Returns whether a policy allows public access by an Allow for `*`, with or without a condition. An Allow with NotPrincipal
 * counts as public. Ignores public access blocks, which may still prevent the access.
 */
export function publicnessOf(text: string): Publicness {
  const reading = readJson(text);
  if (!reading.ok) return 'private';
  const statements = memberOf(reading.root, 'Statement');
  let found: Publicness = 'private';
  for (const statement of statements === null ? [] : listOf(statements)) {
    const effect = memberOf(statement, 'Effect');
    if (effect === null || textOf(effect) !== 'Allow' || !isForEverybody(statement)) continue;
    const condition = memberOf(statement, 'Condition');
    const isFree = condition?.value.kind !== 'object' || condition.value.entries.length === 0;
    if (isFree) return 'public';
    found = 'conditional';
  }
  return found;
}

function isForEverybody(statement: JsonNode): boolean {
  if (memberOf(statement, 'NotPrincipal') !== null) return true;
  const principal = memberOf(statement, 'Principal');
  if (principal === null) return false;
  const aws = principal.value.kind === 'object' ? memberOf(principal, 'AWS') : principal;
  return aws !== null && listOf(aws).some((awsPrincipal) => textOf(awsPrincipal) === '*');
}

function memberOf(node: JsonNode, key: string): JsonNode | null {
  if (node.value.kind !== 'object') return null;
  return node.value.entries.findLast((entry) => entry.key === key)?.node ?? null;
}

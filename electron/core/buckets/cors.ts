import type { CorsRule } from '../../../shared/models/bucket-settings.ts';
import { childrenNamed, childText, element, holdsOnly, printNode, type XmlNode } from '../s3/xml/document.ts';
import { sourceNode } from './lifecycle.ts';

const names = ['ID', 'AllowedOrigin*', 'AllowedMethod*', 'AllowedHeader*', 'ExposeHeader*', 'MaxAgeSeconds'];

/**
 * Returns one rule as the form shows it. Throws `AppError('invalid-argument')` if a text holds characters that XML cannot
 * contain. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CORSRule.html
 */
export function readCorsRule(node: XmlNode): CorsRule {
  const texts = (name: string) => childrenNamed(node, name).map((child) => child.text.trim());
  const maxAge = childText(node, 'MaxAgeSeconds');
  const isNumber = maxAge === null || /^\d{1,9}$/.test(maxAge);
  return {
    id: childText(node, 'ID') ?? '',
    origins: texts('AllowedOrigin'),
    methods: texts('AllowedMethod'),
    headers: texts('AllowedHeader'),
    expose: texts('ExposeHeader'),
    maxAgeSeconds: maxAge === null || !isNumber ? null : Number(maxAge),
    source: printNode(node, ''),
    foreign: !holdsOnly(node, names) || Object.keys(node.attributes).length > 0 || !isNumber,
  };
}

/**
 * Returns a rule for the document. Parts that the form did not change are kept. Throws `AppError('invalid-argument')` if a text
 * holds characters that XML cannot contain.
 */
export function corsRuleNode(rule: CorsRule): XmlNode {
  const before = sourceNode(rule.source);
  if (before !== null && (rule.foreign || isSame(readCorsRule(before), rule))) return before;
  return element('CORSRule', [
    rule.id === '' ? null : element('ID', rule.id),
    ...each('AllowedOrigin', rule.origins),
    ...each('AllowedMethod', rule.methods),
    ...each('AllowedHeader', rule.headers),
    ...each('ExposeHeader', rule.expose),
    rule.maxAgeSeconds === null ? null : element('MaxAgeSeconds', String(rule.maxAgeSeconds)),
  ]);
}

function each(name: string, values: readonly string[]): readonly XmlNode[] {
  return values.map((value) => element(name, value));
}

function isSame(a: CorsRule, b: CorsRule): boolean {
  return essence(a) === essence(b);
}

function essence({ id, origins, methods, headers, expose, maxAgeSeconds }: CorsRule): string {
  return JSON.stringify([id, origins, methods, headers, expose, maxAgeSeconds]);
}

import {
  type CorsRule,
  redirectProtocols,
  type BucketForm,
  type FormOf,
} from '../../../shared/models/bucket-forms.ts';
import {
  childrenNamed,
  childText,
  element,
  holdsOnly,
  printNode,
  type XmlNode,
  childNamed,
  exactText,
} from '../s3/xml/document.ts';
import { unchangedNode } from './lifecycle.ts';

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
  const unchanged = unchangedNode(rule, readCorsRule);
  if (unchanged !== null) return unchanged;
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

const noPages = { indexDocument: '', errorDocument: '' } as const;
const noRedirect = { redirectHost: '', redirectProtocol: '' } as const;

/** Returns the form for a document; null if it has routing rules, so that it is edited as text. */
export function readWebsite(root: XmlNode): BucketForm | null {
  const redirect = childNamed(root, 'RedirectAllRequestsTo');
  if (redirect !== null) {
    if (!holdsOnly(root, ['RedirectAllRequestsTo']) || !holdsOnly(redirect, ['HostName', 'Protocol']))
      return null;
    const stored = childText(redirect, 'Protocol') ?? '';
    const redirectProtocol = redirectProtocols.find((protocol) => protocol === stored);
    if (redirectProtocol === undefined) return null;
    const redirectHost = exactText(redirect, 'HostName');
    return { section: 'website', kind: 'redirect', ...noPages, redirectHost, redirectProtocol };
  }
  const index = childNamed(root, 'IndexDocument');
  const error = childNamed(root, 'ErrorDocument');
  if (index === null || !holdsOnly(root, ['IndexDocument', 'ErrorDocument'])) return null;
  if (!holdsOnly(index, ['Suffix']) || (error !== null && !holdsOnly(error, ['Key']))) return null;
  return {
    section: 'website',
    kind: 'pages',
    indexDocument: exactText(index, 'Suffix'),
    errorDocument: exactText(error, 'Key'),
    ...noRedirect,
  };
}

/** Returns the elements of the document that a form describes. */
export function websiteNodes(form: FormOf<'website'>): readonly (XmlNode | null)[] {
  if (form.kind === 'pages')
    return [
      element('IndexDocument', [element('Suffix', form.indexDocument)]),
      form.errorDocument === '' ? null : element('ErrorDocument', [element('Key', form.errorDocument)]),
    ];
  return [
    element('RedirectAllRequestsTo', [
      element('HostName', form.redirectHost),
      form.redirectProtocol === '' ? null : element('Protocol', form.redirectProtocol),
    ]),
  ];
}

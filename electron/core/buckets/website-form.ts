import { redirectProtocols, type BucketForm, type FormOf } from '../../../shared/models/bucket-settings.ts';
import { childNamed, childText, element, exactText, holdsOnly, type XmlNode } from '../s3/xml/document.ts';

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
    errorDocument: error === null ? '' : exactText(error, 'Key'),
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

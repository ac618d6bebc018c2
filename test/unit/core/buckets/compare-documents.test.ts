import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareDocuments } from '../../../../electron/core/buckets/compare-documents.ts';
import { normaliseDocument } from '../../../../electron/core/buckets/document-units.ts';
import {
  element,
  printDocument,
  readDocument,
  type XmlNode,
} from '../../../../electron/core/s3/xml/document.ts';
import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';

const lifecycle = (...rules: readonly string[]) =>
  `<LifecycleConfiguration>${rules.map((rule) => `<Rule>${rule}</Rule>`).join('')}</LifecycleConfiguration>`;
const rest = '<Status>Enabled</Status><Expiration><Days>3</Days></Expiration>';
const tag = (key: string) => `<Tag><Key>${key}</Key><Value>1</Value></Tag>`;

function rootOf(text: string): XmlNode {
  const reading = readDocument(text);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.root;
}
const normal = (rule: string) =>
  printDocument(normaliseDocument('lifecycle', rootOf(lifecycle(rule)))).replaceAll(/\n\s*/g, '');

interface Filter {
  readonly prefix: string | null;
  readonly tags: readonly string[];
  readonly largerThan: number | null;
}

const filters: fc.Arbitrary<Filter> = fc.record({
  prefix: fc.constantFrom(null, 'logs/', ' a & b/', 'ü'),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  largerThan: fc.constantFrom(null, 0, 5000),
});
type Form = 'documented' | 'ceph' | 'flat' | 'all-in-and' | 'outer-prefix';
const forms: readonly Form[] = ['documented', 'ceph', 'flat', 'all-in-and', 'outer-prefix'];

const and = (nodes: readonly XmlNode[]) => (nodes.length > 0 ? [element('And', nodes)] : []);

/** Returns the XML of a filter in one of the forms that services and programs use. */
function written(filter: Filter, form: Form): readonly XmlNode[] {
  const prefix = filter.prefix === null ? [] : [element('Prefix', filter.prefix)];
  const others = [
    ...filter.tags.map((key) => element('Tag', [element('Key', key), element('Value', '1')])),
    ...(filter.largerThan === null ? [] : [element('ObjectSizeGreaterThan', String(filter.largerThan))]),
  ];
  const all = [...prefix, ...others];
  switch (form) {
    case 'documented':
      return [element('Filter', all.length > 1 ? and(all) : all)];
    case 'ceph':
      return [element('Filter', [...prefix, ...(others.length > 1 ? and(others) : others)])];
    case 'flat':
      return [element('Filter', all)];
    case 'all-in-and':
      return [element('Filter', and(all))];
    case 'outer-prefix':
    default:
      return [...prefix, element('Filter', others.length > 1 ? and(others) : others)];
  }
}

const ruleOf = (filter: Filter, form: Form, days = 3) =>
  element('Rule', [
    element('ID', 'kept'),
    ...written(filter, form),
    element('Status', 'Enabled'),
    element('Expiration', [element('Days', String(days))]),
  ]);
const documentOf = (...rules: readonly XmlNode[]) => printDocument(element('LifecycleConfiguration', rules));

describe('normalising a lifecycle filter', () => {
  test.each([
    [
      'moves the prefix that Ceph returns outside of And into it',
      `<Filter><Prefix>x/</Prefix><And>${tag('a')}${tag('b')}</And></Filter>${rest}`,
      `<Filter><And><Prefix>x/</Prefix>${tag('a')}${tag('b')}</And></Filter>${rest}`,
    ],
    [
      'moves a prefix beside a tag into And',
      `<Filter><Prefix>x/</Prefix>${tag('a')}</Filter>${rest}`,
      `<Filter><And><Prefix>x/</Prefix>${tag('a')}</And></Filter>${rest}`,
    ],
    [
      'removes an empty prefix beside a tag',
      `<Filter><Prefix/>${tag('a')}</Filter>${rest}`,
      `<Filter>${tag('a')}</Filter>${rest}`,
    ],
    [
      'moves a prefix outside of the filter into it',
      `<Prefix>x/</Prefix><Filter>${tag('a')}</Filter>${rest}`,
      `<Filter><And><Prefix>x/</Prefix>${tag('a')}</And></Filter>${rest}`,
    ],
  ])('%s', (_name, answered, wanted) => {
    expect(normal(answered)).toBe(lifecycle(wanted));
  });

  test.each([
    `<Filter><Prefix>x/</Prefix><Not>${tag('a')}</Not></Filter>${rest}`,
    `<Prefix>a/</Prefix><Filter><Prefix>b/</Prefix></Filter>${rest}`,
    `<Filter/>${rest}`,
    `<Filter><Prefix/></Filter>${rest}`,
    `<Prefix>old/</Prefix>${rest}`,
  ])('leaves a malformed or unknown rule unchanged: %s', (rule) => {
    expect(normal(rule)).toBe(lifecycle(rule));
  });

  test('keeps the meaning of every form and yields the documented form', () => {
    fc.assert(
      fc.property(filters, fc.constantFrom(...forms), (filter, form) => {
        const answered = documentOf(ruleOf(filter, form));
        const sent = printDocument(normaliseDocument('lifecycle', rootOf(answered)));
        expect(sent).toBe(printDocument(normaliseDocument('lifecycle', rootOf(sent))));
        expect(sent).toBe(documentOf(ruleOf(filter, 'documented')));
        const wanted = documentOf(ruleOf(filter, 'documented'));
        expect(compareDocuments({ section: 'lifecycle', before: '', wanted, found: answered })).toEqual([]);
      }),
    );
  });
});

const policy = (...statements: readonly unknown[]) =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements });

describe('comparing the stored document with the one sent', () => {
  test('finds each condition that a filter lost, in every form', () => {
    const narrower = filters.filter(
      ({ prefix, tags, largerThan }) => prefix !== null || tags.length > 0 || largerThan !== null,
    );
    fc.assert(
      fc.property(narrower, fc.nat(), fc.constantFrom(...forms), (filter, at, form) => {
        const losses: readonly Filter[] = [
          ...(filter.prefix === null ? [] : [{ ...filter, prefix: null }]),
          ...filter.tags.map((lost) => ({ ...filter, tags: filter.tags.filter((key) => key !== lost) })),
          ...(filter.largerThan === null ? [] : [{ ...filter, largerThan: null }]),
        ];
        const lost = losses[at % losses.length] ?? filter;
        const before = documentOf(ruleOf(filter, form));
        const added = element('Rule', [
          element('ID', 'new'),
          element('Filter', []),
          element('Status', 'Enabled'),
        ]);
        const wanted = documentOf(ruleOf(filter, 'documented'), added);
        const found = documentOf(ruleOf(lost, form), added);
        expect(compareDocuments({ section: 'lifecycle', before, wanted, found })).toMatchObject([
          { kind: 'changed', name: 'kept', touched: false },
        ]);
      }),
    );
  });

  test('names the rule that was dropped and whether it was the one added', () => {
    const old = `<ID>old</ID><Filter><Prefix>a/</Prefix></Filter>${rest}`;
    const fresh = `<ID>fresh</ID><Filter><Prefix>b/</Prefix></Filter>${rest}`;
    const compare = (found: string) =>
      compareDocuments({
        section: 'lifecycle',
        before: lifecycle(old),
        wanted: lifecycle(old, fresh),
        found,
      });
    expect(compare(lifecycle(old))).toMatchObject([{ kind: 'missing', name: 'fresh', touched: true }]);
    expect(compare(lifecycle(fresh))).toMatchObject([{ kind: 'missing', name: 'old', touched: false }]);
    expect(compare(lifecycle(fresh, old))).toEqual([]);
    expect(compare('')).toHaveLength(2);
  });

  const allow = {
    Sid: 'read',
    Effect: 'Allow',
    Principal: '*',
    Action: 's3:GetObject',
    Resource: 'arn:aws:s3:::b/*',
  };
  const same: readonly (readonly [BucketSection, string, string])[] = [
    [
      'lifecycle',
      lifecycle(`<Filter/>${rest}`),
      lifecycle(`<ID>given</ID><Filter><Prefix/></Filter>${rest}`),
    ],
    [
      'lifecycle',
      lifecycle(`<Prefix>p</Prefix>${rest}`),
      lifecycle(`<ID>x</ID><Filter><Prefix>p</Prefix></Filter>${rest}`),
    ],
    [
      'lifecycle',
      lifecycle(
        '<ID>a</ID><Expiration><Date>2030-01-01T00:00:00Z</Date></Expiration><Status>Enabled</Status>',
      ),
      lifecycle(
        '<ID>a</ID><Status>Enabled</Status><Expiration><Date>2030-01-01T00:00:00.000Z</Date><ExpiredObjectDeleteMarker>false</ExpiredObjectDeleteMarker></Expiration>',
      ),
    ],
    [
      'cors',
      '<CORSConfiguration><CORSRule><AllowedOrigin>a</AllowedOrigin><AllowedOrigin>b</AllowedOrigin><MaxAgeSeconds>060</MaxAgeSeconds></CORSRule></CORSConfiguration>',
      '<CORSConfiguration><CORSRule><ID/><MaxAgeSeconds>60</MaxAgeSeconds><AllowedOrigin>b</AllowedOrigin><AllowedOrigin>a</AllowedOrigin></CORSRule></CORSConfiguration>',
    ],
    ['policy', policy(allow), policy({ ...allow, Action: ['s3:GetObject'], Principal: { AWS: ['*'] } })],
    [
      'policy',
      policy({ ...allow, Principal: { AWS: '123456789012' } }),
      policy({ ...allow, Principal: { AWS: ['arn:aws:iam::123456789012:root'] } }),
    ],
    [
      'public-access',
      '<PublicAccessBlockConfiguration><BlockPublicAcls>true</BlockPublicAcls></PublicAccessBlockConfiguration>',
      '<PublicAccessBlockConfiguration><BlockPublicAcls>TRUE</BlockPublicAcls><IgnorePublicAcls>false</IgnorePublicAcls></PublicAccessBlockConfiguration>',
    ],
    [
      'encryption',
      '<S><Rule><A><SSEAlgorithm>AES256</SSEAlgorithm></A></Rule></S>',
      '<S><Rule><A><SSEAlgorithm>AES256</SSEAlgorithm></A><BlockedEncryptionTypes><EncryptionType>SSE-C</EncryptionType></BlockedEncryptionTypes></Rule></S>',
    ],
  ];
  test.each(same)(
    '%s: the same meaning in another spelling is no difference: %s',
    (section, wanted, found) => {
      expect(compareDocuments({ section, before: '', wanted, found })).toEqual([]);
    },
  );

  const other: readonly (readonly [BucketSection, string, string, unknown])[] = [
    ['policy', policy(allow, { ...allow, Sid: 'two' }), policy(allow), { kind: 'missing', name: 'two' }],
    [
      'policy',
      policy({ ...allow, Condition: { Bool: { x: 'true' } } }),
      policy(allow),
      { kind: 'changed', name: 'read' },
    ],
    [
      'tags',
      '<Tagging><TagSet><Tag><Key>a</Key><Value>007</Value></Tag></TagSet></Tagging>',
      '<Tagging><TagSet><Tag><Key>a</Key><Value>7</Value></Tag></TagSet></Tagging>',
      { kind: 'changed', name: 'a' },
    ],
    [
      'public-access',
      '<P><BlockPublicAcls>true</BlockPublicAcls></P>',
      '<P><BlockPublicAcls>false</BlockPublicAcls></P>',
      { kind: 'missing', name: 'BlockPublicAcls' },
    ],
    ['versioning', '<V><Status>Enabled</Status></V>', '<V/>', { kind: 'missing', name: 'Status' }],
    [
      'inventory',
      '<L><InventoryConfiguration><Id>a</Id><IsEnabled>true</IsEnabled></InventoryConfiguration></L>',
      '<L><InventoryConfiguration><Id>a</Id><IsEnabled>false</IsEnabled></InventoryConfiguration></L>',
      { kind: 'changed', name: 'a' },
    ],
    ['lifecycle', '', lifecycle(`<ID>stays</ID>${rest}`), { kind: 'extra', name: 'stays' }],
  ];
  test.each(other)('%s: another meaning is a difference: %s', (section, wanted, found, difference) => {
    expect(compareDocuments({ section, before: '', wanted, found })).toMatchObject([difference]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeForm, readForm } from '../../../../electron/core/buckets/forms.ts';
import { printDocument, readDocument, type XmlNode } from '../../../../electron/core/s3/xml/document.ts';
import { checkText } from '../../../../electron/core/buckets/check.ts';
import { logKeyFormats, type BucketForm } from '../../../../shared/models/bucket-forms.ts';
import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';

function rootOf(text: string): XmlNode {
  const reading = readDocument(text);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.root;
}
const formOf = (section: BucketSection, text: string) => readForm(section, rootOf(text));
/** Removes white space between elements. */
const bare = (text: string) => text.replaceAll(/>\s+</g, '><').trim();

// Characters that XML 1.0 can carry, with those that need care.
const texts = fc.string({
  unit: fc.constantFrom(...Array.from('ab/ &<>"\'\n\u00fc\u{1f600}]')),
  maxLength: 12,
});

describe('a settings document', () => {
  test('keeps order, attributes and text when it is parsed and printed', () => {
    const names = fc.constantFrom('A', 'B', 'x:C');
    const tree: fc.Arbitrary<XmlNode> = fc.letrec<{ node: XmlNode }>((tie) => ({
      node: fc
        .record({
          name: names,
          attributes: fc.dictionary(fc.constantFrom('a', 'b'), texts, { maxKeys: 2, noNullPrototype: true }),
          children: fc.oneof(
            { depthSize: 'small' },
            fc.constant([]),
            fc.array(tie('node'), { maxLength: 3 }),
          ),
          text: texts,
        })
        .map((node) => ({ ...node, text: node.children.length === 0 ? node.text : '', line: 0 })),
    })).node;
    const plain = (node: XmlNode): unknown => [
      node.name,
      node.attributes,
      node.text,
      node.children.map(plain),
    ];
    fc.assert(
      fc.property(tree, (node) => {
        expect(plain(rootOf(printDocument(node)))).toEqual(plain(node));
      }),
    );
  });

  test.each([
    ['<A>\n<B></A>', 2],
    ['<A/><B/>', 1],
    ['', 1],
    ['<!DOCTYPE A [<!ENTITY x "y">]><A>&x;</A>', 1],
    ['<A>\n\n<!ENTITY x "y">', 3],
  ])('%j is rejected with the error at line %i', (text, line) => {
    expect(readDocument(text)).toMatchObject({ ok: false, problem: { line } });
  });
});

describe('settings forms', () => {
  const days = fc.option(fc.integer({ min: 1, max: 3650 }), { nil: null });
  const lifecycleRule = fc
    .record({
      id: fc.stringMatching(/^[a-z0-9-]{1,12}$/),
      enabled: fc.boolean(),
      prefix: texts,
      expireDays: days,
      expireDeleteMarkers: fc.boolean(),
      noncurrentDays: days,
      abortDays: days,
      transitions: fc.array(
        fc.record({ days: fc.integer({ min: 0, max: 900 }), storageClass: fc.constant('COLD') }),
        { maxLength: 2 },
      ),
    })
    .map((rule) => ({
      ...rule,
      expireDeleteMarkers: rule.expireDeleteMarkers && rule.expireDays === null,
      source: null,
      foreign: false,
    }));

  test('read a lifecycle back as composed and print it unchanged', () => {
    fc.assert(
      fc.property(fc.array(lifecycleRule, { maxLength: 4 }), (rules) => {
        const text = composeForm({ section: 'lifecycle', rules });
        const form = formOf('lifecycle', text);
        if (form?.section !== 'lifecycle') throw new Error('The document has no such form.');
        expect(form.rules.map((rule) => ({ ...rule, source: null }))).toEqual(rules);
        expect(composeForm(form)).toBe(text);
      }),
    );
  });

  test.each([
    '<Rule><ID>a</ID><Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule>',
    '<Rule><ID>a</ID><Filter><And><Prefix>p</Prefix><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan></And></Filter><Status>Enabled</Status><Expiration><Date>2030-01-01T00:00:00.000Z</Date></Expiration></Rule>',
    '<Rule><Prefix>p</Prefix><Status>Enabled</Status><NoncurrentVersionExpiration><NoncurrentDays>4</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions></NoncurrentVersionExpiration></Rule>',
    '<Rule><ID>a</ID><Prefix/><Status>Enabled</Status><Novelty x="1">kept</Novelty><Expiration><Days>3</Days></Expiration></Rule>',
    '<Rule><ID>a</ID><Prefix/><Status>Enabled</Status><Expiration><Days>soon</Days></Expiration></Rule>',
  ])('mark a lifecycle rule with unknown elements as foreign and keep all of it: %s', (rule) => {
    const form = formOf('lifecycle', `<LifecycleConfiguration>${rule}</LifecycleConfiguration>`);
    if (form?.section !== 'lifecycle') throw new Error('The document has no such form.');
    expect(form.rules).toMatchObject([{ foreign: true }]);
    // Foreign rules are printed from their source, even if the form has other values.
    const meddled = { ...form, rules: form.rules.map((rule) => ({ ...rule, expireDays: 1 })) };
    expect(bare(composeForm(meddled))).toContain(rule);
  });

  test('keep a rule in the older prefix style when it is edited', () => {
    const form = formOf(
      'lifecycle',
      '<LifecycleConfiguration><Rule><ID>a</ID><Prefix>p/</Prefix><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule></LifecycleConfiguration>',
    );
    if (form?.section !== 'lifecycle') throw new Error('The document has no such form.');
    const text = composeForm({ ...form, rules: form.rules.map((rule) => ({ ...rule, expireDays: 4 })) });
    expect(bare(text)).toContain('<Prefix>p/</Prefix><Status>Enabled</Status><Expiration><Days>4</Days>');
    expect(text).not.toContain('Filter');
  });

  const forms: fc.Arbitrary<BucketForm> = fc.oneof(
    fc.record({
      section: fc.constant('tags' as const),
      tags: fc.uniqueArray(fc.record({ key: texts, value: texts }), {
        selector: ({ key }) => key,
        maxLength: 4,
      }),
    }),
    fc.record({
      section: fc.constant('public-access' as const),
      blockPublicAcls: fc.boolean(),
      ignorePublicAcls: fc.boolean(),
      blockPublicPolicy: fc.boolean(),
      restrictPublicBuckets: fc.boolean(),
    }),
    fc.record({
      section: fc.constant('encryption' as const),
      algorithm: fc.constantFrom('aws:kms' as const, 'aws:kms:dsse' as const),
      kmsKeyId: fc.constantFrom(null, 'arn:aws:kms:eu-west-1:1:key/2'),
      bucketKey: fc.boolean(),
    }),
    fc.record({
      section: fc.constant('payment' as const),
      payer: fc.constantFrom('BucketOwner' as const, 'Requester' as const),
    }),
    fc.record({
      section: fc.constant('ownership' as const),
      rule: fc.constantFrom(
        'BucketOwnerEnforced' as const,
        'BucketOwnerPreferred' as const,
        'ObjectWriter' as const,
      ),
    }),
    fc.record({
      section: fc.constant('website' as const),
      kind: fc.constant('pages' as const),
      indexDocument: texts,
      errorDocument: texts,
      redirectHost: fc.constant(''),
      redirectProtocol: fc.constant('' as const),
    }),
    fc.record({
      section: fc.constant('website' as const),
      kind: fc.constant('redirect' as const),
      indexDocument: fc.constant(''),
      errorDocument: fc.constant(''),
      redirectHost: texts,
      redirectProtocol: fc.constantFrom('' as const, 'http' as const, 'https' as const),
    }),
    fc.record({
      section: fc.constant('logging' as const),
      isOn: fc.constant(true),
      targetBucket: texts,
      targetPrefix: texts,
      keyFormat: fc.constantFrom(...logKeyFormats),
    }),
    fc.constant({
      section: 'logging' as const,
      isOn: false,
      targetBucket: '',
      targetPrefix: '',
      keyFormat: '' as const,
    }),
  );
  test('read tags, public access, encryption, payment, ownership, website and logging back as composed', () => {
    fc.assert(
      fc.property(forms, (form) => {
        expect(formOf(form.section, composeForm(form))).toEqual(form);
      }),
    );
  });

  test.each([
    [
      'encryption',
      '<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault><BlockedEncryptionTypes/></Rule></ServerSideEncryptionConfiguration>',
    ],
    [
      'lifecycle',
      '<LifecycleConfiguration><Rule/><TransitionDefaultMinimumObjectSize>x</TransitionDefaultMinimumObjectSize></LifecycleConfiguration>',
    ],
    [
      'website',
      '<WebsiteConfiguration><IndexDocument><Suffix>i</Suffix></IndexDocument><RoutingRules/></WebsiteConfiguration>',
    ],
    [
      'ownership',
      '<OwnershipControls><Rule><ObjectOwnership>Somebody</ObjectOwnership></Rule></OwnershipControls>',
    ],
    [
      'logging',
      '<BucketLoggingStatus><LoggingEnabled><TargetBucket>b</TargetBucket><TargetGrants/><TargetPrefix/></LoggingEnabled></BucketLoggingStatus>',
    ],
    [
      'logging',
      '<BucketLoggingStatus><LoggingEnabled><TargetBucket>b</TargetBucket><TargetPrefix/><ObjectRollTime>60</ObjectRollTime></LoggingEnabled></BucketLoggingStatus>',
    ],
    [
      'logging',
      '<BucketLoggingStatus><LoggingEnabled><TargetBucket>b</TargetBucket><TargetObjectKeyFormat><OtherPrefix/></TargetObjectKeyFormat></LoggingEnabled></BucketLoggingStatus>',
    ],
    ['tags', '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value><New/></Tag></TagSet></Tagging>'],
    [
      'public-access',
      '<PublicAccessBlockConfiguration><BlockEverything>true</BlockEverything></PublicAccessBlockConfiguration>',
    ],
  ] as const)('are not offered for a document of %s with unknown elements', (section, text) => {
    expect(formOf(section, text)).toBeNull();
  });
});

const codes = (section: BucketSection, text: string) =>
  checkText(section, text, 'photos').map(({ line, code, severity }) => `${line} ${code} ${severity}`);
describe('the check before a save', () => {
  test.each([
    ['lifecycle', '<A/>', ['1 wrong-root error']],
    ['lifecycle', '<LifecycleConfiguration/>', ['1 no-rules error']],
    [
      'lifecycle',
      '<LifecycleConfiguration>\n<Rule>\n<Status>on</Status>\n</Rule>\n</LifecycleConfiguration>',
      ['3 wrong-value error', '2 no-action error', '2 missing-element error'],
    ],
    [
      'cors',
      '<CORSConfiguration>\n<CORSRule><AllowedOrigin>*</AllowedOrigin>\n<AllowedMethod>PATCH</AllowedMethod></CORSRule></CORSConfiguration>',
      ['3 wrong-value error'],
    ],
    [
      'tags',
      '<Tagging><TagSet>\n<Tag><Key>a</Key><Value/></Tag>\n<Tag><Key>a</Key><Value/></Tag></TagSet></Tagging>',
      ['3 duplicate-key error'],
    ],
    [
      'versioning',
      '<VersioningConfiguration>\n<Status>Off</Status></VersioningConfiguration>',
      ['2 wrong-value error'],
    ],
    ['payment', '<RequestPaymentConfiguration/>', ['1 missing-element error']],
  ] as const)('finds the problems in %s: %s', (section, text, expected) => {
    expect(codes(section, text)).toEqual(expected);
  });
});

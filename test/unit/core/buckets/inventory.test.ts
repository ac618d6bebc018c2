import { expect, test } from 'vitest';
import { checkText } from '../../../../electron/core/buckets/check.ts';
import { composeForm, readForm } from '../../../../electron/core/buckets/forms.ts';
import {
  readListedDocuments,
  writeListedDocuments,
} from '../../../../electron/core/buckets/listed-documents.ts';
import type { BucketDocumentRef } from '../../../../electron/core/s3/model/listing-types.ts';
import { readDocument } from '../../../../electron/core/s3/xml/document.ts';
import type { FormOf } from '../../../../shared/models/bucket-forms.ts';

const configurationXml = (id: string, more = '', fields = '<Field>Size</Field>'): string =>
  `<InventoryConfiguration><Destination><S3BucketDestination><AccountId>123456789012</AccountId><Bucket>arn:aws:s3:::reports</Bucket><Format>CSV</Format><Prefix>p</Prefix></S3BucketDestination></Destination><IsEnabled>true</IsEnabled><Filter><Prefix>logs/</Prefix></Filter><Id>${id}</Id><IncludedObjectVersions>Current</IncludedObjectVersions><OptionalFields>${fields}</OptionalFields><Schedule><Frequency>Weekly</Frequency></Schedule>${more}</InventoryConfiguration>`;
const list = (inner: string, token: string | null = null): string =>
  `<ListInventoryConfigurationsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}<IsTruncated>${String(token !== null)}</IsTruncated>${token === null ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`}</ListInventoryConfigurationsResult>`;

const name = ({ id, continuationToken }: BucketDocumentRef): string => id ?? continuationToken ?? '';

function service(pages: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  return {
    asked,
    getBucketDocument: (ref: BucketDocumentRef) =>
      Promise.resolve({ text: pages[name(ref)] ?? '', transitionMinimum: null }),
    putBucketDocument: (ref: BucketDocumentRef & { readonly text: string }) => {
      asked.push(`PUT ${name(ref)}`);
      expect(ref.text).toContain('<InventoryConfiguration xmlns=');
      return Promise.resolve();
    },
    deleteBucketDocument: (ref: BucketDocumentRef) => {
      asked.push(`DELETE ${name(ref)}`);
      return Promise.resolve();
    },
  };
}

function formOf(text: string): FormOf<'inventory'> {
  const reading = readDocument(text);
  const form = reading.ok ? readForm('inventory', reading.root) : null;
  if (form?.section !== 'inventory') throw new Error('There is no form.');
  return form;
}

test('the pages of inventory configurations are merged into one document without paging elements', async () => {
  const s3 = service({ '': list(configurationXml('a'), 'next'), next: list(configurationXml('b')) });
  const text = await readListedDocuments(s3, 'bucket', 'inventory', undefined);
  expect(formOf(text).configurations.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(text).not.toContain('IsTruncated');
});

test('a response that is not a list of inventory configurations is returned unchanged', async () => {
  const s3 = service({ '': '<ListBucketResult/>' });
  expect(await readListedDocuments(s3, 'bucket', 'inventory', undefined)).toBe('<ListBucketResult/>');
});

test('the inventory form reads a common configuration, and an edit changes only the edited field', () => {
  const form = formOf(list(configurationXml('a')).replace('<IsTruncated>false</IsTruncated>', ''));
  expect(form.configurations[0]).toMatchObject({
    id: 'a',
    enabled: true,
    prefix: 'logs/',
    destinationBucket: 'reports',
    destinationPrefix: 'p',
    accountId: '123456789012',
    format: 'CSV',
    frequency: 'Weekly',
    allVersions: false,
    fields: ['Size'],
    foreign: false,
  });
  const changed = composeForm({
    ...form,
    configurations: form.configurations.map((configuration) => ({
      ...configuration,
      format: 'Parquet' as const,
    })),
  });
  const plain = composeForm(form);
  expect(changed).toBe(plain.replace('<Format>CSV</Format>', '<Format>Parquet</Format>'));
  expect(checkText('inventory', changed, 'bucket')).toEqual([]);
});

test('an inventory configuration with a KMS key is carried through unchanged', () => {
  const kms = configurationXml('k').replace(
    '<Format>',
    '<Encryption><SSE-KMS><KeyId>arn:aws:kms:x</KeyId></SSE-KMS></Encryption><Format>',
  );
  const form = formOf(list(kms).replace('<IsTruncated>false</IsTruncated>', ''));
  expect(form.configurations[0]).toMatchObject({ foreign: true });
  expect(composeForm(form)).toContain('<KeyId>arn:aws:kms:x</KeyId>');
});

test('saving inventory configurations puts changed ones, deletes removed ones and skips the rest', async () => {
  const s3 = service({});
  const before = list(configurationXml('same') + configurationXml('gone') + configurationXml('changed'));
  const after = list(
    configurationXml('same') +
      configurationXml('changed', '', '<Field>ETag</Field>') +
      configurationXml('new'),
  );
  await writeListedDocuments(s3, 'bucket', 'inventory', before, after);
  expect(s3.asked).toEqual(['PUT changed', 'PUT new', 'DELETE gone']);
});

test.each([
  ['wrong-value', configurationXml('no spaces')],
  ['duplicate-key', configurationXml('a') + configurationXml('a')],
  ['wrong-value', configurationXml('a').replace('Weekly', 'Hourly')],
  ['missing-element', configurationXml('a').replace(/<Schedule>.*<\/Schedule>/, '')],
  ['wrong-value', configurationXml('a').replace('arn:aws:s3:::reports', 'reports')],
])('an invalid inventory configuration (%s) is found before any request', (code, text) => {
  const whole = list(text).replace('<IsTruncated>false</IsTruncated>', '');
  expect(checkText('inventory', whole, 'bucket').map((problem) => problem.code)).toContain(code);
});

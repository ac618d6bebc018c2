import type { InventoryConfiguration } from '../../../shared/models/bucket-settings.ts';
import {
  childNamed,
  childrenNamed,
  childText,
  element,
  holdsOnly,
  printNode,
  type XmlNode,
} from '../s3/xml/document.ts';
import { sourceNode } from './lifecycle.ts';

const names = [
  'Destination',
  'IsEnabled',
  'Filter',
  'Id',
  'IncludedObjectVersions',
  'OptionalFields',
  'Schedule',
];
const destinationNames = ['AccountId', 'Bucket', 'Encryption', 'Format', 'Prefix'];
const usualArn = 'arn:aws:s3:::';
const formats = ['CSV', 'ORC', 'Parquet'] as const;
const frequencies = ['Daily', 'Weekly'] as const;

function textIn(parent: XmlNode | null, name: string): string {
  return (parent === null ? null : childNamed(parent, name))?.text ?? '';
}

/**
 * Returns one configuration as the form shows it. Marked `foreign`, and kept unchanged, if it has more than the form
 * supports (KMS keys).
 */
export function readInventoryConfiguration(node: XmlNode): InventoryConfiguration {
  const outer = childNamed(node, 'Destination');
  const destination = outer === null ? null : childNamed(outer, 'S3BucketDestination');
  const filter = childNamed(node, 'Filter');
  const schedule = childNamed(node, 'Schedule');
  const optional = childNamed(node, 'OptionalFields');
  const encryption = destination === null ? null : childNamed(destination, 'Encryption');
  const format = formats.find((one) => one === textIn(destination, 'Format').trim());
  const frequency = frequencies.find((one) => one === textIn(schedule, 'Frequency').trim());
  const versions = childText(node, 'IncludedObjectVersions');
  const foreign =
    !holdsOnly(node, names) ||
    Object.keys(node.attributes).some((name) => !name.startsWith('xmlns')) ||
    destination === null ||
    !holdsOnly(destination, destinationNames) ||
    format === undefined ||
    frequency === undefined ||
    !(versions === 'All' || versions === 'Current') ||
    (filter !== null && !holdsOnly(filter, ['Prefix'])) ||
    (encryption !== null && !holdsOnly(encryption, ['SSE-S3'])) ||
    (optional !== null && !holdsOnly(optional, ['Field*']));
  const arn = textIn(destination, 'Bucket').trim();
  return {
    id: childText(node, 'Id') ?? '',
    enabled: childText(node, 'IsEnabled')?.toLowerCase() === 'true',
    prefix: textIn(filter, 'Prefix'),
    destinationBucket: arn.startsWith(usualArn) ? arn.slice(usualArn.length) : arn,
    destinationPrefix: textIn(destination, 'Prefix'),
    accountId: textIn(destination, 'AccountId').trim(),
    format: format ?? 'CSV',
    frequency: frequency ?? 'Daily',
    allVersions: versions === 'All',
    fields: optional === null ? [] : childrenNamed(optional, 'Field').map((field) => field.text.trim()),
    encrypted: encryption !== null,
    source: printNode(node, ''),
    foreign,
  };
}

/** Returns a configuration for the document. Parts that the form did not change are kept. */
export function inventoryConfigurationNode(one: InventoryConfiguration): XmlNode {
  const before = sourceNode(one.source);
  if (before !== null && (one.foreign || isSame(readInventoryConfiguration(before), one))) return before;
  const { destinationBucket: bucket } = one;
  return element('InventoryConfiguration', [
    element('Destination', [
      element('S3BucketDestination', [
        one.accountId === '' ? null : element('AccountId', one.accountId),
        element('Bucket', bucket.startsWith('arn:') ? bucket : `${usualArn}${bucket}`),
        one.encrypted ? element('Encryption', [element('SSE-S3', '')]) : null,
        element('Format', one.format),
        one.destinationPrefix === '' ? null : element('Prefix', one.destinationPrefix),
      ]),
    ]),
    element('IsEnabled', String(one.enabled)),
    one.prefix === '' ? null : element('Filter', [element('Prefix', one.prefix)]),
    element('Id', one.id),
    element('IncludedObjectVersions', one.allVersions ? 'All' : 'Current'),
    one.fields.length === 0
      ? null
      : element(
          'OptionalFields',
          one.fields.map((field) => element('Field', field)),
        ),
    element('Schedule', [element('Frequency', one.frequency)]),
  ]);
}

function isSame(a: InventoryConfiguration, b: InventoryConfiguration): boolean {
  return essence(a) === essence(b);
}

function essence({ source: _source, foreign: _foreign, ...said }: InventoryConfiguration): string {
  return JSON.stringify(Object.entries(said).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

import type { InventoryConfiguration, BucketForm, FormOf } from '../../../shared/models/bucket-forms.ts';
import {
  childNamed,
  childrenNamed,
  childText,
  element,
  holdsOnly,
  printNode,
  type XmlNode,
  exactText,
  localName,
} from '../s3/xml/document.ts';
import { unchangedNode } from './lifecycle.ts';

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

/**
 * Returns one configuration as the form shows it. If it has more than the form supports (KMS keys), it is marked `foreign` and
 * kept unchanged. Throws `AppError('invalid-argument')` if a text holds characters that XML cannot contain.
 */
export function readInventoryConfiguration(node: XmlNode): InventoryConfiguration {
  const destination = childNamed(childNamed(node, 'Destination'), 'S3BucketDestination');
  const filter = childNamed(node, 'Filter');
  const schedule = childNamed(node, 'Schedule');
  const optional = childNamed(node, 'OptionalFields');
  const encryption = childNamed(destination, 'Encryption');
  const format = formats.find((known) => known === exactText(destination, 'Format').trim());
  const frequency = frequencies.find((known) => known === exactText(schedule, 'Frequency').trim());
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
  const arn = exactText(destination, 'Bucket').trim();
  return {
    id: childText(node, 'Id') ?? '',
    enabled: childText(node, 'IsEnabled')?.toLowerCase() === 'true',
    prefix: exactText(filter, 'Prefix'),
    destinationBucket: arn.startsWith(usualArn) ? arn.slice(usualArn.length) : arn,
    destinationPrefix: exactText(destination, 'Prefix'),
    accountId: exactText(destination, 'AccountId').trim(),
    format: format ?? 'CSV',
    frequency: frequency ?? 'Daily',
    allVersions: versions === 'All',
    fields: childrenNamed(optional, 'Field').map((field) => field.text.trim()),
    encrypted: encryption !== null,
    source: printNode(node, ''),
    foreign,
  };
}

/**
 * Returns a configuration for the document. Parts that the form did not change are kept. Throws `AppError('invalid-argument')` if
 * a text holds characters that XML cannot contain.
 */
export function inventoryConfigurationNode(configuration: InventoryConfiguration): XmlNode {
  const unchanged = unchangedNode(configuration, readInventoryConfiguration);
  if (unchanged !== null) return unchanged;
  const { destinationBucket: bucket } = configuration;
  return element('InventoryConfiguration', [
    element('Destination', [
      element('S3BucketDestination', [
        configuration.accountId === '' ? null : element('AccountId', configuration.accountId),
        element('Bucket', bucket.startsWith('arn:') ? bucket : `${usualArn}${bucket}`),
        configuration.encrypted ? element('Encryption', [element('SSE-S3', '')]) : null,
        element('Format', configuration.format),
        configuration.destinationPrefix === '' ? null : element('Prefix', configuration.destinationPrefix),
      ]),
    ]),
    element('IsEnabled', String(configuration.enabled)),
    configuration.prefix === '' ? null : element('Filter', [element('Prefix', configuration.prefix)]),
    element('Id', configuration.id),
    element('IncludedObjectVersions', configuration.allVersions ? 'All' : 'Current'),
    configuration.fields.length === 0
      ? null
      : element(
          'OptionalFields',
          configuration.fields.map((field) => element('Field', field)),
        ),
    element('Schedule', [element('Frequency', configuration.frequency)]),
  ]);
}

const off = { isOn: false, targetBucket: '', targetPrefix: '', keyFormat: '' } as const;

/** Returns the form for a document; null if it has grants on the logs or Ceph's own elements, so that it is edited as text. */
export function readLogging(root: XmlNode): BucketForm | null {
  const enabled = childNamed(root, 'LoggingEnabled');
  if (!holdsOnly(root, ['LoggingEnabled'])) return null;
  if (enabled === null) return { section: 'logging', ...off };
  if (!holdsOnly(enabled, ['TargetBucket', 'TargetPrefix', 'TargetObjectKeyFormat'])) return null;
  const keyFormat = readLogKeyFormat(childNamed(enabled, 'TargetObjectKeyFormat'));
  if (keyFormat === null) return null;
  return {
    section: 'logging',
    isOn: true,
    targetBucket: exactText(enabled, 'TargetBucket'),
    targetPrefix: exactText(enabled, 'TargetPrefix'),
    keyFormat,
  };
}

const logDateSources = { EventTime: 'event-time', DeliveryTime: 'delivery-time' } as const;

/** Returns the form's key format; null for one that the form does not support. Source: S3 API, TargetObjectKeyFormat. */
function readLogKeyFormat(format: XmlNode | null): FormOf<'logging'>['keyFormat'] | null {
  if (format === null) return '';
  const [only, ...others] = format.children;
  if (only === undefined || others.length > 0) return null;
  if (localName(only) === 'SimplePrefix') return only.children.length === 0 ? 'simple' : null;
  if (localName(only) !== 'PartitionedPrefix' || !holdsOnly(only, ['PartitionDateSource'])) return null;
  const source = childText(only, 'PartitionDateSource');
  return source === 'EventTime' || source === 'DeliveryTime' ? logDateSources[source] : null;
}

/** Returns the element of the document that a form describes. */
export function loggingNode({ targetBucket, targetPrefix, keyFormat }: FormOf<'logging'>): XmlNode {
  const source = keyFormat === 'event-time' ? 'EventTime' : 'DeliveryTime';
  const partitioned = element('PartitionedPrefix', [element('PartitionDateSource', source)]);
  const format = keyFormat === 'simple' ? element('SimplePrefix', []) : partitioned;
  return element('LoggingEnabled', [
    element('TargetBucket', targetBucket),
    element('TargetPrefix', targetPrefix),
    keyFormat === '' ? null : element('TargetObjectKeyFormat', [format]),
  ]);
}

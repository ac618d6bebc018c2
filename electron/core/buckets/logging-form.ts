import type { BucketForm, FormOf } from '../../../shared/models/bucket-settings.ts';
import {
  childNamed,
  childText,
  element,
  exactText,
  holdsOnly,
  localName,
  type XmlNode,
} from '../s3/xml/document.ts';

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

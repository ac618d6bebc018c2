import { bucketNameProblem } from '../../../shared/keys/bucket-name.ts';
import {
  accountIdPattern,
  type BatchOperation,
  type BatchTag,
  batchTagSchema,
  maxTags,
  type NewBatch,
  roleArnPattern,
} from '../../../shared/models/batches.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import type { EnglishMessages } from '../../../shared/messages/english.ts';

export const batchKinds = ['tag', 'copy', 'restore', 'expire'] as const;
export type BatchKind = (typeof batchKinds)[number];

/** The dialog's fields as typed. */
export interface BatchForm {
  readonly kind: BatchKind;
  /** One tag per line: `key=value`. */
  readonly tags: string;
  readonly targetBucket: string;
  readonly targetPrefix: string;
  /** '' keeps the storage class of each source. */
  readonly storageClass: string;
  readonly days: string;
  readonly tier: 'BULK' | 'STANDARD';
  readonly expireKey: string;
  readonly expireValue: string;
  readonly expireDays: string;
  readonly accountId: string;
  readonly roleArn: string;
  readonly priority: string;
  readonly manifestBucket: string;
  readonly manifestKey: string;
  readonly reportBucket: string;
  readonly reportPrefix: string;
  readonly isReportOfAll: boolean;
  readonly asksFirst: boolean;
}

export type BatchField = Exclude<keyof BatchForm, 'kind' | 'tier' | 'isReportOfAll' | 'asksFirst'>;

/** A problem with a field, as a message key. */
export type BatchProblem = keyof EnglishMessages['batches']['problems'];

export type BatchProblems = Partial<Readonly<Record<BatchField, BatchProblem>>>;

/** The bucket of the selected objects. */
interface BatchPlace {
  readonly connectionId: string;
  readonly bucket: string;
  readonly items: readonly SelectionItem[];
}

/** The values last typed for this connection, or '' for a value that was never typed. */
export interface LastBatchValues {
  readonly accountId: string;
  readonly roleArn: string;
  readonly ownBucket: string;
}

/** Returns the initial form. `nowMs` makes the suggested names unique. */
export function newBatchForm(bucket: string, lastValues: LastBatchValues, nowMs: number): BatchForm {
  const stamp = new Date(nowMs)
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[^\dT]/g, '');
  const reportBucket = lastValues.ownBucket === '' ? bucket : lastValues.ownBucket;
  return {
    kind: 'tag',
    tags: '',
    targetBucket: '',
    targetPrefix: '',
    storageClass: '',
    days: '7',
    tier: 'BULK',
    expireKey: 'cooper-delete',
    expireValue: stamp,
    expireDays: '1',
    accountId: lastValues.accountId,
    roleArn: lastValues.roleArn,
    priority: '10',
    manifestBucket: reportBucket,
    manifestKey: `batch-jobs/${stamp}/manifest.csv`,
    reportBucket,
    reportPrefix: `batch-jobs/${stamp}`,
    isReportOfAll: true,
    asksFirst: true,
  };
}

/** Returns the tags, one per line. Null if one is invalid, a key occurs twice, or there are too many. */
export function readTags(text: string): readonly BatchTag[] | null {
  const tags: BatchTag[] = [];
  for (const line of text.split('\n').filter((filled) => filled.trim() !== '')) {
    const cut = line.indexOf('=');
    const tag = {
      key: line.slice(0, cut < 0 ? line.length : cut).trim(),
      value: cut < 0 ? '' : line.slice(cut + 1).trim(),
    };
    if (!batchTagSchema.safeParse(tag).success || tags.some(({ key }) => key === tag.key)) return null;
    tags.push(tag);
  }
  return tags.length > maxTags ? null : tags;
}

/** Returns the tag that marks objects for deletion, or null if it is invalid. */
export function readExpiryTag({ expireKey, expireValue }: BatchForm): BatchTag | null {
  const tag = batchTagSchema.safeParse({ key: expireKey.trim(), value: expireValue.trim() });
  return tag.success ? tag.data : null;
}

/** Parses a whole number within these bounds. Returns null for any other text. */
export function parseWholeNumber(text: string, min: number, max: number): number | null {
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

export type ReadBatch =
  | { readonly kind: 'ready'; readonly input: NewBatch }
  | { readonly kind: 'wrong'; readonly problems: BatchProblems };

const maxDays = 36_500;
const maxPriority = 2_147_483_647;
const maxKeyBytes = 1024;

/** Returns the job that the form describes, or the problems of its fields. */
export function readBatchForm(form: BatchForm, place: BatchPlace): ReadBatch {
  const problems: Partial<Record<BatchField, BatchProblem>> = {};
  const bucketOf = (field: BatchField, text: string): string => {
    const name = text.trim();
    if (name === '') problems[field] = 'missing';
    else if (bucketNameProblem(name) !== null) problems[field] = 'bucket';
    return name;
  };
  const operation = readOperation(form, place.bucket, problems, bucketOf);
  const accountId = form.accountId.trim();
  if (!accountIdPattern.test(accountId)) problems.accountId = accountId === '' ? 'missing' : 'account';
  const roleArn = form.roleArn.trim();
  if (!roleArnPattern.test(roleArn)) problems.roleArn = roleArn === '' ? 'missing' : 'role';
  const priority = parseWholeNumber(form.priority, 0, maxPriority);
  if (priority === null) problems.priority = 'priority';
  const manifestBucket = bucketOf('manifestBucket', form.manifestBucket);
  const { manifestKey } = form;
  if (manifestKey.trim() === '') problems.manifestKey = 'missing';
  else if (new TextEncoder().encode(manifestKey).byteLength > maxKeyBytes) problems.manifestKey = 'too-long';
  const reportBucket = bucketOf('reportBucket', form.reportBucket);
  // Removes trailing slashes, since the service adds one.
  const prefix = form.reportPrefix.replace(/\/+$/, '');
  if (prefix.length > 512) problems.reportPrefix = 'prefix';
  if (operation === null || priority === null || Object.keys(problems).length > 0)
    return { kind: 'wrong', problems };
  return {
    kind: 'ready',
    input: {
      connectionId: place.connectionId,
      bucket: place.bucket,
      items: [...place.items],
      operation,
      accountId,
      roleArn,
      priority,
      manifest: { bucket: manifestBucket, key: manifestKey },
      report: { bucket: reportBucket, prefix, scope: form.isReportOfAll ? 'AllTasks' : 'FailedTasksOnly' },
      asksFirst: form.asksFirst,
    },
  };
}

function readOperation(
  form: BatchForm,
  source: string,
  problems: Partial<Record<BatchField, BatchProblem>>,
  bucketOf: (field: BatchField, text: string) => string,
): BatchOperation | null {
  switch (form.kind) {
    case 'tag': {
      const tags = readTags(form.tags);
      if (tags === null) problems.tags = 'tags';
      else if (tags.length === 0) problems.tags = 'missing';
      return tags === null ? null : { kind: 'tag', tags: [...tags] };
    }
    case 'copy': {
      const bucket = bucketOf('targetBucket', form.targetBucket);
      const prefix = form.targetPrefix.replace(/\/+$/, '');
      if (prefix.length > 512) problems.targetPrefix = 'prefix';
      const storageClass = form.storageClass === '' ? null : form.storageClass;
      // CopyObject refuses a copy onto itself that changes nothing.
      if (bucket === source && prefix === '' && storageClass === null) problems.targetBucket = 'onto-itself';
      return { kind: 'copy', bucket, prefix, storageClass };
    }
    case 'restore': {
      const days = parseWholeNumber(form.days, 1, maxDays);
      if (days === null) problems.days = 'days';
      return days === null ? null : { kind: 'restore', days, tier: form.tier };
    }
    case 'expire': {
      const tag = readExpiryTag(form);
      if (tag === null) problems[form.expireKey.trim() === '' ? 'expireKey' : 'expireValue'] = 'tag';
      if (parseWholeNumber(form.expireDays, 1, maxDays) === null) problems.expireDays = 'days';
      return tag === null ? null : { kind: 'expire', tag };
    }
    default:
      return form.kind satisfies never;
  }
}

/** The objects to create a job for. */
export interface ChosenForBatch extends BatchPlace {
  /** The number of objects, or null if selected folders have not been counted. */
  readonly count: number | null;
}

/** The props of the form's fields. */
export interface FieldsProps {
  readonly form: BatchForm;
  readonly onChange: (change: Partial<BatchForm>) => void;
  readonly problemOf: (field: BatchField) => string | null;
}

/** Returns the props of a text field. The browser must neither correct nor complete names and addresses. */
export function textField({ form, onChange, problemOf }: FieldsProps, field: BatchField) {
  return {
    spellCheck: false,
    autoComplete: 'off',
    autoCapitalize: 'off',
    value: form[field],
    error: problemOf(field),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [field]: event.currentTarget.value }),
  } as const;
}

/** Returns the props of a field for a whole number. */
export function numberField({ form, onChange, problemOf }: FieldsProps, field: BatchField) {
  return {
    size: 'xs',
    allowDecimal: false,
    value: form[field],
    error: problemOf(field),
    onChange: (value: number | string) => onChange({ [field]: String(value) }),
  } as const;
}

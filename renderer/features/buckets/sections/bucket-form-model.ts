import type {
  BucketForm,
  CorsRule,
  FormOf,
  InventoryConfiguration,
  LifecycleRule,
} from '../../../../shared/models/bucket-forms.ts';
import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';

/** The props of the form of a section. */
export interface FormProps<Section extends BucketForm['section']> {
  readonly form: FormOf<Section>;
  readonly onChange: (form: FormOf<Section>) => void;
}

/** Returns the initial form for a missing configuration, or null if only the text editor can create one. */
export function emptyBucketForm(section: BucketSection): BucketForm | null {
  switch (section) {
    case 'versioning':
      return { section, status: 'off', mfaDelete: false };
    case 'lifecycle':
    case 'cors':
      return { section, rules: [] };
    case 'tags':
      return { section, tags: [] };
    case 'public-access':
      return {
        section,
        blockPublicAcls: false,
        ignorePublicAcls: false,
        blockPublicPolicy: false,
        restrictPublicBuckets: false,
      };
    case 'encryption':
      return { section, algorithm: 'AES256', kmsKeyId: null, bucketKey: false };
    case 'payment':
      return { section, payer: 'BucketOwner' };
    case 'ownership':
      return { section, rule: '' };
    case 'website':
      return {
        section,
        kind: 'pages',
        indexDocument: '',
        errorDocument: '',
        redirectHost: '',
        redirectProtocol: '',
      };
    case 'logging':
      return { section, isOn: false, targetBucket: '', targetPrefix: '', keyFormat: '' };
    case 'inventory':
      return { section, configurations: [] };
    default:
      return null;
  }
}

/** Returns true if the form is empty, so that saving it removes the configuration. */
export function isEmptyForm(form: BucketForm): boolean {
  if (form.section === 'lifecycle' || form.section === 'cors') return form.rules.length === 0;
  if (form.section === 'inventory') return form.configurations.length === 0;
  return form.section === 'tags' && form.tags.length === 0;
}

export type BucketFormProblem =
  | 'buckets.lifecycle.noAction'
  | 'buckets.cors.incomplete'
  | 'buckets.tags.empty'
  | 'buckets.tags.twice'
  | 'buckets.inventory.incomplete'
  | 'buckets.inventory.twice'
  | 'buckets.website.index'
  | 'buckets.website.host'
  | 'buckets.logging.bucket';

/** Returns the reason why a form cannot be saved, or null if it can. */
export function formProblem(form: BucketForm): BucketFormProblem | null {
  switch (form.section) {
    case 'lifecycle':
      return form.rules.some((rule) => !rule.foreign && !hasAction(rule))
        ? 'buckets.lifecycle.noAction'
        : null;
    case 'cors':
      return form.rules.some((rule) => !rule.foreign && !isWholeCorsRule(rule))
        ? 'buckets.cors.incomplete'
        : null;
    case 'tags': {
      const keys = form.tags.map(({ key }) => key);
      if (keys.includes('')) return 'buckets.tags.empty';
      return new Set(keys).size < keys.length ? 'buckets.tags.twice' : null;
    }
    case 'website':
      return websiteProblem(form);
    case 'logging':
      return form.isOn && form.targetBucket.trim() === '' ? 'buckets.logging.bucket' : null;
    case 'inventory': {
      const ids = form.configurations.map(({ id }) => id);
      if (
        form.configurations.some(
          (configuration) => !configuration.foreign && !isWholeInventory(configuration),
        )
      )
        return 'buckets.inventory.incomplete';
      return new Set(ids).size < ids.length ? 'buckets.inventory.twice' : null;
    }
    default:
      return null;
  }
}

// Returns the problem with a website. The index document is not empty and has no slash. Source:
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_IndexDocument.html
function websiteProblem({ kind, indexDocument, redirectHost }: FormOf<'website'>): BucketFormProblem | null {
  if (kind === 'pages')
    return indexDocument === '' || indexDocument.includes('/') ? 'buckets.website.index' : null;
  return /^[^\s/:]+(?::\d+)?$/u.test(redirectHost) ? null : 'buckets.website.host';
}

export function hasAction(rule: LifecycleRule): boolean {
  return (
    rule.expireDays !== null ||
    rule.expireDeleteMarkers ||
    rule.noncurrentDays !== null ||
    rule.abortDays !== null ||
    rule.transitions.length > 0
  );
}

function isWholeCorsRule({ origins, methods }: CorsRule): boolean {
  return origins.some((origin) => origin.trim() !== '') && methods.length > 0;
}

function isWholeInventory({ id, destinationBucket }: InventoryConfiguration): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(id) && destinationBucket.trim() !== '';
}

/** Returns a new inventory configuration, with a unique id and all fields that a map needs. */
export function newInventoryConfiguration(known: readonly InventoryConfiguration[]): InventoryConfiguration {
  let id = 'inventory';
  for (let number = 2; known.some((configuration) => configuration.id === id); number += 1)
    id = `inventory-${number}`;
  return {
    id,
    enabled: true,
    prefix: '',
    destinationBucket: '',
    destinationPrefix: '',
    accountId: '',
    format: 'CSV',
    frequency: 'Daily',
    allVersions: false,
    fields: ['Size', 'LastModifiedDate', 'ETag', 'StorageClass'],
    encrypted: false,
    source: null,
    foreign: false,
  };
}

/** Returns a rule with a unique id, which services require. */
export function newLifecycleRule(
  rules: readonly LifecycleRule[],
  change: Partial<LifecycleRule> = {},
): LifecycleRule {
  const base = change.id ?? 'rule';
  let id = base;
  for (let number = 2; rules.some((rule) => rule.id === id); number += 1) id = `${base}-${number}`;
  return {
    enabled: true,
    prefix: '',
    expireDays: null,
    expireDeleteMarkers: false,
    noncurrentDays: null,
    abortDays: null,
    transitions: [],
    source: null,
    foreign: false,
    ...change,
    id,
  };
}

export function newCorsRule(): CorsRule {
  return {
    id: '',
    origins: [],
    methods: ['GET'],
    headers: [],
    expose: [],
    maxAgeSeconds: null,
    source: null,
    foreign: false,
  };
}

/** Returns the values in a field with one value per line. */
export function splitLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

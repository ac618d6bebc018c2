import { assertNever } from '../../../shared/assert-never.ts';
import { ownershipRules, type BucketForm } from '../../../shared/models/bucket-forms.ts';
import type { BucketSection } from '../../../shared/models/bucket-settings.ts';
import { failure } from '../../../shared/errors.ts';
import {
  childNamed,
  childrenNamed,
  childText,
  element,
  exactText,
  holdsOnly,
  localName,
  printDocument,
  rootElement,
  type XmlNode,
} from '../s3/xml/document.ts';
import { anyAccount, everybody } from '../s3/model/property-types.ts';
import { lifecycleRuleNode, readLifecycleRule } from './lifecycle.ts';
import {
  loggingNode,
  readLogging,
  inventoryConfigurationNode,
  readInventoryConfiguration,
} from './report-forms.ts';
import { sectionRequests } from './sections.ts';
import { readWebsite, websiteNodes, corsRuleNode, readCorsRule } from './web-forms.ts';

/** Returns the form for a document. Returns null if the section has no form, or if the form would lose a part of the document. */
export function readForm(section: BucketSection, root: XmlNode): BucketForm | null {
  switch (section) {
    case 'versioning':
      return readVersioning(root);
    case 'lifecycle':
      return holdsOnly(root, ['Rule*'])
        ? { section, rules: root.children.map((rule) => readLifecycleRule(rule)) }
        : null;
    case 'cors':
      return holdsOnly(root, ['CORSRule*'])
        ? { section, rules: root.children.map((rule) => readCorsRule(rule)) }
        : null;
    case 'tags':
      return readTags(root);
    case 'public-access':
      return readPublicAccess(root);
    case 'access':
      return readAccess(root);
    case 'ownership':
      return readOwnership(root);
    case 'website':
      return readWebsite(root);
    case 'logging':
      return readLogging(root);
    case 'encryption':
      return readEncryption(root);
    case 'payment': {
      const payer = childText(root, 'Payer');
      return payer === 'BucketOwner' || payer === 'Requester' ? { section, payer } : null;
    }
    case 'object-lock':
      return readObjectLock(root);
    case 'inventory':
      return holdsOnly(root, ['InventoryConfiguration*'])
        ? {
            section,
            configurations: root.children.map((configuration) => readInventoryConfiguration(configuration)),
          }
        : null;
    default:
      // A section without a form is edited as text.
      return null;
  }
}

function readVersioning(root: XmlNode): BucketForm | null {
  const status = childText(root, 'Status');
  if (!holdsOnly(root, ['Status', 'MfaDelete', 'MFADelete'])) return null;
  return {
    section: 'versioning',
    status: status === 'Enabled' ? 'enabled' : status === 'Suspended' ? 'suspended' : 'off',
    mfaDelete: (childText(root, 'MfaDelete') ?? childText(root, 'MFADelete')) === 'Enabled',
  };
}

function readTags(root: XmlNode): BucketForm | null {
  const set = childNamed(root, 'TagSet');
  if (set === null || !holdsOnly(root, ['TagSet']) || !holdsOnly(set, ['Tag*'])) return null;
  if (set.children.some((tag) => !holdsOnly(tag, ['Key', 'Value']))) return null;
  return {
    section: 'tags',
    tags: set.children.map((tag) => ({ key: exactText(tag, 'Key'), value: exactText(tag, 'Value') })),
  };
}

const blocks = [
  ['blockPublicAcls', 'BlockPublicAcls'],
  ['ignorePublicAcls', 'IgnorePublicAcls'],
  ['blockPublicPolicy', 'BlockPublicPolicy'],
  ['restrictPublicBuckets', 'RestrictPublicBuckets'],
] as const;

function readPublicAccess(root: XmlNode): BucketForm | null {
  const names = blocks.map(([, name]) => name);
  if (!holdsOnly(root, names)) return null;
  const isOn = (name: string) => childText(root, name)?.toLowerCase() === 'true';
  return {
    section: 'public-access',
    blockPublicAcls: isOn('BlockPublicAcls'),
    ignorePublicAcls: isOn('IgnorePublicAcls'),
    blockPublicPolicy: isOn('BlockPublicPolicy'),
    restrictPublicBuckets: isOn('RestrictPublicBuckets'),
  };
}

const publicGroups = new Set([everybody, anyAccount]);

function readAccess(root: XmlNode): BucketForm {
  const owner = childNamed(root, 'Owner');
  const grants = childrenNamed(childNamed(root, 'AccessControlList'), 'Grant').map((grant) => {
    const grantee = childNamed(grant, 'Grantee');
    const uri = childText(grantee, 'URI');
    const names = ['DisplayName', 'EmailAddress', 'ID'].map((name) => childText(grantee, name));
    return {
      who: uri === null ? (names.find(Boolean) ?? '') : uri.slice(uri.lastIndexOf('/') + 1),
      isPublic: uri !== null && publicGroups.has(uri),
      permission: childText(grant, 'Permission') ?? '',
    };
  });
  const ownerName = childText(owner, 'DisplayName') || childText(owner, 'ID') || '';
  return { section: 'access', owner: ownerName, grants };
}

function readOwnership(root: XmlNode): BucketForm | null {
  const rule = childNamed(root, 'Rule');
  if (rule === null || !holdsOnly(root, ['Rule']) || !holdsOnly(rule, ['ObjectOwnership'])) return null;
  const chosen = ownershipRules.find((ownership) => ownership === childText(rule, 'ObjectOwnership'));
  return chosen === undefined ? null : { section: 'ownership', rule: chosen };
}

function readEncryption(root: XmlNode): BucketForm | null {
  const rules = childrenNamed(root, 'Rule');
  const [rule] = rules;
  if (rule === undefined || rules.length !== 1 || !holdsOnly(root, ['Rule'])) return null;
  if (!holdsOnly(rule, ['ApplyServerSideEncryptionByDefault', 'BucketKeyEnabled'])) return null;
  const byDefault = childNamed(rule, 'ApplyServerSideEncryptionByDefault');
  if (byDefault === null || !holdsOnly(byDefault, ['SSEAlgorithm', 'KMSMasterKeyID'])) return null;
  const algorithm = childText(byDefault, 'SSEAlgorithm');
  if (algorithm !== 'AES256' && algorithm !== 'aws:kms' && algorithm !== 'aws:kms:dsse') return null;
  return {
    section: 'encryption',
    algorithm,
    kmsKeyId: childText(byDefault, 'KMSMasterKeyID') || null,
    bucketKey: childText(rule, 'BucketKeyEnabled') === 'true',
  };
}

function readObjectLock(root: XmlNode): BucketForm {
  const retention = childNamed(childNamed(root, 'Rule'), 'DefaultRetention');
  const count = (name: string) => {
    const text = childText(retention, name) ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  return {
    section: 'object-lock',
    enabled: childText(root, 'ObjectLockEnabled') === 'Enabled',
    mode: childText(retention, 'Mode'),
    days: count('Days'),
    years: count('Years'),
  };
}

/** Returns the document that a form describes. Throws AppFailure for a read-only section. */
export function composeForm(form: BucketForm): string {
  const root = sectionRequests[form.section].root ?? '';
  return printDocument(rootElement(root, childrenOf(form)));
}

function childrenOf(form: BucketForm): readonly (XmlNode | null)[] {
  switch (form.section) {
    case 'versioning':
      // Versioning can only be suspended, never reset to "never enabled".
      return [element('Status', form.status === 'enabled' ? 'Enabled' : 'Suspended')];
    case 'lifecycle':
      return form.rules.map((rule) => lifecycleRuleNode(rule));
    case 'cors':
      return form.rules.map((rule) => corsRuleNode(rule));
    case 'tags':
      return [
        element(
          'TagSet',
          form.tags.map(({ key, value }) => element('Tag', [element('Key', key), element('Value', value)])),
        ),
      ];
    case 'public-access':
      return blocks.map(([field, name]) => element(name, String(form[field])));
    case 'encryption':
      return [encryptionRule(form)];
    case 'payment':
      return [element('Payer', form.payer)];
    case 'inventory':
      return form.configurations.map((configuration) => inventoryConfigurationNode(configuration));
    case 'ownership':
      return [element('Rule', [element('ObjectOwnership', form.rule)])];
    case 'website':
      return websiteNodes(form);
    case 'logging':
      return form.isOn ? [loggingNode(form)] : [];
    case 'access':
    case 'object-lock':
      throw failure('unsupported', 'Cooper shows this configuration but cannot change it.', {
        reason: 'read-only',
      });
    default:
      return assertNever(form);
  }
}

function encryptionRule(form: Extract<BucketForm, { section: 'encryption' }>): XmlNode {
  const isKms = form.algorithm !== 'AES256';
  return element('Rule', [
    element('ApplyServerSideEncryptionByDefault', [
      element('SSEAlgorithm', form.algorithm),
      isKms && form.kmsKeyId !== null ? element('KMSMasterKeyID', form.kmsKeyId) : null,
    ]),
    isKms && form.bucketKey ? element('BucketKeyEnabled', 'true') : null,
  ]);
}

/** Returns true if the root element is the one of this configuration. */
export function isRootOf(section: BucketSection, root: XmlNode): boolean {
  return localName(root) === sectionRequests[section].root;
}

import { createHash } from 'node:crypto';
import { AppFailure, failure, toAppError, type AppError } from '../../../shared/errors.ts';
import {
  sectionFacts,
  type BucketForm,
  type BucketSection,
  type SettingsDocument,
  type SettingsOutcome,
  type SettingsProblem,
} from '../../../shared/models/bucket-settings.ts';
import type { BatchTag, ExpiryRule } from '../../../shared/models/batches.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { localName, printDocument, readDocument, rootElement, type XmlNode } from '../s3/xml/document.ts';
import { checkText } from './check.ts';
import { hasExpiryRule, withExpiryRule } from './expiry-rule.ts';
import { composeForm, isRootOf, readForm } from './forms.ts';
import { readInventoryList, writeInventoryList } from './inventory-documents.ts';
import { publicnessOf } from './policy.ts';
import { documentRef, saysAbsent, saysUnsupported, sectionRequests } from './sections.ts';

export interface SectionPlace extends Place {
  readonly section: BucketSection;
}

export interface BucketSettings {
  read(place: SectionPlace, signal?: AbortSignal): Promise<SettingsDocument>;
  compose(form: BucketForm): string;
  check(input: {
    readonly bucket: string;
    readonly section: BucketSection;
    readonly text: string;
  }): readonly SettingsProblem[];
  save(
    input: SectionPlace & { readonly text: string; readonly expected: string | null },
  ): Promise<SettingsOutcome>;
  /** Whether a lifecycle rule deletes what has the tag; else the configuration with one that does, for `save`. */
  expiryRule(place: Place, tag: BatchTag, days: number, signal?: AbortSignal): Promise<ExpiryRule>;
  clear(input: SectionPlace & { readonly expected: string | null }): Promise<SettingsOutcome>;
}

/** The configurations of buckets: read, checked, and changed only from what the user has seen. */
export function createBucketSettings(client: (connectionId: string) => Promise<S3Client>): BucketSettings {
  const read: BucketSettings['read'] = async ({ connectionId, bucket, section }, signal) => {
    const s3 = await client(connectionId);
    try {
      const options = signal ? { signal } : undefined;
      const text =
        section === 'inventory'
          ? await readInventoryList(s3, bucket, options)
          : await s3.getBucketDocument(documentRef(bucket, section), options);
      return documentOf(section, text);
    } catch (thrown) {
      return refused(section, toAppError(thrown), thrown);
    }
  };

  /** Writes where nothing has changed since `expected`, and reads what has come of it. */
  const change = async (
    place: SectionPlace & { readonly expected: string | null },
    write: (s3: S3Client, now: SettingsDocument) => Promise<void>,
  ): Promise<SettingsOutcome> => {
    if (sectionFacts[place.section].readOnly)
      throw failure('unsupported', 'This configuration is shown, and not changed here.', {
        reason: 'read-only',
      });
    const now = await read(place);
    if (now.error !== null) throw new AppFailure(now.error);
    // A service that ignores the query would take the request for one that makes a bucket, or removes it.
    if (now.state === 'unsupported')
      throw failure('unsupported', 'This service does not have this configuration.', {
        reason: 'not-implemented',
      });
    if (now.fingerprint !== place.expected) return { kind: 'changed', document: now };
    await write(await client(place.connectionId), now);
    const document = await read(place);
    return { kind: 'saved', document };
  };

  return {
    read,
    compose: composeForm,
    check: ({ bucket, section, text }) => checkText(section, text, bucket),
    save: async (input) => {
      const { bucket, section, text } = input;
      const wrong = checkText(section, text, bucket).find(({ severity }) => severity === 'error');
      if (wrong !== undefined)
        throw failure(
          'invalid-argument',
          `The configuration was not sent: line ${wrong.line}: ${wrong.detail}`,
          {
            retry: 'after-fix',
            reason: 'malformed-xml',
          },
        );
      return await change(input, async (s3, now) => {
        if (section === 'inventory') await writeInventoryList(s3, bucket, now.text, text);
        else await s3.putBucketDocument({ ...documentRef(bucket, section), text });
      });
    },
    expiryRule: async ({ connectionId, bucket }, tag, days, signal) => {
      const now = await read({ connectionId, bucket, section: 'lifecycle' }, signal);
      if (now.state === 'failed' || now.state === 'unsupported')
        return { state: 'unknown', text: null, fingerprint: null, error: now.error };
      if (hasExpiryRule(now.text, tag)) return { state: 'there', text: null, fingerprint: null, error: null };
      const text = withExpiryRule(now.text, tag, days);
      return { state: 'absent', text, fingerprint: now.fingerprint, error: null };
    },
    clear: async (input) =>
      await change(input, async (s3, now) => {
        const { bucket, section } = input;
        if (section === 'inventory') await writeInventoryList(s3, bucket, now.text, '');
        else await s3.deleteBucketDocument(documentRef(bucket, section));
      }),
  };
}

const nothing = {
  text: '',
  fingerprint: null,
  form: null,
  publicness: null,
  error: null,
} as const;

/** The content of an answer. Throws AppFailure where it is of another kind. */
function documentOf(section: BucketSection, text: string): SettingsDocument {
  if (sectionFacts[section].format === 'json') return policyOf(section, text);
  const reading = readDocument(text);
  if (!reading.ok)
    throw failure(
      'protocol',
      `The configuration that came is no well-formed XML: line ${reading.problem.line}, column ${reading.problem.column}.`,
      {
        retry: 'after-fix',
        reason: 'unexpected-answer',
      },
    );
  const root = withPromisedName(section, reading.root);
  // A service that does not know the query answers as if it were not there: with the list of the bucket.
  if (!isRootOf(section, root)) return strange(section, localName(root));
  // Services differ in how they write the namespace: with one way, a change shows what changes and nothing else.
  const shown = printDocument(root.name === localName(root) ? rootElement(root.name, root.children) : root);
  const form = readForm(section, root);
  // A document without anything in it is the service's other way to say that there is none (MinIO, Ceph).
  const isEmpty = root.children.length === 0 && sectionFacts[section].removable;
  if (isEmpty) return { ...nothing, section, state: 'absent' };
  return { ...nothing, section, state: 'present', text: shown, fingerprint: fingerprintOf(shown), form };
}

/** Ceph 16 and 17 misname the outer element of the public access block in their answers; they take the right one. */
function withPromisedName(section: BucketSection, root: XmlNode): XmlNode {
  const isMisnamed = section === 'public-access' && localName(root) === 'BlockPublicAccessBlockConfiguration';
  return isMisnamed ? { ...root, name: 'PublicAccessBlockConfiguration' } : root;
}

function policyOf(section: BucketSection, text: string): SettingsDocument {
  const trimmed = text.trim();
  if (trimmed === '') return { ...nothing, section, state: 'absent' };
  const xml = trimmed.startsWith('<') ? readDocument(trimmed) : null;
  if (xml !== null) return strange(section, xml.ok ? localName(xml.root) : 'something else');
  return {
    ...nothing,
    section,
    state: 'present',
    text: prettyJson(trimmed),
    // By what came, not by how it is shown.
    fingerprint: fingerprintOf(trimmed),
    publicness: publicnessOf(trimmed),
  };
}

function strange(section: BucketSection, rootName: string): SettingsDocument {
  if (rootName === 'ListBucketResult') return { ...nothing, section, state: 'unsupported' };
  throw failure(
    'protocol',
    `"${sectionRequests[section].root ?? 'JSON'}" was expected and "${rootName}" came.`,
    { retry: 'after-fix', reason: 'unexpected-answer' },
  );
}

function prettyJson(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    // Shown as it came; the check says what is wrong with it.
    return text;
  }
}

function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The meaning of a refusal: nothing is set, the service lacks the feature, or a failure to show. */
function refused(section: BucketSection, error: AppError, thrown: unknown): SettingsDocument {
  const code = error.s3?.code ?? null;
  if (error.code === 'cancelled' || error.reason === 'no-such-connection') throw thrown;
  if (saysAbsent(code)) return { ...nothing, section, state: 'absent' };
  if (error.code === 'unsupported' || saysUnsupported(code, error.s3?.message ?? null))
    return { ...nothing, section, state: 'unsupported' };
  return { ...nothing, section, state: 'failed', error };
}

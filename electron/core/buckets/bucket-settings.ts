import { createHash } from 'node:crypto';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import type { BucketForm } from '../../../shared/models/bucket-forms.ts';
import {
  sectionFacts,
  type BucketSection,
  type SettingsDocument,
  type SettingsOutcome,
  type SettingsProblem,
} from '../../../shared/models/bucket-settings.ts';
import type { BatchTag, ExpiryRule } from '../../../shared/models/batches.ts';
import type { Place } from '../../../shared/models/objects.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import type { Clock } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { localName, printDocument, readDocument, rootElement, type XmlNode } from '../s3/xml/document.ts';
import { checkText } from './check.ts';
import { compareDocuments } from './compare-documents.ts';
import { hasExpiryRule, withExpiryRule } from './lifecycle.ts';
import { composeForm, isRootOf, readForm } from './forms.ts';
import { readListedDocuments, writeListedDocuments } from './listed-documents.ts';
import { normaliseDocument } from './document-units.ts';
import { publicnessOf } from './policy.ts';
import { documentRef, isListed, saysAbsent, saysUnsupported, sectionRequests } from './sections.ts';

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
  /**
   * Checks whether a lifecycle rule deletes objects with the tag. If none does, returns the configuration with such a rule added,
   * to be passed to `save`.
   */
  expiryRule(place: Place, tag: BatchTag, days: number, signal?: AbortSignal): Promise<ExpiryRule>;
  clear(input: SectionPlace & { readonly expected: string | null }): Promise<SettingsOutcome>;
}

export interface BucketSettingsDeps {
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly clock: Clock;
}

interface StoredDocument {
  readonly document: SettingsDocument;
  /** Sent back with a change, so that the service keeps it. */
  readonly transitionMinimum: string | null;
}

/** Reads and checks the configurations of buckets. Changes a configuration only if it is still as the user saw it. */
export function createBucketSettings({ client, clock }: BucketSettingsDeps): BucketSettings {
  const readStored = async (
    { connectionId, bucket, section }: SectionPlace,
    signal?: AbortSignal,
  ): Promise<StoredDocument> => {
    const s3 = await client(connectionId);
    try {
      const { text, transitionMinimum } = isListed(section)
        ? { text: await readListedDocuments(s3, bucket, section, { signal }), transitionMinimum: null }
        : await s3.getBucketDocument(documentRef(bucket, section), { signal });
      return { document: documentOf(section, text), transitionMinimum };
    } catch (thrown) {
      return { document: interpretError(section, thrown), transitionMinimum: null };
    }
  };
  const read: BucketSettings['read'] = async (place, signal) => (await readStored(place, signal)).document;

  /**
   * Reads the document back and compares each rule or statement. Retries while the service still returns the earlier document.
   */
  const verifySaved = async (
    place: SectionPlace,
    before: SettingsDocument,
    sentText: string,
  ): Promise<SettingsOutcome> => {
    const { section, bucket } = place;
    const restorable = restorableText(section, before.text, bucket);
    for (let tries = 1; ; tries += 1) {
      const document = await read(place);
      if (document.state === 'failed' || document.state === 'unsupported')
        return { kind: 'unread', document, differences: [], before: restorable };
      const differences = [
        ...compareDocuments({ section, before: before.text, wanted: sentText, found: document.text }),
      ];
      if (differences.length === 0) return { kind: 'saved', document, differences, before: restorable };
      const isOld = document.fingerprint === before.fingerprint;
      if (!isOld || tries >= retryPolicies.bucketSettings.maxTries)
        return { kind: 'differs', document, differences, before: restorable };
      await clock.sleep(waitMs(retryPolicies.bucketSettings, tries - 1));
    }
  };

  /** Writes if nothing has changed since `expected`, and compares the stored document with `sentText`. */
  const change = async (
    place: SectionPlace & { readonly expected: string | null },
    sentText: string,
    write: (s3: S3Client, now: StoredDocument) => Promise<void>,
  ): Promise<SettingsOutcome> => {
    if (sectionFacts[place.section].readOnly)
      throw failure('unsupported', 'Cooper shows this configuration but cannot change it.', {
        reason: 'read-only',
      });
    const stored = await readStored(place);
    const { document: now } = stored;
    if (now.error !== null) throw new AppFailure(now.error);
    // A service that ignores the query would create or delete the bucket instead.
    if (now.state === 'unsupported')
      throw failure('unsupported', 'This service does not have this configuration.', {
        reason: 'not-implemented',
      });
    if (now.fingerprint !== place.expected)
      return { kind: 'changed', document: now, differences: [], before: null };
    await write(await client(place.connectionId), stored);
    return await verifySaved(place, now, sentText);
  };

  return {
    read,
    compose: composeForm,
    check: ({ bucket, section, text }) => checkText(section, text, bucket),
    save: async (input) => {
      const { bucket, section } = input;
      const text = normaliseText(section, input.text);
      const wrong = checkText(section, text, bucket).find(({ severity }) => severity === 'error');
      if (wrong !== undefined)
        throw failure(
          'invalid-argument',
          `The configuration was not sent: line ${wrong.line}: ${wrong.detail}`,
          { retry: 'after-fix', reason: 'malformed-xml' },
        );
      return await change(input, text, async (s3, { document, transitionMinimum }) => {
        if (isListed(section)) await writeListedDocuments(s3, bucket, section, document.text, text);
        else await s3.putBucketDocument({ ...documentRef(bucket, section), text, transitionMinimum });
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
      await change(input, '', async (s3, { document }) => {
        const { bucket, section } = input;
        // A service that ignores the query would delete the bucket (Ceph 16: DELETE ?requestPayment), so only what the API can
        // remove, and the service has stored, is removed.
        if (!sectionFacts[section].removable)
          throw failure('unsupported', 'No request removes this configuration.', {
            reason: 'not-implemented',
          });
        if (document.state === 'absent') return;
        if (isListed(section)) await writeListedDocuments(s3, bucket, section, document.text, '');
        else await s3.deleteBucketDocument(documentRef(bucket, section));
      }),
  };
}

const emptyDocument = { text: '', fingerprint: null, form: null, publicness: null, error: null } as const;

/** Returns the document of a response. Throws AppFailure if the response is a document of another kind. */
function documentOf(section: BucketSection, text: string): SettingsDocument {
  if (sectionFacts[section].format === 'json') return policyOf(section, text);
  const reading = readDocument(text);
  if (!reading.ok)
    throw failure(
      'protocol',
      `The received configuration is not well-formed XML: line ${reading.problem.line}, column ${reading.problem.column}.`,
      { retry: 'after-fix', reason: 'unexpected-answer' },
    );
  const root = normaliseDocument(section, withCorrectRootName(section, reading.root));
  // A service that ignores the query returns a bucket listing.
  if (!isRootOf(section, root)) return handleUnexpectedRoot(section, localName(root));
  // Services write the namespace differently. With one form, diffs show only actual changes.
  const shown = printDocument(root.name === localName(root) ? rootElement(root.name, root.children) : root);
  const form = readForm(section, root);
  // Some services (MinIO, Ceph) return an empty document if no configuration is set.
  const isEmpty = root.children.length === 0 && sectionFacts[section].removable;
  if (isEmpty) return { ...emptyDocument, section, state: 'absent' };
  return {
    ...emptyDocument,
    section,
    state: 'present',
    text: shown,
    fingerprint: fingerprintOf(shown),
    form,
  };
}

/** Returns the text that restores this state; null if no request can restore it, such as for a never-versioned bucket. */
function restorableText(section: BucketSection, text: string, bucket: string): string | null {
  if (text === '') return sectionFacts[section].removable ? '' : null;
  return checkText(section, text, bucket).some(({ severity }) => severity === 'error') ? null : text;
}

/**
 * Returns the editor's text in the form that every service accepts. Returns unreadable text unchanged, so that the check reports
 * it.
 */
function normaliseText(section: BucketSection, text: string): string {
  const reading = sectionFacts[section].format === 'xml' ? readDocument(text) : null;
  if (reading?.ok !== true) return text;
  const normal = normaliseDocument(section, reading.root);
  return printDocument(normal) === printDocument(reading.root) ? text : printDocument(normal);
}

/**
 * Corrects the name of the root element. Ceph 16 and 17 misname that of the public access block in responses, but accept the
 * correct one.
 */
function withCorrectRootName(section: BucketSection, root: XmlNode): XmlNode {
  const isMisnamed = section === 'public-access' && localName(root) === 'BlockPublicAccessBlockConfiguration';
  return isMisnamed ? { ...root, name: 'PublicAccessBlockConfiguration' } : root;
}

function policyOf(section: BucketSection, text: string): SettingsDocument {
  const trimmed = text.trim();
  if (trimmed === '') return { ...emptyDocument, section, state: 'absent' };
  const xml = trimmed.startsWith('<') ? readDocument(trimmed) : null;
  if (xml !== null) return handleUnexpectedRoot(section, xml.ok ? localName(xml.root) : 'something else');
  return {
    ...emptyDocument,
    section,
    state: 'present',
    text: prettyJson(trimmed),
    // The fingerprint of the received text, not of the formatted one.
    fingerprint: fingerprintOf(trimmed),
    publicness: publicnessOf(trimmed),
  };
}

function handleUnexpectedRoot(section: BucketSection, rootName: string): SettingsDocument {
  if (rootName === 'ListBucketResult') return { ...emptyDocument, section, state: 'unsupported' };
  throw failure(
    'protocol',
    `"${sectionRequests[section].root ?? 'JSON'}" was expected, but "${rootName}" was received.`,
    { retry: 'after-fix', reason: 'unexpected-answer' },
  );
}

function prettyJson(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    // Shown as received; the check reports its errors.
    return text;
  }
}

function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Interprets an error: no configuration is set, the feature is unsupported, or a failure to show. */
function interpretError(section: BucketSection, thrown: unknown): SettingsDocument {
  const error = toAppError(thrown);
  const code = error.s3?.code ?? null;
  if (error.code === 'cancelled' || error.reason === 'no-such-connection') throw thrown;
  if (saysAbsent(code)) return { ...emptyDocument, section, state: 'absent' };
  if (error.code === 'unsupported' || saysUnsupported(code, error.s3?.message ?? null))
    return { ...emptyDocument, section, state: 'unsupported' };
  return { ...emptyDocument, section, state: 'failed', error };
}

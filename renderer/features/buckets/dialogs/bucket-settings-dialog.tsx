import { Button, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleSlash } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { type BucketSection, bucketSections } from '../../../../shared/models/bucket-settings.ts';
import { quirksFor } from '../../../../shared/providers/providers.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { isCancelled } from '../../../rpc/errors.ts';
import { Dialog, DialogFooter, Notice } from '../../../ui/dialog/dialog.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { openReport } from '../../inventory/index.ts';
import type { BucketDialogProps } from './bucket-dialog-store.ts';
import { SectionPage } from './section-page.tsx';
import {
  isUnknown,
  isUnsupported,
  marksAfter,
  refusesChanges,
  type SectionNews,
} from '../sections/section-marks.ts';
import { useKeptView } from '../../../rpc/use-kept-view.ts';
import { useStable } from '../../../ui/use-stable.ts';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';

const sectionsSchema = z.array(z.string());
const none: string[] = [];

interface Sections {
  readonly isUnsupported: (section: BucketSection) => boolean;
  readonly refusesChanges: (section: BucketSection) => boolean;
  readonly note: (section: BucketSection, news: SectionNews) => void;
}

/** How many settings are read at a time to learn which of them the service supports. */
const readsAtOnce = 3;

/**
 * Returns which settings a service supports, according to its provider and to its own responses. Reads the settings that this
 * connection has not read before, so that unsupported ones are marked before they are opened.
 */
function useSections(place: Place): Sections {
  const { connectionId, bucket } = place;
  const storedMarks = useKeptView(`unsupported-settings:${connectionId}`, sectionsSchema, none);
  const { value, isSettled, set, latest } = storedMarks;
  const documented = useDocumented(connectionId);
  const { note, unknown } = useStable({
    note: (section: BucketSection, news: SectionNews) => {
      if (!isSettled) return;
      // Several readers report between two renders, and each adds to what the others have found.
      const marks = latest();
      const next = marksAfter(marks, section, news);
      const isSame = next.length === marks.length && next.every((mark) => marks.includes(mark));
      if (!isSame) set([...next]);
    },
    unknown: () => bucketSections.filter((section) => isUnknown(latest(), documented ?? [], section)),
  });
  const isReady = isSettled && documented !== undefined;
  useEffect(() => {
    if (!isReady) return undefined;
    const aborter = new AbortController();
    const queue = [...unknown()];
    for (let reader = 0; reader < readsAtOnce; reader += 1)
      void readEach(queue, { connectionId, bucket }, note, aborter.signal);
    return () => aborter.abort();
  }, [isReady, connectionId, bucket, note, unknown]);
  return {
    isUnsupported: (section) => isUnsupported(value, documented ?? [], section),
    refusesChanges: (section) => refusesChanges(value, section),
    note,
  };
}

/** Reads the queued sections one after the other. A section that cannot be read says why when it is opened. */
async function readEach(
  queue: BucketSection[],
  place: Place,
  note: Sections['note'],
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const section = queue.shift();
    if (section === undefined || signal.aborted) return;
    try {
      const { state } = await rpc.bucketSettings.read({ ...place, section }, { signal });
      if (state !== 'failed') note(section, state === 'unsupported' ? 'unsupported' : 'readable');
    } catch (thrown) {
      if (isCancelled(thrown)) return;
    }
  }
}

/** Returns the settings that are not supported according to the provider's documentation. Undefined while that is unknown. */
function useDocumented(connectionId: string): readonly BucketSection[] | undefined {
  const { data } = useQuery(orpc.connections.list.queryOptions());
  if (data === undefined) return undefined;
  const connection = data.find(({ id }) => id === connectionId);
  return connection === undefined
    ? []
    : quirksFor(connection.provider, URL.parse(connection.endpoint)?.hostname ?? '').unsupportedSettings;
}

/** The navigation that waits for a confirmation because of unsaved changes: another section, or closing the dialog. */
type Leaving = BucketSection | 'close';

/** Shows the settings of a bucket, one section at a time. */
export function BucketSettingsDialog({ request, onClose }: BucketDialogProps<'settings'>) {
  const { place, section: first = 'versioning' } = request;
  const { t } = useTranslation();
  const [section, setSection] = useState(first);
  const [isDirty, setDirty] = useState(false);
  const sections = useSections(place);
  const [leaving, setLeaving] = useState<Leaving | null>(null);

  const leave = (to: Leaving): void => {
    setDirty(false);
    setLeaving(null);
    if (to === 'close') onClose();
    else setSection(to);
  };
  const labelOf = (name: BucketSection): string => {
    const label = t(`buckets.settings.names.${name}`);
    return sections.isUnsupported(name) ? t('buckets.settings.nameUnsupported', { name: label }) : label;
  };
  const go = (to: Leaving): void => {
    if (to === section) return;
    if (isDirty) setLeaving(to);
    else leave(to);
  };

  return (
    <Dialog
      onClose={() => go('close')}
      closeOnClickOutside={!isDirty}
      title={t('buckets.settings.title', { name: place.bucket })}
      size={960}
    >
      <div className={classes.settings}>
        <nav className={joinClasses(common.column, classes.nav)} aria-label={t('buckets.settings.sections')}>
          {bucketSections.map((name) => (
            <button
              key={name}
              type="button"
              className={joinClasses(common.item, classes.navItem)}
              aria-current={name === section ? 'page' : undefined}
              {...(sections.isUnsupported(name)
                ? { 'data-unsupported': true, title: t('buckets.settings.unsupported') }
                : {})}
              {...(name === section ? { 'data-autofocus': true } : {})}
              onClick={() => go(name)}
            >
              {t(`buckets.settings.names.${name}`)}
              {sections.isUnsupported(name) ? <CircleSlash size={13} aria-hidden /> : null}
            </button>
          ))}
        </nav>
        <Select
          className={classes.picker ?? ''}
          label={t('buckets.settings.section')}
          data={bucketSections.map((name) => ({ value: name, label: labelOf(name) }))}
          value={section}
          allowDeselect={false}
          onChange={(chosen) => {
            if (chosen !== null) go(chosen);
          }}
        />
        <Stack gap="sm" miw={0}>
          {leaving === null ? null : (
            <Notice tone="warning">
              <p>{t('buckets.settings.leave')}</p>
              <DialogFooter onCancel={() => setLeaving(null)} cancel={t('buckets.settings.leaveStay')}>
                <Button color="red" onClick={() => leave(leaving)}>
                  {t('buckets.settings.discard')}
                </Button>
              </DialogFooter>
            </Notice>
          )}
          <SectionPage
            key={section}
            place={place}
            section={section}
            onDirty={setDirty}
            onReport={(report) => {
              onClose();
              openReport(report);
            }}
            refusesChanges={sections.refusesChanges(section)}
            onNews={sections.note}
          />
        </Stack>
      </div>
    </Dialog>
  );
}

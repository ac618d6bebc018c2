import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleSlash } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { type BucketSection, bucketSections } from '../../../../shared/models/bucket-settings.ts';
import { quirksFor } from '../../../../shared/providers/providers.ts';
import { orpc } from '../../../rpc/client.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { openReport } from '../../inventory/index.ts';
import type { BucketDialogProps } from './bucket-dialog-store.ts';
import { Notice } from '../parts/notice.tsx';
import { SectionPage } from './section-page.tsx';
import { useKeptView } from '../../../rpc/use-kept-view.ts';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';

const sectionsSchema = z.array(z.string());
const none: string[] = [];

interface Unsupported {
  /** The sections that the service last reported as unsupported, for any of the connection's buckets. */
  readonly sections: ReadonlySet<string>;
  readonly note: (section: BucketSection, isUnsupported: boolean) => void;
}

/** Returns the id of a stored mark for a section that the service supports although its provider documents the opposite. */
const answered = (section: string): string => `${section}:answered`;

/**
 * Returns the settings that a service does not support, according to its provider or to its own responses. They apply to all
 * buckets of the connection. A response of the service overrides the documentation.
 */
function useUnsupported(connectionId: string): Unsupported {
  const { value, isSettled, set } = useKeptView(`unsupported-settings:${connectionId}`, sectionsSchema, none);
  const documented = useDocumented(connectionId);
  const note = useCallback(
    (section: BucketSection, isUnsupported: boolean) => {
      if (!isSettled) return;
      const others = value.filter((kept) => kept !== section && kept !== answered(section));
      const isNews = isUnsupported || documented.includes(section);
      const next = isNews ? [...others, isUnsupported ? section : answered(section)] : others;
      if (next.length !== value.length || next.some((kept) => !value.includes(kept))) set(next);
    },
    [value, isSettled, set, documented],
  );
  return {
    sections: new Set([...value, ...documented.filter((section) => !value.includes(answered(section)))]),
    note,
  };
}

/** Returns the settings that are not supported according to the provider's documentation. */
function useDocumented(connectionId: string): readonly BucketSection[] {
  const { data = [] } = useQuery(orpc.connections.list.queryOptions());
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
  const [dirty, setDirty] = useState(false);
  const unsupported = useUnsupported(place.connectionId);
  const [leaving, setLeaving] = useState<Leaving | null>(null);

  const leave = (to: Leaving): void => {
    setDirty(false);
    setLeaving(null);
    if (to === 'close') onClose();
    else setSection(to);
  };
  const labelOf = (name: BucketSection): string => {
    const label = t(`buckets.settings.names.${name}`);
    return unsupported.sections.has(name) ? t('buckets.settings.nameUnsupported', { name: label }) : label;
  };
  const go = (to: Leaving): void => {
    if (to === section) return;
    if (dirty) setLeaving(to);
    else leave(to);
  };

  return (
    <Dialog
      onClose={() => go('close')}
      closeOnClickOutside={!dirty}
      title={t('buckets.settings.title', { name: place.bucket })}
      size={960}
    >
      <div className={classes.settings}>
        <nav className={classes.nav} aria-label={t('buckets.settings.sections')}>
          {bucketSections.map((name) => (
            <button
              key={name}
              type="button"
              className={classes.navItem}
              aria-current={name === section ? 'page' : undefined}
              {...(unsupported.sections.has(name)
                ? { 'data-unsupported': true, title: t('buckets.settings.unsupported') }
                : {})}
              {...(name === section ? { 'data-autofocus': true } : {})}
              onClick={() => go(name)}
            >
              {t(`buckets.settings.names.${name}`)}
              {unsupported.sections.has(name) ? <CircleSlash size={13} aria-hidden /> : null}
            </button>
          ))}
        </nav>
        <Select
          className={classes.picker ?? ''}
          label={t('buckets.settings.section')}
          data={bucketSections.map((name) => ({ value: name, label: labelOf(name) }))}
          value={section}
          allowDeselect={false}
          onChange={(value) => {
            const chosen = bucketSections.find((name) => name === value);
            if (chosen !== undefined) go(chosen);
          }}
        />
        <div className={classes.section}>
          {leaving === null ? null : (
            <Notice tone="warning">
              <p className={common.sentence}>{t('buckets.settings.leave')}</p>
              <div className={common.footer}>
                <Button variant="default" onClick={() => setLeaving(null)}>
                  {t('buckets.settings.leaveStay')}
                </Button>
                <Button color="red" onClick={() => leave(leaving)}>
                  {t('buckets.settings.discard')}
                </Button>
              </div>
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
            onUnsupported={unsupported.note}
          />
        </div>
      </div>
    </Dialog>
  );
}

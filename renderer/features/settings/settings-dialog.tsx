import { Box, Center, Loader, Stack, Title } from '@mantine/core';
import { Suspense, useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { lazyComponent } from '../../ui/lazy-part.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { pickLocal } from '../files/index.ts';
import { loadJobSettings } from '../transfers/index.ts';
import { loadUpdateSettings } from '../updates/index.ts';
import { Confirmations, About, Appearance, Folders, Previews, ProgramSection } from './sections.tsx';
import { Thumbnails } from './thumbnail-settings.tsx';
import { settingsDialogs, type SettingsDialogProps } from './settings-dialog-store.ts';
import classes from './settings.module.css';
import { Uploads, Downloads } from './transfer-settings.tsx';
import { useSettings } from './use-settings.ts';
import type { EnglishMessages } from '../../../shared/messages/english.ts';

type SectionName = keyof EnglishMessages['settings']['sections'];

const JobSettings = lazyComponent(loadJobSettings);
const UpdateSettings = lazyComponent(loadUpdateSettings);
const pickFolder = (title: string) => pickLocal('folder', title);
const showLicences = (): void => settingsDialogs.open({ kind: 'licences' });

/** The settings dialog, which saves each setting as soon as it changes. */
export function SettingsDialog({ request, onClose }: SettingsDialogProps<'settings'>) {
  const { section } = request;
  const { t } = useTranslation();
  const { error, reload } = useSettings();
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (section !== null) start.current?.querySelector(`#settings-${section}`)?.scrollIntoView();
  }, [section]);
  /** The settings, one section per subject. Add further sections here. */
  const sections: readonly (readonly [SectionName, ReactNode])[] = [
    ['appearance', <Appearance key="appearance" />],
    ['folders', <Folders key="folders" />],
    ['previews', <Previews key="previews" />],
    ['thumbnails', <Thumbnails key="thumbnails" />],
    ['transfers', <JobSettings key="transfers" />],
    ['uploads', <Uploads key="uploads" />],
    ['downloads', <Downloads key="downloads" pick={pickFolder} />],
    ['confirmations', <Confirmations key="confirmations" />],
    ['program', <ProgramSection key="program" />],
    ['updates', <UpdateSettings key="updates" />],
    ['about', <About key="about" onLicences={showLicences} />],
  ];
  return (
    <Dialog onClose={onClose} title={t('settings.title')} size="lg">
      <Suspense
        fallback={
          // As high as the loaded dialog, which thus does not grow under the pointer.
          <Center h="80dvh" role="status" aria-label={t('common.loading')}>
            <Loader size={20} aria-hidden />
          </Center>
        }
      >
        <Stack gap="lg" ref={start}>
          {error === null ? null : <ErrorNotice error={error} onRetry={reload} />}
          {sections.map(([name, content]) => (
            // Uses a group instead of a landmark, whose name could equal the name of a pane, such as Transfers.
            <div key={name} role="group" aria-labelledby={`settings-${name}`} className={classes.section}>
              <Title order={3} fz="sm" id={`settings-${name}`}>
                {t(`settings.sections.${name}`)}
              </Title>
              <Box miw={0}>{content}</Box>
            </div>
          ))}
        </Stack>
      </Suspense>
    </Dialog>
  );
}

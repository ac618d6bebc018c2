import { Modal, NumberInput, SegmentedControl, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { settingsSchema } from '../../../shared/models/app.ts';
import { orpc } from '../../rpc/client.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { limitFrom, mebibytesOf } from './preview-limit.ts';
import classes from './settings.module.css';
import { useSettings } from './use-settings.ts';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const themes = settingsSchema.shape.theme.options;

/** The settings; each is kept as soon as it is changed. */
export const SettingsDialog = memo(function SettingsDialog({ opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('common.close') }}
      opened={opened}
      onClose={onClose}
      title={t('settings.title')}
      size="lg"
    >
      <Sections />
    </Modal>
  );
});

type SectionName = 'appearance' | 'folders' | 'previews' | 'about';

/** One section per subject: further ones are added to this list. */
const sections: readonly { readonly name: SectionName; readonly Content: () => ReactNode }[] = [
  { name: 'appearance', Content: Appearance },
  { name: 'folders', Content: Folders },
  { name: 'previews', Content: Previews },
  { name: 'about', Content: About },
];

function Sections() {
  const { t } = useTranslation();
  const { error, reload } = useSettings();
  return (
    <Stack gap="lg">
      {error === null ? null : <ErrorNotice error={error} onRetry={reload} />}
      {sections.map(({ name, Content }) => (
        <section key={name} aria-labelledby={`settings-${name}`} className={classes.section}>
          <Title order={3} fz="sm" id={`settings-${name}`}>
            {t(`settings.sections.${name}`)}
          </Title>
          <div className={classes.content}>
            <Content />
          </div>
        </section>
      ))}
    </Stack>
  );
}

function Appearance() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  return (
    <SegmentedControl
      size="sm"
      aria-label={t('settings.theme')}
      data={themes.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
      value={settings.theme}
      onChange={(theme) => update({ theme })}
    />
  );
}

function Folders() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  return (
    <Switch
      label={t('settings.foldersFirst')}
      description={t('settings.foldersFirstDescription')}
      checked={settings.foldersFirst}
      onChange={(event) => update({ foldersFirst: event.currentTarget.checked })}
    />
  );
}

function Previews() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const [typed, setTyped] = useState<number | string | null>(null);
  const shown = typed ?? mebibytesOf(settings.previewLimitBytes);
  const limit = limitFrom(shown);
  return (
    <NumberInput
      size="sm"
      label={t('settings.previewLimit')}
      description={t('settings.previewLimitDescription')}
      error={limit === null ? t('settings.previewLimitInvalid') : undefined}
      suffix={` ${t('settings.mebibytes')}`}
      min={0}
      maw={280}
      value={shown}
      onChange={setTyped}
      onBlur={() => {
        if (limit === null) return;
        setTyped(null);
        if (limit !== settings.previewLimitBytes) update({ previewLimitBytes: limit });
      }}
    />
  );
}

function About() {
  const { t } = useTranslation();
  const info = useQuery(orpc.app.info.queryOptions());
  if (info.data === undefined) return null;
  const { version, host, dataDir, secretProtection } = info.data;
  const rows = [
    [t('settings.version'), `${t('common.appName')} ${version}, ${t(`settings.hosts.${host}`)}`],
    [t('settings.dataDir'), dataDir],
    [t('settings.secrets'), t(`connections.form.secretsKept.${secretProtection}`)],
  ] as const;
  return (
    <dl className={classes.facts}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Text size="sm" component="span">
              {value}
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}

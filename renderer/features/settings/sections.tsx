import { Button, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { languageSettings } from '../../../shared/language.ts';
import { settingsSchema } from '../../../shared/models/settings.ts';
import { orpc } from '../../rpc/client.ts';
import { formatBytes } from '../../ui/words/format.ts';
import { MebibytesField } from './mebibytes-field.tsx';
import { limitFrom } from './mebibytes.ts';
import classes from './settings.module.css';
import { useSettings } from './use-settings.ts';

const themes = settingsSchema.shape.theme.options;
const logLevels = settingsSchema.shape.logLevel.options;

type SwitchName =
  | 'systemAccent'
  | 'foldersFirst'
  | 'notifications'
  | 'openAtLogin'
  | 'runInBackground'
  | 'confirmLinks'
  | 'confirmQuit';

/** A setting that is on or off. */
function SettingSwitch({ name }: { readonly name: SwitchName }) {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  return (
    <Switch
      label={t(`settings.${name}`)}
      description={t(`settings.${name}Description`)}
      checked={settings[name]}
      onChange={(event) => update({ [name]: event.currentTarget.checked })}
    />
  );
}

export function Appearance() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        size="sm"
        aria-label={t('settings.theme')}
        data={themes.map((value) => ({ value, label: t(`settings.themes.${value}`) }))}
        value={settings.theme}
        onChange={(theme) => update({ theme })}
      />
      <SettingSwitch name="systemAccent" />
      <Select
        size="sm"
        w={280}
        maw="100%"
        label={t('settings.language')}
        allowDeselect={false}
        data={languageSettings.map((value) => ({ value, label: t(`settings.languages.${value}`) }))}
        value={settings.language}
        onChange={(language) => {
          if (language !== null) update({ language });
        }}
      />
    </Stack>
  );
}

export function Folders() {
  return (
    <Stack gap="sm">
      <SettingSwitch name="foldersFirst" />
      <Catalogues />
    </Stack>
  );
}

/** The offered limits in GiB. With 0, no catalogues are kept. */
const catalogueLimits = [0, 1, 2, 10, 50] as const;
const gibi = 1024 ** 3;

/** The setting that limits the catalogues stored on this computer. */
function Catalogues() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const usage = useQuery(orpc.map.usage.queryOptions()).data;
  const chosen = catalogueLimits.findLast((limit) => limit * gibi <= settings.catalogueLimitBytes) ?? 0;
  const description = [
    t('settings.cataloguesDescription'),
    usage === undefined
      ? ''
      : t('settings.cataloguesUsed', { count: usage.catalogues, size: formatBytes(usage.fileBytes) }),
  ];
  return (
    <Select
      size="sm"
      maw={420}
      label={t('settings.catalogues')}
      description={description.join(' ')}
      allowDeselect={false}
      data={catalogueLimits.map((limit) => ({
        value: String(limit),
        label:
          limit === 0
            ? t('settings.cataloguesOff')
            : t('settings.cataloguesUpTo', { size: formatBytes(limit * gibi) }),
      }))}
      value={String(chosen)}
      onChange={(limit) => {
        if (limit !== null) update({ catalogueLimitBytes: Number(limit) * gibi });
      }}
    />
  );
}

export function Previews() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  return (
    <MebibytesField
      label={t('settings.previewLimit')}
      description={t('settings.previewLimitDescription')}
      invalid={t('settings.previewLimitInvalid')}
      storedBytes={settings.previewLimitBytes}
      bytesFrom={limitFrom}
      onBytes={(previewLimitBytes) => update({ previewLimitBytes })}
    />
  );
}

/** Shows settings for the program outside its window. Some apply only to the desktop app. */
export function ProgramSection() {
  const { t } = useTranslation();
  const { settings, update } = useSettings();
  const host = useQuery(orpc.app.info.queryOptions()).data?.host;
  return (
    <Stack gap="sm">
      {host === 'desktop' ? (
        <>
          <SettingSwitch name="notifications" />
          <SettingSwitch name="openAtLogin" />
          <SettingSwitch name="runInBackground" />
        </>
      ) : null}
      <Select
        size="sm"
        maw={280}
        label={t('settings.logLevel')}
        description={t('settings.logLevelDescription')}
        allowDeselect={false}
        data={logLevels.map((value) => ({ value, label: t(`settings.logLevels.${value}`) }))}
        value={settings.logLevel}
        onChange={(logLevel) => {
          if (logLevel !== null) update({ logLevel });
        }}
      />
    </Stack>
  );
}

export function About({ onLicences }: { readonly onLicences: () => void }) {
  const { t } = useTranslation();
  const info = useQuery(orpc.app.info.queryOptions());
  if (info.data === undefined) return null;
  const { version, host, dataDir, secretProtection } = info.data;
  const rows = [
    [t('settings.version'), `${t('common.appName')} ${version}, ${t(`settings.hosts.${host}`)}`],
    [t('settings.dataDir'), dataDir],
    [t('settings.secrets'), t(`connectionForm.form.secretsKept.${secretProtection}`)],
  ] as const;
  return (
    <Stack gap="sm" align="flex-start">
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
      <Button variant="default" size="xs" onClick={onLicences}>
        {t('settings.licences')}…
      </Button>
    </Stack>
  );
}

/** Shows the confirmations that can be turned off. Confirmations for deleting and replacing cannot. */
export function Confirmations() {
  const { t } = useTranslation();
  const host = useQuery(orpc.app.info.queryOptions()).data?.host;
  return (
    <Stack gap="sm">
      <SettingSwitch name="confirmLinks" />
      {host === 'desktop' ? <SettingSwitch name="confirmQuit" /> : null}
      <Text size="xs" c="dimmed">
        {t('settings.alwaysAsked')}
      </Text>
    </Stack>
  );
}

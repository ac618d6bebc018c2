import {
  Anchor,
  Box,
  Checkbox,
  Group,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AwsProfile } from '../../../../shared/models/connection.ts';
import common from '../../../ui/common.module.css';
import { useFieldProps, focusField, type ConnectionForm } from './use-connection-form.ts';
import { withAuthKind, withProfile, type AuthKind } from '../model/connection-form-model.ts';
import { useProfiles } from '../model/connection-queries.ts';

const kinds: readonly AuthKind[] = ['keys', 'aws-profile', 'anonymous'];

/** Fields for signing in: with access keys, with a profile of ~/.aws, or anonymously. */
export function AuthFields({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Box>
        <Text size="sm" fw={600} mb={4} id="connection-auth-label">
          {t('connectionForm.form.auth')}
        </Text>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-labelledby="connection-auth-label"
          data={kinds.map((kind) => ({ value: kind, label: t(`connectionForm.form.authKinds.${kind}`) }))}
          value={form.draft.authKind}
          onChange={(authKind) => form.change((now) => withAuthKind(now, authKind))}
        />
      </Box>
      {form.draft.authKind === 'keys' ? <KeyFields form={form} /> : null}
      {form.draft.authKind === 'aws-profile' ? <ProfileField form={form} /> : null}
      {form.draft.authKind === 'anonymous' ? (
        <Text size="sm" c="dimmed">
          {t('connectionForm.form.anonymousExplained')}
        </Text>
      ) : null}
    </Stack>
  );
}

function KeyFields({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  const field = useFieldProps(form);
  const { stored } = form;
  return (
    <>
      <div className={common.columns}>
        <TextInput {...field('accessKeyId')} autoComplete="off" spellCheck={false} />
        <PasswordInput
          {...field('secretAccessKey')}
          placeholder={stored.hasSecret ? t('connectionForm.form.storedSecret') : undefined}
          autoComplete="new-password"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': t('connectionForm.form.secretShow') }}
        />
      </div>
      <SessionToken form={form} />
    </>
  );
}

function SessionToken({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  const field = useFieldProps(form);
  const { draft, stored } = form;
  const [isAdding, setAdding] = useState(false);
  const shown =
    isAdding || stored.hasSessionToken || draft.sessionToken !== '' || form.hint('sessionToken') !== null;
  if (!shown) {
    return (
      <Anchor
        component="button"
        type="button"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => {
          setAdding(true);
          focusField('sessionToken');
        }}
      >
        {t('connectionForm.form.sessionTokenAdd')}
      </Anchor>
    );
  }
  return (
    <Stack gap={6}>
      <PasswordInput
        {...field('sessionToken', t('connectionForm.form.sessionTokenDescription'))}
        placeholder={stored.hasSessionToken ? t('connectionForm.form.storedToken') : undefined}
        autoComplete="off"
        disabled={draft.removeSessionToken}
        visibilityToggleButtonProps={{ 'aria-label': t('connectionForm.form.sessionTokenShow') }}
      />
      {stored.hasSessionToken ? (
        <Checkbox
          size="sm"
          label={t('connectionForm.form.removeToken')}
          checked={draft.removeSessionToken}
          onChange={(event) => form.change({ removeSessionToken: event.currentTarget.checked })}
        />
      ) : null}
    </Stack>
  );
}

function ProfileField({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  const field = useFieldProps(form);
  const profiles = useProfiles();
  const found: readonly AwsProfile[] = profiles.data ?? [];
  if (profiles.isPending) return <Text size="sm">{t('connectionForm.form.profilesLoading')}</Text>;
  if (profiles.isError) return <Text size="sm">{t('connectionForm.form.profilesFailed')}</Text>;
  // Keeps a profile that was removed from ~/.aws among the options, so that the choice does not change unnoticed.
  const names = new Set([
    ...found.map((profile) => profile.name),
    ...(form.draft.profile === '' ? [] : [form.draft.profile]),
  ]);
  if (names.size === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('connectionForm.form.profilesNone')}
      </Text>
    );
  }
  return (
    <Select
      {...field('profile', t('connectionForm.form.profileExplained'))}
      placeholder={t('connectionForm.form.profilePlaceholder')}
      data={[...names]}
      value={form.draft.profile === '' ? null : form.draft.profile}
      searchable={names.size > 8}
      allowDeselect={false}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" flex={1}>
          <span>{option.value}</span>
          <Text size="xs" c="dimmed">
            <ProfileNote profile={found.find((profile) => profile.name === option.value)} />
          </Text>
        </Group>
      )}
      onChange={(name) => {
        const chosen = found.find((profile) => profile.name === name);
        if (chosen !== undefined) form.change((draft) => withProfile(draft, chosen));
      }}
    />
  );
}

function ProfileNote({ profile }: { readonly profile: AwsProfile | undefined }) {
  const { t } = useTranslation();
  if (profile === undefined) return null;
  return [t(`connections.profileKinds.${profile.kind}`), profile.endpointUrl ?? profile.region]
    .filter((part) => part !== null)
    .join(' · ');
}

import { Autocomplete, Button, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { needsAccount, needsRegion, presetById, presets } from '../../../../shared/providers/providers.ts';
import common from '../../../ui/common.module.css';
import classes from '../forms.module.css';
import { useFieldProps, focusField, type ConnectionForm } from './use-connection-form.ts';
import {
  profileEndpoint,
  tidyEndpoint,
  withAccount,
  withPreset,
  withRegion,
} from '../model/connection-form-model.ts';
import { endpointAdvice, withAdvice } from '../model/form-validation.ts';
import { useProfile } from '../model/connection-queries.ts';

export function PlaceFields({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  const field = useFieldProps(form);
  const { draft } = form;
  const preset = presetById(draft.provider);
  const byProfile = draft.authKind === 'aws-profile';
  const profile = useProfile(byProfile && draft.profile !== '' ? draft.profile : null);
  const region = draft.region.trim() === '' ? null : draft.region.trim();
  const itsEndpoint = profile === null ? undefined : profileEndpoint(profile, region);
  const itsRegion = profile?.region ?? undefined;
  const advice = endpointAdvice(draft);
  const endpoint = field(
    'endpoint',
    t(byProfile ? 'connectionForm.form.endpointOfProfile' : 'connectionForm.form.endpointDescription'),
  );
  return (
    <>
      <div className={common.columns}>
        <Select
          size="sm"
          label={t('connectionForm.form.provider')}
          data={presets.map(({ id, name }) => ({ value: id, label: name }))}
          value={preset.id}
          allowDeselect={false}
          maxDropdownHeight={360}
          onChange={(id) => {
            if (id === null) return;
            form.change((now) => withPreset(now, id));
            // Moves focus to the endpoint if the provider has no template for it.
            if (presetById(id).endpointTemplate === '') focusField('endpoint');
          }}
        />
        <TextInput {...field('name')} />
      </div>
      {needsAccount(preset) ? (
        <TextInput
          {...field('account', t('connectionForm.form.accountDescription'))}
          spellCheck={false}
          onChange={(event) => {
            const account = event.currentTarget.value;
            form.change((now) => withAccount(now, account));
          }}
        />
      ) : null}
      <div className={classes.address}>
        <TextInput
          {...endpoint}
          placeholder={byProfile ? itsEndpoint : t('connectionForm.form.endpointPlaceholder')}
          spellCheck={false}
          autoComplete="off"
          inputMode="url"
          onBlur={() => {
            form.change((now) => ({ ...now, endpoint: tidyEndpoint(now.endpoint) }));
            endpoint.onBlur();
          }}
        />
        <Autocomplete
          {...field(
            'region',
            needsRegion(preset) || byProfile ? undefined : t('connectionForm.form.regionDescription'),
          )}
          placeholder={
            byProfile
              ? itsRegion
              : needsRegion(preset)
                ? undefined
                : t('connectionForm.form.regionPlaceholder')
          }
          data={[...preset.regions]}
          // Shows all suggestions while the user types, instead of filtering them.
          filter={({ options }) => options}
          spellCheck={false}
          maxDropdownHeight={280}
          onChange={(region) => form.change((now) => withRegion(now, region))}
        />
      </div>
      {advice === null || advice.endpoint === null ? null : (
        <Button
          variant="default"
          size="compact-xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.change((now) => withAdvice(now, advice))}
        >
          {t('connectionForm.endpointAdvice.apply')}
        </Button>
      )}
    </>
  );
}

export function StartField({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  const field = useFieldProps(form);
  return (
    <TextInput
      {...field('start', t('connectionForm.form.startDescription'))}
      placeholder={t('connectionForm.form.startPlaceholder')}
      spellCheck={false}
    />
  );
}

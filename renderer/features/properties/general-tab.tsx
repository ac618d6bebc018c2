import { Autocomplete, Stack, TextInput } from '@mantine/core';
import { RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ObjectProperties } from '../../../shared/models/properties.ts';
import {
  fieldProblem,
  headerFields,
  sharedOf,
  type PropertyField,
  type Form,
} from './property-form-model.ts';
import classes from './properties.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

interface GeneralTabProps {
  readonly objects: readonly ObjectProperties[];
  readonly storageClasses: readonly string[];
  readonly fields: Form['fields'];
  readonly onFields: (fields: Form['fields']) => void;
  /** Called when Enter is pressed in a field. */
  readonly onEnter: () => void;
}

/** Shows the headers that are sent with an object, and its storage class. */
export function GeneralTab({ objects, storageClasses, fields, onFields, onEnter }: GeneralTabProps) {
  const { t } = useTranslation();
  const change = (field: PropertyField, typed: string): void => onFields({ ...fields, [field]: typed });
  const restore = (field: PropertyField): void => {
    const { [field]: _dropped, ...rest } = fields;
    onFields(rest);
  };
  /** Returns null if values differ, or if the objects in the selected folders have unknown values. */
  const sharedValue = (field: PropertyField): string | null =>
    objects.length === 0 ? null : sharedOf(objects.map((object) => object[field]));
  const propsOf = (field: PropertyField) => {
    const shared = sharedValue(field);
    const typed = fields[field];
    const problem = typed === undefined ? null : fieldProblem(field, typed);
    return {
      label: t(`properties.fields.${field}`),
      value: typed ?? shared ?? '',
      placeholder:
        typed === '' ? t('properties.removedValue') : shared === null ? t('properties.various') : '',
      error: problem === null ? undefined : t(`properties.${problem}`),
      spellCheck: false,
      autoComplete: 'off',
    };
  };
  const button = (field: PropertyField) => {
    const isTouched = fields[field] !== undefined;
    const canRemove = field !== 'contentType' && field !== 'storageClass' && sharedValue(field) !== '';
    return isTouched || canRemove ? (
      <IconButton
        size={30}
        label={t(isTouched ? 'properties.undo' : 'properties.remove', {
          name: t(`properties.fields.${field}`),
        })}
        icon={isTouched ? RotateCcw : X}
        iconPx={14}
        onClick={() => (isTouched ? restore(field) : change(field, ''))}
      />
    ) : null;
  };
  const encryption = sharedOf(objects.map((object) => object.encryption));
  return (
    <Stack gap="sm">
      {headerFields.map((field) => (
        <div key={field} className={classes.field}>
          <TextInput
            {...propsOf(field)}
            // Typing replaces the value, as after Tab.
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              onEnter();
            }}
            onChange={(event) => change(field, event.currentTarget.value)}
          />
          {button(field)}
        </div>
      ))}
      <div className={classes.field}>
        <Autocomplete
          size="xs"
          {...propsOf('storageClass')}
          data={[...storageClasses]}
          onChange={(typed) => {
            if (typed === '') restore('storageClass');
            else change('storageClass', typed);
          }}
        />
        {button('storageClass')}
      </div>
      {objects.length === 0 ? null : (
        <dl className={classes.facts}>
          <div>
            <dt>{t('properties.fields.encryption')}</dt>
            <dd>
              {encryption === null
                ? t('properties.various')
                : encryption === ''
                  ? t('properties.notEncrypted')
                  : encryption}
            </dd>
          </div>
        </dl>
      )}
    </Stack>
  );
}

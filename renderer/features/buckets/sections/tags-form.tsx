import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FormOf } from '../../../../shared/models/bucket-settings.ts';
import { replaced, withoutIndex } from './bucket-form-model.ts';
import classes from '../parts/buckets.module.css';

interface Props {
  readonly form: FormOf<'tags'>;
  readonly onChange: (form: FormOf<'tags'>) => void;
}

export function TagsForm({ form, onChange }: Props) {
  const { t } = useTranslation();
  const rows = useRef<HTMLDivElement>(null);
  const { tags } = form;
  const set = (next: FormOf<'tags'>['tags']) => onChange({ ...form, tags: next });
  return (
    <div ref={rows} className={classes.section}>
      {tags.length === 0 ? <p className={classes.quiet}>{t('buckets.tags.none')}</p> : null}
      {tags.map((tag, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a tag that is being typed has no other name
        <div key={index} className={classes.tag}>
          <TextInput
            aria-label={`${t('buckets.tags.key')} ${String(index + 1)}`}
            placeholder={t('buckets.tags.key')}
            value={tag.key}
            spellCheck={false}
            autoComplete="off"
            error={
              tag.key !== '' && tags.some((earlier, at) => at < index && earlier.key === tag.key)
                ? t('buckets.tags.twice')
                : null
            }
            onChange={(event) => set(replaced(tags, index, { ...tag, key: event.currentTarget.value }))}
          />
          <TextInput
            aria-label={`${t('buckets.tags.value')} ${String(index + 1)}`}
            placeholder={t('buckets.tags.value')}
            value={tag.value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => set(replaced(tags, index, { ...tag, value: event.currentTarget.value }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('buckets.tags.remove', { number: index + 1 })}
            onClick={() => set(withoutIndex(tags, index))}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => {
          set([...tags, { key: '', value: '' }]);
          requestAnimationFrame(() => {
            const fields = rows.current?.querySelectorAll('input') ?? [];
            fields[fields.length - 2]?.focus();
          });
        }}
      >
        {t('buckets.tags.add')}
      </Button>
    </div>
  );
}

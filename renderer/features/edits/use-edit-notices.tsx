import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { Edit } from '../../../shared/models/edits.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { nameText } from '../../../shared/keys/display.ts';
import { errorWords } from '../../ui/words/error-words.ts';
import { useHeldEdits } from './held-edits.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';

/**
 * Tells when a save has reached the bucket, and asks where it must not without the person's word; `onSent` hears of each that
 * has. What an editor of this window asks itself is left to it. Used once.
 */
export function useEditNotices(onSent: (edit: Edit) => void): void {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { data } = useQuery(orpc.edits.list.queryOptions());
  const held = useHeldEdits();
  const told = useRef(new Map<string, string>());
  const sent = useRef(new Map<string, string>());
  const hear = useRef(onSent);
  useEffect(() => {
    hear.current = onSent;
  });
  useEffect(() => {
    for (const edit of data ?? []) {
      if (edit.sentAt === null || sent.current.get(edit.id) === edit.sentAt) continue;
      sent.current.set(edit.id, edit.sentAt);
      hear.current(edit);
    }
  }, [data]);
  useEffect(() => {
    for (const edit of data ?? []) {
      if (held.has(edit.id)) continue;
      // A question stays until it is answered, so it is repeated in another language.
      const said = edit.state === 'open' ? '' : language;
      const now = `${edit.state} ${edit.sentAt ?? ''} ${said}`;
      if (told.current.get(edit.id) === now) continue;
      told.current.set(edit.id, now);
      tell(edit, t);
    }
  }, [data, held, language, t]);
}

function tell(edit: Edit, t: TFunction): void {
  const id = `edit-${edit.id}`;
  const name = nameText(lastSegment(edit.key), t('common.keyText.empty'));
  if (edit.state === 'open' && edit.sentAt !== null) {
    notifications.hide(id);
    notifications.show({
      id: `${id}-${edit.sentAt}`,
      color: 'teal',
      title: t('edits.sent', { name }),
      message: null,
    });
    return;
  }
  if (edit.state !== 'conflict' && edit.state !== 'failed') return;
  const act = (work: () => Promise<unknown>) => () => {
    notifications.hide(id);
    sayingFailure(t, work);
  };
  notifications.hide(id);
  notifications.show({
    id,
    color: 'yellow',
    autoClose: false,
    title: t(`edits.${edit.state}.title`, { name }),
    message: (
      <>
        {edit.state === 'failed' && edit.error !== null ? (
          <Text size="sm">{t(`${errorWords(edit.error)}.title`)}</Text>
        ) : null}
        {t(`edits.${edit.state}.body`)}
        <Group gap="xs" mt={6}>
          {edit.state === 'conflict' ? (
            <Button size="xs" variant="default" onClick={act(() => rpc.edits.overwrite({ editId: edit.id }))}>
              {t('edits.conflict.overwrite')}
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={act(() => rpc.edits.retry({ editId: edit.id }))}>
              {t('common.retry')}
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={act(() => rpc.edits.discard({ editId: edit.id }))}>
            {t('edits.discard')}
          </Button>
        </Group>
      </>
    ),
  });
}

import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { Edit } from '../../../shared/models/edits.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { nameText } from '../../../shared/keys/display.ts';
import { hideNotice, showNotice, type NoticeAction, type NoticeMessage } from '../../ui/notices/notices.tsx';
import { errorWords } from '../../ui/words/error-words.ts';
import { useClaimedEdits } from './edits.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { useStable } from '../../ui/use-stable.ts';

/**
 * Shows a notice when a save has reached the bucket or needs the user's confirmation. Calls `onSent` for each saved edit. Skips
 * edits that an open editor in this window already asks about. Use it once.
 */
export function useEditNotices(onSent: (edit: Edit) => void): void {
  const { data } = useQuery(orpc.edits.list.queryOptions());
  const claimed = useClaimedEdits();
  const noticed = useRef(new Map<string, string>());
  const sent = useRef(new Map<string, string>());
  const { hear } = useStable({ hear: onSent });
  useEffect(() => {
    for (const edit of data ?? []) {
      if (edit.sentAt === null || sent.current.get(edit.id) === edit.sentAt) continue;
      sent.current.set(edit.id, edit.sentAt);
      hear(edit);
    }
  }, [data, hear]);
  useEffect(() => {
    for (const edit of data ?? []) {
      if (claimed.has(edit.id)) continue;
      const noticeKey = `${edit.state} ${edit.sentAt ?? ''}`;
      if (noticed.current.get(edit.id) === noticeKey) continue;
      noticed.current.set(edit.id, noticeKey);
      showEditNotice(edit);
    }
  }, [data, claimed]);
}

function showEditNotice(edit: Edit): void {
  const id = `edit-${edit.id}`;
  const nameIn = (say: TFunction): string => nameText(lastSegment(edit.key), say('common.keyText.empty'));
  const { state, error } = edit;
  if (state === 'open' && edit.sentAt !== null) {
    hideNotice(id);
    showNotice(
      { tone: 'good', title: (say) => say('edits.sent', { name: nameIn(say) }) },
      `${id}-${edit.sentAt}`,
    );
    return;
  }
  if (state !== 'conflict' && state !== 'failed') return;
  const reason: NoticeMessage | null =
    state === 'failed' && error !== null ? (say) => say(`${errorWords(error)}.title`) : null;
  const mainAction: NoticeAction =
    state === 'conflict'
      ? {
          label: (say) => say('edits.conflict.overwrite'),
          onClick: () => sayingFailure(() => rpc.edits.overwrite({ editId: edit.id })),
        }
      : {
          label: (say) => say('common.retry'),
          onClick: () => sayingFailure(() => rpc.edits.retry({ editId: edit.id })),
        };
  showNotice(
    {
      tone: 'warning',
      staysMs: null,
      title: (say) => say(`edits.${state}.title`, { name: nameIn(say) }),
      message: (say) => `${reason === null ? '' : `${reason(say)}\n`}${say(`edits.${state}.body`)}`,
      actions: [
        mainAction,
        {
          label: (say) => say('edits.discard'),
          isQuiet: true,
          onClick: () => sayingFailure(() => rpc.edits.discard({ editId: edit.id })),
        },
      ],
    },
    id,
  );
}

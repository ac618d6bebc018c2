import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { orpc } from '../../rpc/client.ts';

const noticeId = 'update';

/** Tells of an update that was found or is ready: once each, and nothing more. Used once. */
export function useUpdateNotice(onShow: () => void): void {
  const { t } = useTranslation();
  const { data } = useQuery(orpc.updates.status.queryOptions());
  const kind = data?.kind === 'available' || data?.kind === 'ready' ? data.kind : null;
  const version = data !== undefined && 'version' in data ? data.version : null;
  useEffect(() => {
    if (kind === null || version === null) return;
    notifications.hide(noticeId);
    notifications.show({
      id: noticeId,
      autoClose: false,
      position: 'bottom-left',
      title: t(`updates.notice.${kind}`, { version }),
      message: (
        <Button
          variant="default"
          size="xs"
          mt={6}
          onClick={() => {
            notifications.hide(noticeId);
            onShow();
          }}
        >
          {t('updates.notice.show')}
        </Button>
      ),
    });
  }, [kind, version, onShow, t]);
}

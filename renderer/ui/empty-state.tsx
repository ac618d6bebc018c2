import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import common from './common.module.css';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly body?: ReactNode;
  readonly actions?: ReactNode;
}

/** Shown instead of empty content: a picture, a sentence and an action. */
export function EmptyState({ icon, title, body, actions }: EmptyStateProps) {
  return (
    <div className={common.emptyState}>
      <Stack align="center" gap="xs" maw={440} ta="center">
        {icon === undefined ? null : (
          <div className={common.emptyIcon} aria-hidden>
            {icon}
          </div>
        )}
        <Title order={2} fz="lg">
          {title}
        </Title>
        {body === undefined ? null : (
          <Text size="sm" c="dimmed" component="div">
            {body}
          </Text>
        )}
        {actions === undefined ? null : <div className={common.emptyActions}>{actions}</div>}
      </Stack>
    </div>
  );
}

import { Center, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './parts.module.css';

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly body?: ReactNode;
  readonly actions?: ReactNode;
}

/** Shown instead of empty content: a picture, a sentence and an action. */
export function EmptyState({ icon, title, body, actions }: EmptyStateProps) {
  return (
    <Center mih="100%" px={24} py="xl">
      <Stack align="center" gap="xs" maw={440} ta="center">
        {icon === undefined ? null : (
          <Center className={classes.emptyIcon} aria-hidden>
            {icon}
          </Center>
        )}
        <Title order={2} fz="lg">
          {title}
        </Title>
        {body === undefined ? null : (
          <Text className={classes.emptyBody ?? ''} size="sm" c="dimmed" component="div">
            {body}
          </Text>
        )}
        {actions === undefined ? null : (
          <Group gap="xs" justify="center" mt="xs">
            {actions}
          </Group>
        )}
      </Stack>
    </Center>
  );
}

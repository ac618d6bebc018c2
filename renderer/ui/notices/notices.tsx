import { Box, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

/** A text in the window's current language. It is a function, since a notice may outlast a change of the language. */
export type NoticeMessage = (say: TFunction) => string;

export interface NoticeAction {
  readonly label: NoticeMessage;
  readonly isQuiet?: boolean;
  /** Called after the notice has closed. */
  readonly onClick: () => void;
}

export interface Toast {
  readonly tone?: 'good' | 'quiet' | 'warning' | 'bad';
  readonly title?: NoticeMessage;
  /** Lines are divided by line breaks. */
  readonly message?: NoticeMessage;
  readonly actions?: readonly NoticeAction[];
  /** How long the notice stays, in milliseconds. Null means until it is closed; the default is 4 seconds. */
  readonly staysMs?: number | null;
  /** Called when the notice has been closed for any reason. */
  readonly onClosed?: () => void;
}

const usualStayMs = 4000;
const colours = { good: 'teal', quiet: 'gray', warning: 'yellow', bad: 'red' } as const;
let serial = 0;

/** Shows a notice. Replaces a visible notice with the same id. */
export function showNotice(notice: Toast, id?: string): void {
  serial += 1;
  const noticeId = id ?? `notice-${String(serial)}`;
  if (id !== undefined) notifications.hide(id);
  notifications.show({ ...notificationOf(notice, noticeId), id: noticeId });
}

/** Updates a visible notice. */
export function updateNotice(notice: Toast, id: string): void {
  notifications.update({ ...notificationOf(notice, id), id });
}

export function hideNotice(id: string): void {
  notifications.hide(id);
}

const begunId = 'begun';

/** Shows that a task has started. `hideStartedNotice` hides the notice once a more specific notice is shown. */
export function showStartedNotice(message: NoticeMessage): void {
  showNotice({ message, staysMs: 5000 }, begunId);
}

/** Hides the "started" notice when another notice reports the end of the task. */
export function hideStartedNotice(): void {
  hideNotice(begunId);
}

function notificationOf(notice: Toast, id: string) {
  const { tone = 'quiet', title, message, actions = [], staysMs = usualStayMs, onClosed } = notice;
  const text = message === undefined ? null : <NoticeText say={message} />;
  return {
    color: colours[tone],
    title: title === undefined ? undefined : <NoticeText say={title} />,
    message:
      actions.length === 0 ? (
        text
      ) : (
        // The actions are beside a short text and below a long text.
        <Group gap="6px 12px" justify="space-between">
          <Box flex="1 1 180px" miw={0}>
            {text}
          </Box>
          <Group gap={6} flex="none">
            {actions.map((action, at) => (
              <Button
                // oxlint-disable-next-line react/no-array-index-key -- they never change their order
                key={at}
                variant={action.isQuiet === true ? 'subtle' : 'default'}
                onClick={() => {
                  hideNotice(id);
                  action.onClick();
                }}
              >
                <NoticeText say={action.label} />
              </Button>
            ))}
          </Group>
        </Group>
      ),
    autoClose: staysMs ?? (false as const),
    ...(onClosed === undefined ? {} : { onClose: onClosed }),
  };
}

function NoticeText({ say }: { readonly say: NoticeMessage }) {
  const { t } = useTranslation();
  return <span style={{ whiteSpace: 'pre-line' }}>{say(t)}</span>;
}

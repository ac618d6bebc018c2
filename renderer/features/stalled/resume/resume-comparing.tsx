import { Button, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../ui/words/format.ts';
import type { Planning } from './use-resume-plan.ts';

interface ComparingProps {
  readonly planning: Extract<Planning, { kind: 'running' }>;
  readonly onStop: () => void;
}

export function Comparing({ planning: { progress, bytesPerSecond }, onStop }: ComparingProps) {
  const { t } = useTranslation();
  const hashing = progress !== null && progress.step === 'hashing';
  const share = hashing && progress.bytesToHash > 0 ? progress.bytesHashed / progress.bytesToHash : 0;
  const text = hashing
    ? t('stalled.resume.hashing', {
        done: formatBytes(progress.bytesHashed),
        total: formatBytes(progress.bytesToHash),
      })
    : t('stalled.resume.listing');
  return (
    <Stack gap={6}>
      <Text size="sm">
        {text}
        {bytesPerSecond === null
          ? null
          : ` (${t('stalled.resume.hashingSpeed', { speed: formatBytes(bytesPerSecond) })})`}
      </Text>
      <Progress value={share * 100} animated={!hashing} aria-label={t('stalled.resume.listing')} />
      <div>
        <Button variant="default" onClick={onStop}>
          {t('stalled.resume.stop')}
        </Button>
      </div>
    </Stack>
  );
}

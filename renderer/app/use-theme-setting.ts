import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useSettings } from '../features/settings/index.ts';
import { useStable } from '../ui/use-stable.ts';

/** Applies the theme chosen in the settings. */
export function useThemeSetting(): void {
  const { theme } = useSettings().settings;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // Mantine's function is new on every render, and each call restyles the whole document twice.
  const { apply } = useStable({ apply: setColorScheme });
  useEffect(() => {
    if (theme !== colorScheme) apply(theme);
  }, [theme, colorScheme, apply]);
}

import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useSettings } from '../features/settings/index.ts';

/** Returns the theme chosen in the settings. */
export function useThemeSetting(): void {
  const { settings } = useSettings();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    setColorScheme(settings.theme);
  }, [settings.theme, setColorScheme]);
}

import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../features/settings/index.ts';
import { orpc } from '../rpc/client.ts';
import { accentShades } from '../ui/theme/accent-shades.ts';
import { hexColourOf } from '../ui/theme/accent.ts';
import { browserAccent } from '../ui/theme/browser-accent.ts';
import { cssVariablesOf, styleNonce, theme } from '../ui/theme/theme.ts';

/** The theme, with the system's accent if the user wants it and the system exposes it. */
export function Themed({ children }: { readonly children: ReactNode }) {
  const { settings } = useSettings();
  const close = useTranslation().t('common.close');
  const info = useQuery(orpc.app.info.queryOptions()).data;
  const [browserColour] = useState(browserAccent);
  // On the desktop the system gives the accent to the core; a page knows only what its browser exposes.
  const known = info?.host === 'browser' ? browserColour : hexColourOf(info?.accent ?? '');
  const accent = settings.systemAccent ? known : null;
  const { themed, resolver } = useMemo(() => {
    const shades = accentShades(accent);
    return {
      themed: mergeThemeOverrides(theme, {
        colors: { accent: shades.scale },
        // Applies to every notice: the label of its close button.
        components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } } },
      }),
      resolver: cssVariablesOf(shades),
    };
  }, [accent, close]);
  return (
    <MantineProvider
      theme={themed}
      defaultColorScheme="auto"
      cssVariablesResolver={resolver}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}

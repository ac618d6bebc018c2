import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { defaultAccent, type AccentShades } from './accent.ts';

const gray: MantineColorsTuple = [
  '#f8f9f9',
  '#f1f3f3',
  '#e5e8e9',
  '#d5dadc',
  '#b3bbbf',
  '#87929a',
  '#5f6a71',
  '#48535a',
  '#313a40',
  '#1b2226',
];

const dark: MantineColorsTuple = [
  '#e3e7e9',
  '#c2c9cd',
  '#9ba5ab',
  '#76828a',
  '#4a555c',
  '#343d43',
  '#262d32',
  '#191e22',
  '#14181b',
  '#0e1113',
];

/** A red dark enough for white text on it, and light enough to be text on the dark surface. */
const red: MantineColorsTuple = [
  '#fdecea',
  '#fbd5d1',
  '#f7b3ac',
  '#f28b82',
  '#ff8a80',
  '#d83a2c',
  '#b42318',
  '#b42318',
  '#912018',
  '#7a271a',
];

/** The id of the container for menus and tooltips. It is inside the window's landmark, where a screen reader finds it. */
export const popupsId = 'popups';

/** Limits a menu to the available height at its position. */
function limitMenuHeight(menu: {
  readonly availableHeight: number;
  readonly elements: { readonly floating: HTMLElement };
}): void {
  const roomPx = Math.floor(menu.availableHeight);
  menu.elements.floating.style.setProperty('--cooper-menu-room', `${String(roomPx)}px`);
}

export const theme = createTheme({
  // Teal stays the colour of success even if the user has another accent.
  colors: { accent: defaultAccent.scale, teal: defaultAccent.scale, gray, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  black: '#1b2226',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'sm',
  headings: { fontWeight: '600' },
  cursorType: 'default',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // The page never scrolls, and Mantine's scroll lock would write a <style> without the nonce.
    Modal: {
      defaultProps: {
        centered: false,
        lockScroll: false,
        // Omits the exit animation, since a dialog that fades out would keep the window's keys and take focus afterwards.
        transitionProps: { transition: 'pop', duration: 120, exitDuration: 0 },
      },
      styles: { title: { fontWeight: 600 } },
    },
    Menu: {
      defaultProps: {
        // Omits the animation, as system menus do, since a menu that fades in is visible before it has focus.
        transitionProps: { duration: 0 },
        shadow: 'md',
        portalProps: { target: `#${popupsId}` },
        // In a low window the menu scrolls (global.css).
        middlewares: { size: { padding: 8, apply: limitMenuHeight } },
        // Omits the placeholder, which would be a child of the menu that is not a menu item.
        withInitialFocusPlaceholder: false,
        // Omits keydown, since the key press that opened the menu would close it. Scrolling would hide a menu with the focus in it.
        clickOutsideEvents: ['mousedown', 'touchstart', 'wheel'],
      },
    },
    MenuSub: {
      defaultProps: {
        // Opens next to the menu, outside its clipped scrolling part, or on the other side if it does not fit.
        floatingStrategy: 'fixed',
        middlewares: { flip: true, shift: true },
      },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 500,
        transitionProps: { duration: 80 },
        fz: 'xs',
        portalProps: { target: `#${popupsId}` },
      },
    },
  },
});

/** Defines the accent, and quiet text, placeholders and error text with a contrast of 4.5:1 on every surface in the window. */
export const cssVariablesOf =
  ({ light, dark: inTheDark }: AccentShades): CSSVariablesResolver =>
  () => ({
    variables: {},
    light: {
      '--cooper-accent': light.accent,
      '--cooper-accent-soft': light.soft,
      '--cooper-accent-softer': light.softer,
      '--mantine-color-dimmed': '#5f6a71',
      '--mantine-color-placeholder': '#5f6a71',
      '--mantine-color-error': '#b42318',
      '--mantine-color-body': '#ffffff',
    },
    dark: {
      '--cooper-accent': inTheDark.accent,
      '--cooper-accent-soft': inTheDark.soft,
      '--cooper-accent-softer': inTheDark.softer,
      // The colour of menu entries that delete.
      '--mantine-color-red-6': '#ff8a80',
      '--mantine-color-dimmed': '#9ba5ab',
      '--mantine-color-placeholder': '#9ba5ab',
      '--mantine-color-error': '#ff8a80',
      '--mantine-color-body': '#191e22',
    },
  });

/** Returns the CSP nonce that the host wrote into the page, which Mantine's style elements need. */
export function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

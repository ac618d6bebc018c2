import './ui/theme/global.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startI18n } from './i18n.ts';
import { startCoreLink } from './rpc/client.ts';
import { guardDrops } from './ui/drop/file-drop.ts';
import { closeMenusByEscape, watchFocus } from './ui/keyboard/keyboard-place.ts';
import { styleNonce } from './ui/theme/theme.ts';

// Mantine's scroll lock (get-nonce) reads the nonce for its style element from this variable.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
startCoreLink();
guardDrops();
watchFocus();
closeMenusByEscape();
await startI18n();
const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no root element.');
const appRoot = createRoot(root);
// In a transition, React gives way to the browser every 5 ms. Otherwise the window is one task of up to 0.1 s.
startTransition(() => {
  appRoot.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});

import path from 'node:path';
import { dialog, safeStorage, type BrowserWindow } from 'electron';
import { fileSecrets } from '../../core/connections/file-secrets.ts';
import type { Secrets } from '../../core/ports.ts';
import { text } from '../../host/text.ts';
import { hasPasswordStore, encryptedSecrets } from './encrypted-secrets.ts';
import { unprotectedSecrets, secretsWithoutStore } from './unavailable-store.ts';

/** Returns a store that uses the system's password store if it responds; otherwise the user decides where secrets are kept. */
export async function desktopSecrets(dataDir: string, current: () => BrowserWindow | null): Promise<Secrets> {
  const file = path.join(dataDir, 'secrets.encrypted.json');
  const { platform } = process;
  // Uses a wrapper, because safeStorage's methods must be called on safeStorage.
  const encryption = {
    isAsyncEncryptionAvailable: () => safeStorage.isAsyncEncryptionAvailable(),
    encryptStringAsync: (plainText: string) => safeStorage.encryptStringAsync(plainText),
    decryptStringAsync: (encrypted: Buffer) => safeStorage.decryptStringAsync(encrypted),
  };
  if (await hasPasswordStore(encryption, platform)) return encryptedSecrets(file, encryption);
  const unprotected = unprotectedSecrets({
    consentFile: path.join(dataDir, 'secrets-without-encryption'),
    plain: fileSecrets(dataDir),
    askConsent: () => askConsent(current()),
  });
  return secretsWithoutStore({ file, encryption, platform, unprotected });
}

const keepButton = 0;
const memoryButton = 1;

async function askConsent(window: BrowserWindow | null): Promise<boolean> {
  const options = {
    type: 'warning' as const,
    title: text('dialogPlainTextTitle'),
    message: text('dialogPlainTextMessage'),
    detail: text('dialogPlainTextDetail'),
    buttons: [text('dialogPlainTextKeep'), text('dialogPlainTextMemory')],
    defaultId: memoryButton,
    cancelId: memoryButton,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  return response === keepButton;
}

import path from 'node:path';
import { dialog, safeStorage, type BrowserWindow } from 'electron';
import { fileSecrets } from '../../core/connections/file-secrets.ts';
import type { Secrets } from '../../core/ports.ts';
import { text } from '../../host/text.ts';
import { encryptedSecrets } from './encrypted-secrets.ts';
import { unprotectedSecrets } from './unprotected-secrets.ts';

/** Secrets in the system's password store where it has one; otherwise as the person decides. */
export async function desktopSecrets(dataDir: string, current: () => BrowserWindow | null): Promise<Secrets> {
  if (await hasPasswordStore()) {
    // A wrapper, since safeStorage's functions need their receiver.
    return encryptedSecrets(path.join(dataDir, 'secrets.encrypted.json'), {
      encryptStringAsync: (plainText) => safeStorage.encryptStringAsync(plainText),
      decryptStringAsync: (encrypted) => safeStorage.decryptStringAsync(encrypted),
    });
  }
  return unprotectedSecrets({
    consentFile: path.join(dataDir, 'secrets-without-encryption'),
    plain: fileSecrets(dataDir),
    askConsent: () => askConsent(current()),
  });
}

/** On Linux `basic_text` encrypts with a password that everybody knows: the same as nothing. */
async function hasPasswordStore(): Promise<boolean> {
  if (process.platform === 'linux') {
    const backend = safeStorage.getSelectedStorageBackend();
    if (backend === 'basic_text' || backend === 'unknown') return false;
  }
  return safeStorage.isAsyncEncryptionAvailable();
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

import { Text } from '@mantine/core';
import { correction, generate } from 'lean-qr';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { qrPath } from './link-model.ts';
import classes from './links.module.css';

/** Width of the white margin that readers need, in modules (ISO 18004). */
const quiet = 4;

/** Shows a text as a QR code. It is dark on light in both themes, since many readers support nothing else. */
export function QrCode({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const code = useMemo(() => codeOf(text), [text]);
  if (code === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('links.qrTooLong')}
      </Text>
    );
  }
  const side = code.size + 2 * quiet;
  return (
    <svg
      role="img"
      aria-label={t('links.qr')}
      className={classes.qr}
      viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-quiet} y={-quiet} width={side} height={side} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}

/** Encodes a text. Returns null if it exceeds the capacity of a QR code. */
function codeOf(text: string): { readonly size: number; readonly path: string } | null {
  try {
    const code = generate(text, { minCorrectionLevel: correction.L, maxCorrectionLevel: correction.M });
    return { size: code.size, path: qrPath(code.size, (x, y) => code.get(x, y)) };
  } catch {
    // The library's only error is too much data. The advice to copy the text would also fit any other error.
    return null;
  }
}

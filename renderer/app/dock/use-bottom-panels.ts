import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { lowWindow } from '../places/window-layout.ts';

export interface BottomPanel {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

interface Options {
  readonly log: BottomPanel;
  readonly transfers: BottomPanel;
  /** The number of requests to show a job. Each new request brings the transfers to the front. */
  readonly asked: number;
}

/**
 * Manages the request log and the transfers below the folder. A low window shows only the panel that was opened last. Closing
 * this panel, or opening the covered panel again, shows the covered panel.
 */
export function useBottomPanels({ log, transfers, asked }: Options): {
  readonly log: BottomPanel;
  readonly transfers: BottomPanel;
} {
  const isLow = useMediaQuery(lowWindow, false, { getInitialValueInEffect: false });
  const [front, setFront] = useState<'log' | 'transfers'>('transfers');
  const [answered, setAnswered] = useState(asked);
  if (answered !== asked) {
    setAnswered(asked);
    setFront('transfers');
  }
  const shareOne = isLow && log.isOpen && transfers.isOpen;
  const shown = (name: typeof front, panel: BottomPanel): BottomPanel => {
    const isBehind = shareOne && front !== name;
    return {
      isOpen: panel.isOpen && !isBehind,
      toggle: () => {
        setFront(name);
        if (!isBehind) panel.toggle();
      },
    };
  };
  return { log: shown('log', log), transfers: shown('transfers', transfers) };
}

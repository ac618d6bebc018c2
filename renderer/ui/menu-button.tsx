import { Menu, type MenuProps } from '@mantine/core';
import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { useRestoredFocus } from './keyboard/keyboard-place.ts';

type MenuPlacement = Pick<MenuProps, 'position' | 'width' | 'closeOnItemClick'>;

interface MenuButtonProps extends MenuPlacement {
  /** Renders the button with the attributes that make it the target of its menu. */
  readonly renderButton: (attributes: ReturnType<typeof useMenuButton>['attributes']) => ReactNode;
  /** The entries, which are rendered only while the menu is open. */
  readonly children: ReactNode;
}

/**
 * A button with a menu. The menu mounts when it opens, since a closed Mantine menu renders twice when it mounts, the second time
 * synchronously before the paint.
 */
export function MenuButton({ renderButton, children, ...placement }: MenuButtonProps) {
  const { attributes, isOpen, close } = useMenuButton();
  return (
    <>
      {renderButton(attributes)}
      {isOpen ? (
        <OpenMenu target={attributes.ref} id={attributes.id} onClose={close} {...placement}>
          <Menu.Dropdown>{children}</Menu.Dropdown>
        </OpenMenu>
      ) : null}
    </>
  );
}

function useMenuButton() {
  const ref = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const attributes = {
    ref,
    id,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'data-expanded': isOpen || undefined,
    onClick: () => setOpen(!isOpen),
  } as const;
  return { attributes, isOpen, close: () => setOpen(false) };
}

interface OpenMenuProps extends MenuPlacement {
  /** The button to which the menu belongs. */
  readonly target: RefObject<HTMLElement | null>;
  /** The id of the button, which names the menu. */
  readonly id: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The open menu of a button that is rendered elsewhere. Closes when the button is removed. */
export function OpenMenu({ target, id, onClose, children, ...placement }: OpenMenuProps) {
  useRestoredFocus();
  const closing = useEffectEvent(onClose);
  useEffect(() => {
    if (target.current === null) closing();
  }, [target]);
  return (
    <Menu
      opened
      id={id}
      returnFocus={false}
      onChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      {...placement}
    >
      <Menu.Target>
        <TargetOf element={target} />
      </Menu.Target>
      {children}
    </Menu>
  );
}

/** Gives an existing element to Mantine as the target of a menu. */
function TargetOf({
  element,
  ref,
}: {
  readonly element: RefObject<HTMLElement | null>;
  readonly ref?: Ref<HTMLElement>;
}) {
  useImperativeHandle(ref, () => {
    return element.current ?? document.documentElement;
  }, [element]);
  return null;
}

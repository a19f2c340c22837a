import { Icon } from './icon.tsx';

const CIRCLE = 'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0';

/** The icon of each kind of message, because colour alone is not accessible. */
export const kindIcons = {
  success: <Icon d={`${CIRCLE}M16 9l-5.5 5.5L8 12`} />,
  warning: (
    <Icon d="M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01" />
  ),
  danger: <Icon d={`${CIRCLE}M12 8v4M12 16h.01`} />,
  info: <Icon d={`${CIRCLE}M12 16v-4M12 8h.01`} />,
} as const;

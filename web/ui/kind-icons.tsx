import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';

/** The icon of each kind of message, so that the colour is never alone. */
export const kindIcons = {
  success: <CircleCheck />,
  warning: <TriangleAlert />,
  danger: <CircleAlert />,
  info: <Info />,
} as const;

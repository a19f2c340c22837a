/** How a moment is told. */
export const momentText = { today: 'Today', yesterday: 'Yesterday', at: '{day}, {time}' } as const;

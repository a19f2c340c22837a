export const rememberedText = {
  title: 'Remembered browsers',
  lead: 'A sign-in there asks for no second step. Forget a browser that you no longer use or share with others.',
  current: 'This browser',
  about: '{location}, {address}. Since {since}, until {until}.',
  forget: 'Forget {browser}, {location}, {address}',
  forgetAct: 'Forget',
  forgotten: 'Browser forgotten',
  all: 'Forget all',
  allDone: 'All browsers forgotten',
} as const;

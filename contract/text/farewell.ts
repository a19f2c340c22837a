export const farewellText = {
  title: 'Goodbye, and thank you',
  lead: 'Your account is deactivated, and you are signed out everywhere.',
  atMost: '{days} days to come back',
  atMostHint: 'Then your account is erased for good.',
  how: 'Changed your mind? The mail we sent you holds a link that brings everything back.',
  howNoMail:
    'Changed your mind? We have no confirmed address of yours to mail to, but the people of our support can bring it back.',
  support: 'Ask our support',
  noMail: 'No mail yet? Look in your spam folder, or',
  again: 'have it sent again',
  home: 'To the home page',
} as const;

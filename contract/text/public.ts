export const publicText = {
  title: '{page} · {product}',
  skip: 'Skip to content',
  home: '{product}, home',
  homeLink: 'Home',
  porchTitle: 'One door to every application your team works in.',
  porchLead: 'Sign in once. Your account follows you.',
  support: 'Support',
  toLogin: 'Return to login',
  failedTitle: 'This page did not load',
} as const;

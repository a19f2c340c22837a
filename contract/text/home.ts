export const homeText = {
  title: 'One account for every application',
  ways: 'Ways in',
  signIn: 'Sign in',
  signUp: 'Create a free account',
  heading: 'One door to every application your team works in.',
  lead: 'Sign in once. Your profile, your organization and the roles of your people come with you.',
  appsHeading: 'The applications',
  appsLead: 'Each does one thing well. All of them know who you are.',
  open: 'Open {app}',
  about: {
    sign: 'Send, sign and keep documents that hold.',
    seo: 'See how people find you, and what to mend.',
    forms: 'Ask once, and have the answers in order.',
    surveys: 'Listen to many people at the same time.',
  },
  accountHeading: 'Your account, in your hands',
  facts: {
    organization: {
      name: 'Your organization',
      about: 'Invite people, give them roles, and decide module by module what each may do.',
    },
    devices: {
      name: 'Your devices',
      about: 'See where you are signed in, and sign any of them out from where you are.',
    },
    record: {
      name: 'Your record',
      about: 'Every change is written down, with who made it and when.',
    },
  },
  footer: '{product}, the door to the suite',
  support: 'Support',
} as const;

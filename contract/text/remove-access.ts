/** The question before an application loses its access. A file of its own, because it loads with the dialog. */
export const removeAccessText = {
  title: 'Remove access of {application}?',
  effect:
    '{application} can no longer use your account, and you are signed out of it. When you enter it again, it has to ask for access.',
} as const;

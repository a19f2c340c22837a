import type { Api } from '#contract/api.ts';

/** One line per call for the API pages. A file of its own, so that no page of the portal loads it. */
export const summaries = {
  accounts: {
    signUp: 'Create an account; opens a session and mails a link that confirms the address',
    verifyEmail: 'Confirm an address with the mailed digest',
    resendVerification:
      'Mail a new confirmation link; answers alike whether the address waits for one or not',
    agree: 'Agree to a version of the terms and the privacy notice, as the page showed it',
  },
  signIn: {
    signIn: 'Sign in with address and password; with two-step sign-in on, a code is mailed',
    resendCode: 'Mail a new code for the sign-in that waits for one',
    verifyCode: 'Finish a sign-in with the mailed code',
    verifyAppCode: 'Finish a sign-in with a code of the authenticator app',
    verifyRecoveryCode: 'Finish a sign-in with a recovery code',
    status: 'Who is signed in, or null',
    signOut: 'End this session',
  },
  waysIn: { read: 'The caller’s passkeys and second steps, and why one of them must stay, if so' },
  passkeys: {
    begin: 'The request for a new passkey, for the browser (WebAuthn)',
    add: 'Add the passkey that the browser made',
    rename: 'Rename a passkey',
    remove: 'Remove a passkey, unless it is the last way in',
    offer: 'Whether to offer the caller a first passkey',
    declineOffer: 'Do not offer a passkey again',
    beginPasskey: 'The request for a passkey at sign-in, for the browser (WebAuthn)',
    signInWithPasskey: 'Sign in with a passkey; no second step follows',
  },
  authenticator: {
    beginSetup: 'A new secret for an authenticator app, as text and as QR code',
    finishSetup: 'Set the app up with its first code; turns two-step sign-in on',
    removeApp: 'Remove the authenticator app',
  },
  recoveryCodes: { renew: 'Make ten new recovery codes; the earlier ones end' },
  rememberedBrowsers: { forget: 'Forget one of these browsers, or all of them' },
  stepUp: {
    twoStep: 'Whether two-step sign-in is on',
    setTwoStep: 'Switch two-step sign-in on or off',
    reauthenticate: 'Prove again who one is, with the password or a mailed code',
    proofs: 'The proofs that the caller can give',
    reauthenticateByPasskey: 'The request for a passkey of the caller, for the browser (WebAuthn)',
    reauthenticateByMail: 'Mail a code to prove oneself with, for people without a password',
  },
  recovery: {
    forgotPassword: 'Mail a link to choose a new password with',
    passwordOwner: 'The address of the account whose password a mailed digest sets',
    resetPassword: 'Choose a new password with a mailed digest; every session ends',
    createPassword: 'Choose a first password with a mailed or handed-on digest; opens a session',
    notMe:
      'Report that a sign-in was not one’s own: every session ends, and a digest leads to a new password',
  },
  onward: {
    redirect:
      'Where to go on to: the address asked for with a one-time code for its application, or null when it is not on the list',
    redeem:
      'For an application’s server: who came with a code, and what they may do; once, within a minute, for exactly its redirect address',
    next: 'The follow-up of a sign-in that came with next and base 1: where to go on to',
  },
  social: {
    start:
      'Where to send the person to sign in with Facebook (1) or Google (2); for somebody signed in, to link that sign-in to their account',
    linked: 'Which sign-ins with Facebook and Google open one’s account, and which could be linked',
    unlink:
      'Let a sign-in with Facebook or Google open one’s account no more; refused where nothing else does',
  },
  sessions: {
    beacon: 'Tell that the person is active; the body is ignored',
    list: 'The devices one is signed in on, this one first',
    end: 'Sign a device out, or all but this one; takes effect on its very next request',
  },
  members: {
    list: 'Members page by page; searched, filtered and sorted on the server',
    invite: 'Invite somebody by mail, whether they have an account or not',
    edit: "Change a member's names, designation, role or status in this organization",
    remove: 'End a membership, or withdraw an invitation; the person keeps their account',
    resend: 'Mail a new link to somebody invited; the one before no longer serves',
    invitation: 'What a mailed invitation says, and what its reader can do with it',
    invitations: 'The invitations that wait for the person signed in',
    answer: 'Join or decline',
  },
  organizations: {
    init: 'Everything the signed-in area opens with',
    list: 'The organizations one belongs to',
    create: 'Create an organization and become its Super Admin',
  },
  organizationSettings: {
    update: 'Change the organization or the name of its application; what is left out stays',
    leave: 'End one’s own membership; the last active Super Admin can’t',
    settings: 'One organization, as its member sees it',
    application: 'How the organization’s application looks, and how many seats are taken',
    rule: 'The second step that the organization requires, and how many members lack it',
    setRule: 'Require a second step of members, or no longer; those without it are mailed',
  },
  roles: {
    read: 'The roles of an organization, or one of them with its rights',
    create: 'Add a role; whether it is an admin role is decided here and for good',
    update: 'Rename a role, or save its rights; read is on wherever another right is',
    remove: 'Delete a role; members and pending invitations take another one',
  },
  profile: {
    restoreEmail:
      'Take one’s former address back with the digest mailed to it; every session ends, and a digest leads to a new password',
    read: "The signed-in person's profile",
    update:
      'Change profile fields, or how one is reached; what is left out stays. A new address waits until its mailed link is opened',
    resendPendingEmail: 'Mail the link of a new address again; the one before no longer serves',
    cancelPendingEmail: 'Let go of a new address that waits for its link to be opened',
    changePassword: 'Choose a new password; every other session ends, and this one goes on with a new cookie',
  },
  communications: {
    preferences: 'Which mails one wants besides those about the own account',
    setPreferences: 'Choose them; what is left out stays',
    notifications: 'What happened lately, the newest first, and how much of it is unread',
    readNotifications: 'Mark all notifications up to one as read',
  },
  drive: {
    linkedPicture:
      'The picture of a person behind a signed link of the `picture` claim; an hour long, without a cookie',
    setIcon: 'Show an uploaded icon as the dark (1) or light (2) one',
    uploadApplicationIcon: 'Upload the icon of an application of the organization',
    applicationIcon: 'The icon of an application, as the people who enter it see it',
    uploadIcon: 'Upload an icon for dark (1) or light (2) surroundings; POST /clientOrgIcon shows it',
    icon: 'An organization’s icon',
    uploadPicture: 'Upload one’s picture; the one before goes',
    removePicture: 'Remove one’s picture',
    picture: 'The picture of a person whom one shares an organization with, or one’s own',
  },
  accountDeletion: {
    restore: 'Cancel the deletion of an account with the mailed digest, within its 60 days; signs nobody in',
    resendRestore: 'Mail a new link that restores an account; answers alike whether there is one to restore',
    effects: 'What deleting one’s own account would do, organization by organization, and when it is erased',
    request:
      'Deactivate one’s own account until it is erased; every session ends, and a mail holds the way back',
  },
  activity: {
    list: 'The activity log, newest first: one’s own rows, or the organization’s for its admins',
    export: 'The rows that the same filters leave, as a file',
  },
  applications: {
    show: 'What an application waits for before a person may enter it',
    listOwn: 'The applications that an organization registered',
    register: 'Register an application of the organization; a secret is shown in this answer only',
    change: 'Save the settings of an application',
    unregister: 'Remove an application: nobody can sign in to it, and its tokens end at once',
    rotateSecret: 'Make a new secret; the former one stays valid for a day',
    pause: 'Pause an application or resume it; nobody can sign in while it is paused',
    showSignOut: 'The application that asks a person to sign out',
    confirmSignOut: 'End this session for an application; says where the browser goes on',
    listConnected: 'The applications that may use one’s account',
    removeAccess: 'Take one’s account back from an application: its tokens end, and it is told',
    answer: 'Agree to an application’s request or decline it; says where the browser goes on',
  },
  dataExport: {
    read: 'Whether an archive of the caller’s or an organization’s data is being made or ready',
    request: 'Have an archive of the caller’s or an organization’s data made; a mail says when it is ready',
    download: 'The archive, a ZIP file, for seven days',
  },
  companyDomains: {
    list: 'The domains of the organization, with the records that prove them',
    add: 'Add a domain; a TXT record proves it',
    check: 'Look for the record of a domain now',
    change: 'Change how people with an address of a domain join',
    remove: 'Remove a domain',
  },
  companyDirectory: {
    read: 'Where a company directory calls (SCIM), with its tokens, refused calls and groups',
    addToken: 'Make a token for a company directory; it is shown in this answer only',
    removeToken: 'Revoke a token of a company directory',
    setRole: 'Choose the role of a directory group’s members, or none',
  },
  companyConnections: {
    list: 'The connection to the identity provider, and its draft',
    add: 'Begin a draft; its redirect address is for the provider',
    change: 'Save settings of the connection or the draft',
    test: 'Start a visit that only shows what the provider answers',
    switchOn: 'Switch a tested draft on, or the connection off',
    remove: 'Remove the connection or the draft',
    attempts: 'The newest visits, with the provider’s own errors',
  },
  companyVisits: {
    discover: 'Whether a company signs in people with this address',
    start: 'Start a visit to a company’s identity provider',
    signOut: 'Where to sign out at the company, after the sign-out here',
    prove: 'Start a visit that proves the person of this session again',
    pendingLink: 'The link to a company that waits for a proof of the account',
    link: 'Link the company’s identity with the caller’s account',
  },
  companyRules: {
    read: 'Who must come through the company, and how many are not linked yet',
    set: 'Set who must come through the company, and from when',
  },
  joinRequests: {
    offer: 'The organization that the caller may join by the domain of their address',
    join: 'Join the organization of one’s domain, or ask to be let in',
    withdraw: 'Withdraw the request to join',
    list: 'The people who ask to be let in',
    accept: 'Let a person in with a role',
    decline: 'Decline a request to join',
  },
  webhooks: {
    list: 'The addresses that learn of an organization’s events',
    add: 'Add a webhook; its secret is shown in this answer only',
    change: 'Save the address, description or events of a webhook',
    remove: 'Remove a webhook with its waiting deliveries',
    rotateSecret: 'Make a new secret; for a day, requests are signed with both',
    pause: 'Pause a webhook or resume it, also after it was switched off',
    listDeliveries: 'What a webhook was sent in the last 30 days, newest first',
    sendTest: 'Send a webhook an event that means nothing',
    sendAgain: 'Send a delivery of a webhook again under the same id',
  },
} as const satisfies { readonly [F in keyof Api]: { readonly [C in keyof Api[F]]: string } };

type MailProvider = { readonly name: string; readonly url: string };

const providers: readonly (MailProvider & { domains: readonly string[] })[] = [
  { name: 'Gmail', url: 'https://mail.google.com/', domains: ['gmail.com', 'googlemail.com'] },
  {
    name: 'Outlook',
    url: 'https://outlook.live.com/mail/',
    domains: [
      'outlook.com',
      'outlook.de',
      'outlook.fr',
      'hotmail.com',
      'hotmail.co.uk',
      'live.com',
      'msn.com',
    ],
  },
  {
    name: 'Yahoo Mail',
    url: 'https://mail.yahoo.com/',
    domains: [
      'yahoo.com',
      'yahoo.co.uk',
      'yahoo.co.in',
      'yahoo.de',
      'yahoo.fr',
      'ymail.com',
      'rocketmail.com',
    ],
  },
  {
    name: 'iCloud Mail',
    url: 'https://www.icloud.com/mail',
    domains: ['icloud.com', 'me.com', 'mac.com'],
  },
  {
    name: 'Proton Mail',
    url: 'https://mail.proton.me/',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
  },
  { name: 'Fastmail', url: 'https://app.fastmail.com/', domains: ['fastmail.com', 'fastmail.fm'] },
  { name: 'AOL Mail', url: 'https://mail.aol.com/', domains: ['aol.com', 'aim.com'] },
  { name: 'GMX', url: 'https://www.gmx.net/', domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'] },
  { name: 'Zoho Mail', url: 'https://mail.zoho.com/', domains: ['zoho.com', 'zohomail.com'] },
];

/** The webmail of an address, if its domain is known. A company's own domain tells nothing. */
export function mailProviderOf(email: string): MailProvider | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return providers.find((provider) => provider.domains.includes(domain));
}

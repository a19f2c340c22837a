/** The mailbox of a canonical address: without its tag, and at Gmail without dots. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const untagged = /^[^+]+/.exec(email.slice(0, at))?.[0] ?? email.slice(0, at);
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${untagged}@${domain}`;
  return `${untagged.replaceAll('.', '') || untagged}@gmail.com`;
}

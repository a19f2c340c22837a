/** An address as others may glimpse it, `m•••@northwind.io`; always three dots, so that its length stays untold. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return '•••';
  const [first = ''] = email;
  // Of a name of one letter the first would be the whole.
  return `${first.length === at ? '' : first}•••${email.slice(at)}`;
}

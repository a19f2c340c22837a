/** An address that others may see in part: `m•••@northwind.io`. Always three dots, so that its length stays secret. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return '•••';
  const [first = ''] = email;
  // The first letter of a one-letter name would be the whole name.
  return `${first.length === at ? '' : first}•••${email.slice(at)}`;
}

/**
 * A line icon on a grid of 24, one path in the colour of the text around it; the shapes are Lucide's (ISC licence).
 * Public pages draw theirs with it, for lucide-react itself would cost each of them 1.4 kB; the area takes that.
 */
export function Icon({ d }: { d: string }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  );
}

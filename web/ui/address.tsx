/** May break after the signs of an address, and so not inside its words. */
export const breakable = (text: string) =>
  text.split(/(?<=[@/.?&=])/).map((part, at) => (
    <span key={at}>
      {part}
      <wbr />
    </span>
  ));

/** A name or an address, isolated like `Named`. */
export const Address = ({ children }: { children: string }) => <bdi>{breakable(children)}</bdi>;

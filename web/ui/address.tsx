/** May break after the signs of an address, and so not inside its words. */
export const breakable = (text: string) =>
  Array.from(text.matchAll(/.+?(?:[@/.?&=]+|$)/g), ({ 0: part, index }) => (
    <span key={index}>
      {part}
      <wbr />
    </span>
  ));

/** A name or an address, isolated like `Named`. */
export const Address = ({ children }: { children: string }) => <bdi>{breakable(children)}</bdi>;

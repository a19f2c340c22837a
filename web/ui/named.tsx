/** A name that a person chose. Isolated, so that its direction does not reorder the text around it. */
export const Named = ({ children }: { children: string }) => <bdi>{children}</bdi>;

/** An error that the operator can fix; its message is shown as it is. */
export class Plain extends Error {}

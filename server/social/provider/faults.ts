type Code =
  /** The provider takes the secret neither in a header nor in the body; the detail lists what it takes. */
  | 'NO_SECRET_WAY'
  /** It refused the secret in each way; the cause is the list of its answers. */
  | 'CLIENT_REFUSED'
  /** There is no discovery document. */
  | 'NO_DOCUMENT'
  /** The document is another issuer's, which the detail names. */
  | 'OTHER_ISSUER';

/** A fault between a provider and us that we find ourselves, not a library. */
export class ProviderFault extends Error {
  readonly code: Code;
  readonly detail: string;
  constructor(code: Code, detail = '', options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.detail = detail;
  }
}

/** The certificate and key that one side of a connection presents and the authority it trusts, as PEM texts. */
export interface TlsIdentity {
  certificate: string;
  key: string;
  /**
   * Certificates of other sides must come from it. A listener that has it lets
   * in only clients with such a certificate; without it a listener lets in
   * everyone, and a client trusts what Node trusts.
   */
  authority?: string;
}

/**
 * Returns the identity for a connection that begins now. It returns the same object until the certificates are
 * replaced; connections that are open keep those that they began with.
 */
export type TlsSource<Identity extends Partial<TlsIdentity> = TlsIdentity> = () => Identity;

/** The form of a checksum on the wire; it is stored in lower case. */
export const checksumPattern = /^sha256:[0-9A-Fa-f]{64}$/;

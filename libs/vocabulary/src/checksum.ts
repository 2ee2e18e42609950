/** The form of a checksum that a client sends. */
export const checksumPattern = /^sha256:[0-9A-Fa-f]{64}$/;

/** The form of a stored checksum, which is in lower case. */
export const storedChecksumPattern = /^sha256:[0-9a-f]{64}$/;

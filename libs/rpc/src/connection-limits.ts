/** Room for a page of 200 items of 1 MiB; a larger answer is a fault of ours. */
export const maxAnswerBytes = 256 * 1024 * 1024;
/** Node refuses streams on a connection that holds more; its default of 10 is less than one window of our clients. */
export const sessionMemoryMegabytes = 64;

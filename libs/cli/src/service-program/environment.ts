/** The environment of this process. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** Hands settings to the part that is started next in this process; parts read them from the environment. */
export function setEnvironment(settings: Readonly<Record<string, string>>): void {
  Object.assign(process.env, settings);
}
